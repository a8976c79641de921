"""One rule a file, called like the diagnostic: `bare-name` is `BareName` in `bare_name.py`.

`harnessc check` loads those that look for something themselves, and no documentation of the others.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from harness_dsl.diagnostics.codes import CODES
from harness_dsl.lint.rule import Rule

if TYPE_CHECKING:
    from harness_dsl.syntax.analysis import Analysis

CHECKING: dict[str, tuple[str, ...]] = {
    "HD207": (),
    "HD209": ("inputs",),
    "HD218": ("limits",),
    "HD219": ("linked",),
    "HD310": (),
    "HD406": ("tools", "skills"),
    "HD411": ("alternatives",),
    "HD505": ("sections",),
    "HD507": ("tools", "hooks"),
    "HD508": ("tools",),
    "HD509": ("hooks",),
    "HD602": ("inputs",),
    "HD703": (),
    "HD706": ("inputs",),
    "HD707": ("alternatives",),
    "HD708": ("tools", "skills"),
    "HD709": ("tools", "skills"),
    "HD805": ("tests",),
    "HD806": ("tests",),
}
"""The codes whose rule has a check of its own. It is not even loaded for a file that has none of these parts:
tables of its `Symbols`, or modules that it is `linked` with.
"""

_loaded: dict[str, Rule] = {}


def checking(analysis: "Analysis") -> Iterator[Rule]:
    """The rules that may find more in a file than the analysis did, in the order of their codes."""
    symbols = analysis.symbols
    for code, parts in CHECKING.items():
        if not parts or any(getattr(symbols, part, None) or getattr(analysis, part, None) for part in parts):
            if code not in _loaded:
                _loaded[code] = rule_of(code)
            yield _loaded[code]


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
