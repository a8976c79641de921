"""All names that the shipped words can make for a symbol, numbered: most names of a variant are one of them.

Nothing here draws or judges a name. A row stores a number instead of a name where it can; whoever reads the
row needs the same words, and the digest of the Surface tells whether they are.
"""

from functools import cache
from typing import NamedTuple

from augmentors.banks import Pool, WordPool, word_pool
from augmentors.identifiers import Style, written
from augmentors.index import Index
from augmentors.namer import STYLES, near_names
from harness_dsl.ir.ids import SemanticId, kind, leaf
from harness_dsl.ir.surface import Surface

Names = tuple[str, ...]


class Manner(NamedTuple):
    """Whose words names are made of, and how they are written."""

    pool: Pool
    style: Style


MANNERS = tuple(
    Manner(pool, style) for pool in ("train", "held-out") for style in ("snake", "camel", "kebab")
)


class NameSpace:
    """The numbered names of the symbols of one harness in one manner."""

    def __init__(self, known: Index, baseline: Surface, manner: Manner) -> None:
        self._known = known
        self._baseline = baseline
        self._manner = manner
        self._own: dict[SemanticId, Names] = {}
        self._places: dict[SemanticId, dict[str, int]] = {}

    def size(self, id_: SemanticId) -> int:
        """How many names `id_` could have."""
        return len(self._names(id_)) + len(self._common(id_))

    def number(self, id_: SemanticId, name: str) -> int | None:
        """The number of `name`, if it is one of these."""
        places = self._places.get(id_)
        if places is None:
            places = self._places[id_] = {own: at for at, own in reversed([*enumerate(self._names(id_))])}
        at = places.get(name)
        if at is not None:
            return at
        at = _place(self._key(id_)).get(name)
        return None if at is None else len(self._names(id_)) + at

    def name(self, id_: SemanticId, number: int) -> str:
        """The name of that number, which must be below `size`."""
        own = self._names(id_)
        return own[number] if number < len(own) else self._common(id_)[number - len(own)]

    def longer(self, id_: SemanticId) -> Names:
        """Names with one word more, which are drawn where the others are taken."""
        return _longer(*self._key(id_))

    def longer_number(self, id_: SemanticId, name: str) -> int | None:
        """The number of `name` among the longer ones."""
        return _longer_place(self._key(id_)).get(name)

    def _names(self, id_: SemanticId) -> Names:
        """Names of this very symbol: declared ones, those that its neighbours have, or those that mean what
        it is declared as.
        """
        found = self._own.get(id_)
        if found is None:
            known = self._known
            if id_ in known.described:
                given = self._baseline.names
                beside = (given.get(other) or leaf(other) for other in known.beside(id_))
                found = tuple(dict.fromkeys((*known.declared.get(id_, ()), *beside)))
            else:
                found = near_names(known, self._manner.pool, id_) if kind(id_) in STYLES else ()
            self._own[id_] = found
        return found

    def _common(self, id_: SemanticId) -> Names:
        return _built(*self._key(id_))

    def _key(self, id_: SemanticId) -> "_Key":
        role = kind(id_) if id_ in self._known.described else ""
        style = self._manner.style if self._manner.style in STYLES.get(role, ()) else "snake"
        cluster = self._known.related.get(id_)
        return _Key(
            role, self._manner.pool, style, () if cluster is None else cluster.drawn(self._manner.pool)
        )


class _Key(NamedTuple):
    role: str
    pool: Pool
    style: Style
    more: Names


@cache
def _place(key: _Key) -> dict[str, int]:
    return {name: at for at, name in reversed([*enumerate(_built(*key))])}


@cache
def _longer_place(key: _Key) -> dict[str, int]:
    return {name: at for at, name in reversed([*enumerate(_longer(*key))])}


@cache
def _built(role: str, pool: Pool, style: Style, more: Names) -> Names:
    """Every name that the words of a pool make for a role."""
    words = word_pool(pool)
    parts = _parts(role, words, (*words.nouns, *more))
    return tuple(dict.fromkeys(written(tuple(dict.fromkeys(each)), style) for each in parts))


@cache
def _longer(role: str, pool: Pool, style: Style, more: Names) -> Names:
    words = word_pool(pool)
    parts = _parts(role, words, (*words.nouns, *more))
    return tuple(
        dict.fromkeys(written((*dict.fromkeys(each), noun), style) for each in parts for noun in words.nouns)
    )


def _parts(role: str, words: WordPool, nouns: Names) -> list[Names]:
    if role == "param":
        heads: list[Names] = [(word,) for word in words.params]
        return heads + [(word, tail) for word in words.params for tail in words.param_tails]
    if role == "skill":
        pairs: list[Names] = [(verb, noun) for verb in words.skill_verbs for noun in nouns]
        return pairs + [(*pair, tail) for pair in pairs for tail in words.skill_tails]
    if role == "tool":
        named: list[Names] = [(verb, noun) for verb in words.verbs for noun in nouns]
        return named + [(verb, noun) for verb in words.pinyin_verbs for noun in words.pinyin_nouns]
    return []
