"""Texts that say nearly the same, found without comparing all with all.

A text is the set of its 5-grams of characters. Those with the smallest hashes stand for it: texts that have
most 5-grams in common have some of these in common too, and only such texts are compared.
"""

import unicodedata
import zlib
from collections.abc import Iterator
from heapq import nsmallest

SHORTEST = 12
"""Characters; greetings and the like are the same everywhere."""
_GRAM = 5
_KEYS = 12
_LONGEST = 4000
_MOST = 500


def normal(text: str) -> str:
    """`text` without what does not matter: width, case, white space and punctuation."""
    folded = unicodedata.normalize("NFKC", text[:_LONGEST]).casefold()
    return "".join(char for char in folded if char.isalnum())


def grams(text: str) -> frozenset[str]:
    """The 5-grams of a normalised text."""
    return frozenset(text[at : at + _GRAM] for at in range(max(1, len(text) - _GRAM + 1)))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of 5-grams that both have among all that either has."""
    return len(one & other) / max(1, len(one | other))


class Near:
    """Texts with a number each. What it keeps grows with the number of different texts."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._texts: list[str] = []
        self._of_key: dict[int, list[int]] = {}

    def add(self, text: str, number: int) -> None:
        """Keep `text` under `number`; of equal texts the first."""
        plain = normal(text)
        if len(plain) < SHORTEST or plain in self._numbers:
            return
        self._numbers[plain] = number
        for key in _keys(plain):
            found = self._of_key.setdefault(key, [])
            # A part of so many texts tells them apart no longer.
            if len(found) < _MOST:
                found.append(len(self._texts))
        self._texts.append(plain)

    def like(self, text: str, least: float) -> tuple[int, float] | None:
        """The number of the text that is most like `text`, and how much, if that is at least `least`."""
        plain = normal(text)
        if len(plain) < SHORTEST:
            return None
        if plain in self._numbers:
            return self._numbers[plain], 1.0
        own = grams(plain)
        # Of texts that differ too much in length, one has too many 5-grams that the other lacks.
        alike = (at for at in self._near(plain) if _ratio(len(self._texts[at]), len(plain)) > least / 2)
        best = max(((overlap(own, grams(self._texts[at])), -at) for at in alike), default=None)
        if best is None or best[0] < least:
            return None
        return self._numbers[self._texts[-best[1]]], best[0]

    def _near(self, plain: str) -> Iterator[int]:
        seen: set[int] = set()
        for key in _keys(plain):
            for at in self._of_key.get(key, ()):
                if at not in seen:
                    seen.add(at)
                    yield at


def _ratio(one: int, other: int) -> float:
    return min(one, other) / max(one, other)


def _keys(plain: str) -> list[int]:
    return nsmallest(_KEYS, {zlib.crc32(gram.encode()) for gram in grams(plain)})
