"""A short text that fits a type of text with a pattern or a format."""

import re._constants as sre  # type: ignore[import-not-found]  # typeshed leaves it out
import re._parser as sre_parser  # type: ignore[import-not-found]  # the same
from collections.abc import Iterator
from itertools import product
from typing import Any

from harness_dsl.ir.matching import found
from harness_dsl.ir.types import StringType

FORMATS = {
    "email": "x@example.org",
    "hostname": "example.org",
    "uri": "https://example.org/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
CHARACTERS = "x1X aA0-_.,:/@#+中" + "".join(map(chr, range(0x21, 0x7F)))
"""Which character stands for a class: the first that is in it."""
LONGEST = 2000
MORE = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89)
"""Repetitions are tried at their least number, and at so many more."""
BRANCHES = 4
"""So many options of `|` are tried."""


def words(type_: StringType) -> Iterator[str]:
    """Texts of which the first that is a `type_` is its sample; maybe none is."""
    if type_.format in FORMATS:
        yield FORMATS[type_.format]
    least, most = type_.min_length or 0, type_.max_length
    if type_.pattern is None:
        yield "x" * max(least, 0 if most == 0 else 1)
        return
    tree = sre_parser.parse(type_.pattern)
    for branch, more in product(range(BRANCHES), MORE):
        word = _Writer(branch, more).sequence(tree)
        for padded in (word, word.ljust(least, "x"), word.rjust(least, "x")):
            if least <= len(padded) <= (LONGEST if most is None else most) and found(type_.pattern, padded):
                yield padded


class _Writer:
    """Writes out a parsed pattern, each repetition `more` than its least number, each `|` by one option."""

    def __init__(self, branch: int, more: int) -> None:
        self._branch = branch
        self._more = more

    def sequence(self, items: Any) -> str:
        text = ""
        for operator, argument in items:
            text += self._item(operator, argument)
            if len(text) > LONGEST:
                break
        return text

    def _item(self, operator: object, argument: Any) -> str:
        if operator is sre.LITERAL:
            return chr(argument)
        if operator is sre.ANY:
            return "x"
        if operator is sre.NOT_LITERAL:
            return next(char for char in CHARACTERS if ord(char) != argument)
        if operator is sre.IN:
            return _member(argument)
        if operator is sre.SUBPATTERN:
            return self.sequence(argument[-1])
        if operator is sre.BRANCH:
            options = argument[1]
            return self.sequence(options[min(self._branch, len(options) - 1)])
        if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            least, most, part = argument
            repeated: int = min(least + self._more, int(most), LONGEST)
            return self.sequence(part) * repeated
        return ""  # a place, such as the beginning; whether the text is right there, `words` tries


def _member(items: Any) -> str:
    """A character of a class, or nothing if none of the usual ones is in it."""
    negated = items[0][0] is sre.NEGATE
    named = [chr(argument) for operator, argument in items if operator is sre.LITERAL]
    named += [chr(argument[0]) for operator, argument in items if operator is sre.RANGE]
    usual = CHARACTERS if negated else [*CHARACTERS, *named]
    return next((char for char in usual if any(_is_in(char, item) for item in items) != negated), "")


def _is_in(char: str, item: Any) -> bool:
    operator, argument = item
    if operator is sre.LITERAL:
        return char == chr(argument)
    if operator is sre.RANGE:
        return chr(argument[0]) <= char <= chr(argument[1])
    if operator is sre.CATEGORY:
        return found(_CATEGORIES[argument], char)
    return False


_CATEGORIES = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}
