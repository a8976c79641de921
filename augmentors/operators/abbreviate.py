"""Names with abbreviated words.

    get_quote(link_id, quantity)  →  get_qt(link_id, qty)

No run can tell the two apart: calls, results and mentions are stored by semantic id. Where nothing but the
name tells what a symbol means, only abbreviations of the bank are used, which everybody writes so; elsewhere
words are also shortened by rule, in training by leaving out vowels, in evaluation by cutting them off.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import ClassVar, Literal

from pydantic import Field

from augmentors import observations
from augmentors.banks import Pool
from augmentors.base import Law, Parameters
from augmentors.identifiers import Style, only_words, words, written
from augmentors.index import Index
from augmentors.levels import Level
from augmentors.other_words import abbreviations, shipped_abbreviations
from augmentors.renaming import Renaming
from augmentors.vouching import vouches
from harness_dsl.ir.ids import SemanticId, kind, leaf

_RULED = range(5, 10)
"""Lengths of words that a rule shortens: of longer ones it leaves too little to be read."""
_WORDS = 4
_INNER_VOWEL = re.compile("(?<=.)[aeiou]")
_CUT = re.compile("(.[^aeiou]*[aeiou]+[^aeiou])(?=.)")
_LATER_CUT = re.compile("(.[^aeiou]*[aeiou]+[^aeiou]+[aeiou]+[^aeiou])(?=.)")
_TWO_SYLLABLES = 8


class AbbreviateParameters(Parameters):
    """pool   whose abbreviations are used
    kinds  which kinds of symbols are renamed
    share  how likely each of them is renamed; at least one always is
    """

    pool: Pool = "train"
    kinds: tuple[Literal["skill", "tool", "param", "value", "field"], ...] = (
        "skill",
        "tool",
        "param",
        "value",
        "field",
    )
    share: float = Field(default=0.8, gt=0, le=1)


class Abbreviate(Renaming):
    """Shortens words in the names of skills, tools, parameters, enum values and result fields."""

    name: ClassVar[str] = "abbreviate"
    family: ClassVar[str] = "naming"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.ALL
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "one abbreviation for two symbols of a namespace",
        "accepted": "a word cut by rule where nothing but the name says what is meant",
        "frozen": "another name for a symbol that is `fixed`",
    }
    parameters_model: ClassVar[type[Parameters]] = AbbreviateParameters
    parameters: AbbreviateParameters

    @property
    def share(self) -> float:
        return self.parameters.share

    def candidates(self, known: Index) -> Iterator[SemanticId]:
        kinds = frozenset(self.parameters.kinds)
        return (id_ for id_ in known.space_of if kind(id_) in kinds)

    def options(self, known: Index, id_: SemanticId, name: str) -> list[str]:
        described = id_ in known.described
        if not (described or name == leaf(id_)) or not only_words(name) or not name.isascii():
            return []
        parts, style = words(name), _style(name)
        short = [shortened(word, self.parameters.pool, by_rule=described) for word in parts]
        if len(parts) > _WORDS or not any(short):
            return []
        each = [(word, other) if other else (word,) for word, other in zip(parts, short, strict=True)]
        names = [written(chosen, style) for chosen in product(*each) if chosen != parts]
        return names if described else [name for name in names if vouches(known, id_, name)]


def shortened(word: str, pool: Pool, *, by_rule: bool) -> str:
    """The abbreviation of a lower-case word; "" if it has none."""
    known = abbreviations().get(word)
    if known is not None:
        return known[pool]
    if not by_rule or len(word) not in _RULED or not word.isalpha():
        return ""
    short = _without_vowels(word) if pool == "train" else _cut(word)
    other: Pool = "held-out" if pool == "train" else "train"
    return "" if short in shipped_abbreviations(other) else short


def _without_vowels(word: str) -> str:
    short = _INNER_VOWEL.sub("", word)
    return short if 2 <= len(short) <= len(word) - 2 else ""


def _cut(word: str) -> str:
    found = (_LATER_CUT if len(word) >= _TWO_SYLLABLES else _CUT).match(word)
    return found[1] if found is not None and 3 <= len(found[1]) <= len(word) - 2 else ""


def _style(name: str) -> Style:
    if "_" in name:
        return "snake"
    return "kebab" if "-" in name else "camel"
