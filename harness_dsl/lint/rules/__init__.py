"""One rule a file, called like the diagnostic: `bare-name` is `BareName` in `bare_name.py`.

`harnessc check` loads those that look for something themselves, and no documentation of the others.
"""

from functools import cache
from importlib import import_module

from harness_dsl.diagnostics.codes import CODES
from harness_dsl.lint.rule import Rule

CHECKING = (
    "HD207",
    "HD209",
    "HD218",
    "HD219",
    "HD310",
    "HD406",
    "HD411",
    "HD505",
    "HD507",
    "HD508",
    "HD703",
    "HD706",
    "HD707",
    "HD708",
    "HD709",
    "HD805",
    "HD806",
)
"""The codes whose rule has a check of its own."""


@cache
def checking() -> tuple[Rule, ...]:
    """The rules that find more than the analysis does, in the order of their codes."""
    return tuple(map(rule_of, CHECKING))


@cache
def every() -> tuple[Rule, ...]:
    """A rule for each code, in the order of the codes."""
    return tuple(map(rule_of, sorted(CODES)))


def rule_of(code: str) -> Rule:
    """The rule of a diagnostic code. Raises `KeyError`."""
    name = CODES[code].name
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    rule: Rule = getattr(module, "".join(map(str.capitalize, name.split("-"))))()
    return rule
