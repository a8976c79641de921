"""The version rule, on two texts."""

import pytest

from harness_dsl.history.comparison import compare
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
