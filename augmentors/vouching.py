"""Whether a bank vouches that a name is another spelling of what a symbol is declared as."""

from functools import lru_cache

from augmentors.identifiers import only_words, words
from augmentors.index import Index
from augmentors.other_words import POOLS, abbreviations, translated
from harness_dsl.ir.ids import SemanticId, leaf


def vouches(known: Index, id_: SemanticId, name: str) -> bool:
    """Whether `name` abbreviates or translates what `id_` is declared as, and nothing beside it."""
    return spells(name, leaf(id_)) and not known.names_another(id_, name, spells)


@lru_cache(maxsize=1 << 16)
def spells(name: str, declared: str) -> bool:
    """Whether `name` is `declared`, with words abbreviated or as a whole in the other language."""
    return name == declared or _abbreviates(name, declared) or _translates(name, declared)


def _abbreviates(name: str, declared: str) -> bool:
    if not (only_words(name) and only_words(declared)):
        return False
    mine, theirs = words(name), words(declared)
    return len(mine) == len(theirs) and all(
        short == long or short in abbreviations().get(long, {}).values()
        for short, long in zip(mine, theirs, strict=True)
    )


def _translates(name: str, declared: str) -> bool:
    return any(name in translated(declared, pool, in_characters=True) for pool in POOLS)
