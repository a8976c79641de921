"""The version rule, on two texts."""

import pytest

from harness_dsl.history.comparison import compare
from harness_dsl.history.precedence import went_back
from harness_dsl.history.report_json import one
from harness_dsl.history.report_text import verdict
from harness_dsl.history.rule import findings, notes, step
from harness_dsl.ir.diff import Bump
from harness_dsl.syntax.compile import compile_text
from harness_dsl.syntax.opening import Opened
from tests.history.repositories import SHOP, version

POLICY = SHOP.replace(
    "  }\n  section tools", '    rule kind """Be kind."""\n      check chars(reply) > 0\n  }\n  section tools'
)
NARROW = SHOP.replace("quantity: int = 1", "quantity: int")
UNSAFE = SHOP.replace("  effect read", "  effect irreversible")
WORDED = SHOP.replace("You are the host", "You are a host")
NAMED = SHOP.replace("tool get_quote(", 'tool get_quote named "quote" (')
MEANT = "# acknowledges narrowing: asked for"


def opened(text: str) -> Opened:
    compiled = compile_text(text, "s")
    assert compiled.core is not None and compiled.surface is not None
    return Opened("s", compiled.core, compiled.surface, compiled.spans, compiled.files)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SHOP, []),
        (WORDED, []),
        (NAMED, []),
        (version(WORDED, "1.0.1"), []),
        (POLICY, ["HD901"]),
        (version(POLICY, "1.0.1"), ["HD901"]),
        (version(POLICY, "0.9.0"), ["HD901"]),
        (version(SHOP, "0.9.0"), ["HD901"]),
        (version(WORDED, "0.9.0"), ["HD901"]),
        (version(NAMED, "1.0.0-rc.1"), ["HD901"]),
        (version(WORDED, "1.0.0+build.2"), []),
        (version(POLICY, "1.1.0"), []),
        (version(POLICY, "2.0.0"), []),
        (NARROW, ["HD901", "HD902"]),
        (version(NARROW, "1.1.0", MEANT), ["HD901"]),
        (version(NARROW, "2.0.0"), ["HD902"]),
        (version(NARROW, "2.0.0", MEANT), []),
        (version(NARROW, "2.0.0", "# acknowledges safety: x"), ["HD902"]),
        (version(NARROW, "2.0.0", "# acknowledges narrowing"), ["HD903"]),
        (version(UNSAFE, "2.0.0", MEANT), ["HD902"]),
        (version(UNSAFE, "2.0.0", "# acknowledges narrowing, safety: x"), []),
    ],
)
def test_the_version_rule(text: str, expected: list[str]) -> None:
    comparison = compare("s", opened(SHOP), opened(text))
    assert [found.code for found in findings(comparison)] == expected


def test_what_goes_in_with_a_note() -> None:
    assert notes(compare("s", opened(SHOP), opened(SHOP))) == []
    assert len(notes(compare("s", opened(SHOP), opened(NAMED)))) == 1
    assert len(notes(compare("s", opened(SHOP), opened(WORDED)))) == 2
    assert len(notes(compare("s", opened(SHOP), opened(version(WORDED, "1.0.1"))))) == 1


def test_the_next_version() -> None:
    assert [step("1.2.3", bump) for bump in (Bump.PATCH, Bump.MINOR, Bump.MAJOR)] == [
        "1.2.4",
        "1.3.0",
        "2.0.0",
    ]
    assert step("1.2.3-rc.1+b", Bump.MINOR) == "1.3.0"


@pytest.mark.parametrize(
    ("old", "new", "back"),
    [
        ("2.1.0", "1.9.0", True),
        ("1.10.0", "1.9.9", True),
        ("1.9.0", "1.10.0", False),
        ("1.0.0", "1.0.0", False),
        ("1.0.0", "1.0.0-rc.1", True),
        ("1.0.0-rc.1", "1.0.0", False),
        ("1.0.0-rc.2", "1.0.0-rc.10", False),
        ("1.0.0-rc.10", "1.0.0-rc.2", True),
        ("1.0.0-rc", "1.0.0-1", True),
        ("1.0.0-rc.1", "1.0.0-rc", True),
        ("1.0.0+b", "1.0.0+a", False),
        ("new", "0.1.0", False),
    ],
)
def test_which_version_comes_before(old: str, new: str, back: bool) -> None:
    assert went_back(old, new) == back


def test_a_version_that_went_back_is_said_to() -> None:
    reworded = compare("s", opened(version(SHOP, "2.1.0")), opened(version(WORDED, "1.9.0")))
    (found,) = findings(reworded)
    assert "the version goes back, 2.1.0 → 1.9.0" in found.message
    assert found.help is not None and found.help.startswith('Write "2.1.1".')
    assert [note for note in notes(reworded) if "patch" in note] == []
    assert "but it goes back" in verdict(reworded)
    same = compare("s", opened(version(SHOP, "2.1.0")), opened(version(SHOP, "1.9.0")))
    assert findings(same)[0].help.startswith('Write "2.1.0".')
    assert "no step is needed, but it goes back" in verdict(same)


@pytest.mark.parametrize(
    ("text", "suffices", "back", "allowed"),
    [
        (SHOP, True, False, True),
        (WORDED, False, False, True),
        (version(WORDED, "1.0.1"), True, False, True),
        (version(SHOP, "0.9.0"), True, True, False),
        (POLICY, False, False, False),
        (version(NARROW, "2.0.0"), True, False, False),
        (version(NARROW, "2.0.0", MEANT), True, False, True),
    ],
)
def test_what_is_allowed_is_what_the_rule_lets_in(
    text: str, suffices: bool, back: bool, allowed: bool
) -> None:
    said = one(compare("s", opened(SHOP), opened(text)))["verdict"]
    assert (said["version_suffices"], said["went_back"], said["allowed"]) == (suffices, back, allowed)
