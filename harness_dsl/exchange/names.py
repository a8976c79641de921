"""Identifiers for foreign names: legal in the language, and unique where they stand."""

import re
import unicodedata

from harness_dsl.syntax.checks.names import sanitised, usable

_RESERVED = frozenset({"fixed"})
"""The word that may stand before a parameter or field; every other keyword can be a name."""
_BUILT_IN = frozenset(
    {"string", "int", "decimal", "float", "bool", "date", "time", "datetime", "any", "map", "number"}
)


class Names:
    """Identifiers of one namespace. With `tools`, shown names also differ after targets' sanitising."""

    def __init__(self, tools: bool = False) -> None:
        self._tools = tools
        self._taken: set[str] = set()
        self._shown: set[str] = set()

    def identifier(self, name: str) -> str:
        """A new legal identifier that is `name` or reads like it."""
        return self._free(identifier(name), self._taken)

    def shown(self, name: str, otherwise: str) -> str:
        """`name` if a model can be shown it and nothing else has it, else a free name like `otherwise`."""
        chosen = unicodedata.normalize("NFC", name)
        if usable(chosen) and self._key(chosen) not in self._shown:
            self._shown.add(self._key(chosen))
            return chosen
        number, free = 1, otherwise
        while self._key(free) in self._shown:
            number += 1
            free = f"{otherwise}_{number}"
        self._shown.add(self._key(free))
        return free

    def _key(self, name: str) -> str:
        return sanitised(name) if self._tools else name

    def _free(self, name: str, taken: set[str]) -> str:
        number, free = 1, name
        while free in taken:
            number += 1
            free = f"{name}_{number}"
        taken.add(free)
        return free


def identifier(name: str) -> str:
    """`name` as a legal identifier (Unicode letters, digits and `_`), not yet unique."""
    plain = unicodedata.normalize("NFC", name)
    word = re.sub(r"\W+", "_", plain)
    if word != plain:
        word = word.strip("_")
    word = word[:120] or "unnamed"
    if word[0].isnumeric() or not re.match(r"[^\W\d]", word[0]):
        word = f"_{word}"
    return f"{word}_" if word in _RESERVED else word


def words(name: str) -> str:
    """`name` as words: `shop.getQuote_2` → `Shop get quote 2`; itself if it has none."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    found = [word if word.isupper() else word.lower() for word in re.split(r"[\W_]+", apart) if word]
    said = " ".join(found) or name
    return said[0].upper() + said[1:]


def type_name(*parts: str) -> str:
    """A name for a type, in capitals inside: `create_order`, `address` → `CreateOrderAddress`."""
    parted = [word for part in parts for word in re.split(r"[\W_]+", part) if word]
    name = "".join(word[0].upper() + word[1:] for word in parted)[:100] or "Unnamed"
    if name in _BUILT_IN:
        name = f"{name}_"
    return identifier(name)
