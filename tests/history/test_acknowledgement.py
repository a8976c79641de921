"""The comment that says that an edit is meant."""

import pytest

from harness_dsl.history.acknowledgement import version_line
from harness_dsl.ir.canonical import core_digest
from harness_dsl.syntax.compile import compile_text
from harness_dsl.syntax.format import format_text
from tests.history.repositories import SHOP, version

MEANT = "# acknowledges narrowing: link 7 is gone"


@pytest.mark.parametrize(
    ("comment", "classes"),
    [
        (MEANT, {"narrowing"}),
        ("# acknowledges safety: the desk agreed: see the minutes", {"safety"}),
        ("# acknowledges narrowing, safety: both", {"narrowing", "safety"}),
        ("# Acknowledges safety and narrowing: both", {"narrowing", "safety"}),
        ("#acknowledges  narrowing：三号链接下架了", {"narrowing"}),
    ],
)
def test_what_is_said(comment: str, classes: set[str]) -> None:
    line = version_line(version(SHOP, "2.0.0", comment), "s")
    (said,) = line.said
    assert said.classes == classes and said.reason and not line.problems


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("# acknowledges narowing: x", "`narowing` is nothing that can be acknowledged"),
        ("# acknowledges narrowing", "gives no reason"),
        ("# acknowledges narrowing:  ", "gives no reason"),
        ("# acknowledges: because", "does not say what"),
        ("# acknowledges the desk", "`desk` is nothing"),
    ],
)
def test_what_says_nothing(comment: str, message: str) -> None:
    line = version_line(version(SHOP, "2.0.0", comment), "s")
    (problem,) = line.problems
    assert problem.code == "HD903" and message in problem.message and not line.said
    assert problem.span.path == "s"


def test_it_may_stand_above_the_header_and_nowhere_else() -> None:
    assert version_line(f"# A shop.\n{MEANT}\n{SHOP}", "s").said
    for elsewhere in (
        f"{MEANT}\n\n{SHOP}",
        f"{SHOP}{MEANT}\n",
        SHOP.replace("\ntype", f"\n{MEANT}\ntype", 1),
    ):
        assert version_line(elsewhere, "s").said == ()
    text = SHOP.replace("You are", "# acknowledges safety: not a comment. You are")
    assert version_line(text, "s").said == ()
    assert version_line("no harness at all", "s").said == ()


def test_it_is_no_part_of_the_core_and_survives_fmt() -> None:
    plain, said = (compile_text(version(SHOP, "2.0.0", comment)) for comment in ("", MEANT))
    assert plain.core is not None and said.core is not None
    assert core_digest(plain.core) == core_digest(said.core)
    text = f"{MEANT}\n" + version(SHOP, "2.0.0", MEANT)
    assert format_text(text, "s")[0] == text


@pytest.mark.parametrize(
    "text",
    [
        f'harness a "2.0.0"\n  "A shop."  {MEANT}\ntype T = int\n',
        f'  harness a "2.0.0"  {MEANT}\n  type T = int\n',
        f'type T = int\n\nharness a "2.0.0"  {MEANT}\n\ntype U = int\n',
        f'harness\na\n"2.0.0"  {MEANT}\n\ntype T = int\n',
        f'harness a "2.0.0"  {MEANT}\n\ntype (\n',
        f'module a "2.0.0"  {MEANT}',
    ],
)
def test_a_header_is_found_wherever_it_stands(text: str) -> None:
    line = version_line(text, "s")
    assert text[line.version.start : line.version.end] == '"2.0.0"' and len(line.said) == 1
    assert line.module == text.startswith("module")
