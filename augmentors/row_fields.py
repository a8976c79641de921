"""What the fields of a short row are, so that damage is said by the name of the field.

Whether they say a variant of the harness is asked by those who read them.
"""

from collections.abc import Callable
from typing import Any

from augmentors.certificates import BadRow
from augmentors.codebook import Codebook, bank, wordings
from augmentors.levels import STRENGTH
from augmentors.name_space import MANNERS
from augmentors.near_duplicates import RECIPES
from augmentors.observations import KNOWN
from harness_dsl.ir.builtins import LOAD_SKILL_DESCRIPTION

_WORDS: dict[type, str] = {str: "a text", dict: "an object", list: "a list"}
_NEEDED = ("by", "seed", "row", "core", "surface", "level")
_TYPES: dict[str, type] = {
    **dict.fromkeys(("v", "by", "core", "surface", "ops", "claims", "level", "wordings_of"), str),
    **dict.fromkeys(("names", "orders", "wordings", "hidden", "bank", "settings"), str),
    **dict.fromkeys(("changed", "parameters", "limits", "whole", "lineage"), dict),
    **dict.fromkeys(("other_claims", "refactorings", "faults", "needs"), list),
    **dict.fromkeys(("other_names", "distractors"), list),
}
_NUMBERS = ("seed", "row", "draws", "manner", "loader")
_OTHERS = ("markup", "tool_docs", "call_syntax", "implementations", "messages")
_FIELDS = frozenset((*_TYPES, *_NUMBERS, *_OTHERS))
"""Every field of a row; what `_OTHERS` hold is looked at by those who read it."""


def check_fields(data: dict[str, Any], book: Codebook) -> None:
    """Raises `BadRow` for the first field that is missing, not known, of another type, or out of range."""
    for name in _NEEDED:
        if name not in data:
            raise BadRow(f"`{name}` is missing")
    for name, value in data.items():
        if name not in _FIELDS:
            raise BadRow(f"`{name}` is no field of a row")
        wanted = _TYPES.get(name)
        if wanted is not None and not isinstance(value, wanted):
            raise BadRow(f"`{name}`: {_WORDS[wanted]} is expected")
        if name in _NUMBERS and type(value) is not int:
            raise BadRow(f"`{name}`: an integer is expected")
        check = _RANGES.get(name)
        if check is not None and not check(value, book):
            raise BadRow(f"`{name}`: there is no such value")


def check_distractors(data: dict[str, Any], shaped: Codebook) -> None:
    """Raises `BadRow` for a number of a distractor that there is none of. `shaped`: the book of the harness
    as the row has refactored it.
    """
    if not all(_is_distractor(one, shaped) for one in data.get("distractors", ())):
        raise BadRow("`distractors`: there is no such value")


def _is_below(value: Any, size: int) -> bool:
    return type(value) is int and 0 <= value < size


def _are_needs(value: list[Any], book: Codebook) -> bool:
    """Needs are numbers of symbols, or symbols that have none."""
    return all(isinstance(one, str) or _is_below(one, len(book.ids)) for one in value)


def _is_distractor(entry: Any, book: Codebook) -> bool:
    """A number of the bank, the numbers of a tool and a recipe, or a tool written out."""
    if isinstance(entry, list):
        sizes = (len(book.core.tools), len(RECIPES))
        return len(entry) == len(sizes) and all(map(_is_below, entry, sizes))
    return isinstance(entry, dict) or _is_below(entry, len(bank().tools))


_RANGES: dict[str, Callable[[Any, Codebook], bool]] = {
    "row": lambda value, _: value >= 0,
    "draws": lambda value, _: value >= 1,
    "level": lambda value, _: value in STRENGTH,
    "claims": lambda value, _: all(one in "0123456789"[: len(KNOWN)] for one in value),
    "manner": lambda value, _: _is_below(value, len(MANNERS)),
    "loader": lambda value, _: _is_below(value, len(wordings(LOAD_SKILL_DESCRIPTION))),
    "needs": _are_needs,
}
