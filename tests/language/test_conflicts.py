"""A file that a merge was not finished in, and one with more mistakes than anyone reads."""

import time

import pytest

from grammar.driver import MISTAKES
from harness_dsl.diagnostics import render
from harness_dsl.lint.examples import whole
from harness_dsl.syntax.conflicts import conflict
from tests.language.helpers import PATH, at_fault, check

OURS = 'tool a() -> any { """A.""" }\n'
THEIRS = 'tool a() -> int { """B.""" }\n'
CONFLICT = f"<<<<<<< HEAD\n{OURS}=======\n{THEIRS}>>>>>>> branch\n"
BASE = f"<<<<<<< HEAD\n{OURS}||||||| 1a2b\n=======\n{THEIRS}>>>>>>> branch"


@pytest.mark.parametrize(
    ("body", "places"),
    [
        (CONFLICT, 1),
        (BASE, 1),
        (CONFLICT * 9, 9),
        (CONFLICT.replace("\n", "\r\n"), 1),
        (CONFLICT.replace(OURS, "").replace(" HEAD", ""), 1),
        ('prompt system { section p """\nBe\n<<<<<<< HEAD\nkind.\n=======\ncalm.\n>>>>>>> x\n""" }', 1),
    ],
)
def test_a_conflict_is_one_finding(body: str, places: int) -> None:
    text = f'harness x "1.0.0"\n\n{body}'
    [found] = check(text)
    assert found.code == "HD122" and at_fault(text, found) == "<<<<<<<"
    assert ("places" in found.message) == (places > 1) and len(found.labels) == min(places - 1, 4)


@pytest.mark.parametrize(
    "text",
    ["Kind.\n=======\nCalm.", "  <<<<<<< HEAD\n  kind\n  =======\n  calm\n  >>>>>>> x\n", "a\n<<<<<<< x\nb"],
)
def test_what_only_looks_like_a_conflict_is_text(text: str) -> None:
    assert "HD122" not in [
        one.code for one in check(whole(f'prompt system {{ section p """\n{text}\n""" }}'))
    ]


def test_looking_for_conflicts_takes_time_in_proportion() -> None:
    for part in ("=======\n", "<<<<<<< a\n=======\n", "<<<<<<< a\n" + "=======\n" * 9):
        started = time.process_time()
        assert conflict(part * 100_000, PATH) is None
        assert time.process_time() - started < 5


def test_where_reading_stops_is_said_at_the_first_and_the_last_mistake() -> None:
    text = 'harness x "1.0.0"\n' + 'tool t() -> any { """T.""" effct read }\n' * (MISTAKES + 500)
    found = check(text)
    assert len(found) == MISTAKES
    first = render.text(found[:1], {PATH: text})
    assert f"reading stopped here, after 1,000 mistakes ({MISTAKES + 1}:28)" in first
    assert found[-1].help.endswith("Reading stopped here, after 1,000 mistakes.")
    assert [one for one in found[:-1] if "stopped" in one.help] == []
    fewer = check(text[: text.index("\n") + 1] + 'tool t() -> any { """T.""" effct read }\n' * 900)
    assert not any(one.labels and "stopped" in one.labels[-1].text for one in fewer)
