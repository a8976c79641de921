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
        self._entries: dict[SemanticId, Entry] = {}
        self._table: tuple[Names, list[tuple[SemanticId, Entry]]] | None = None

    def entry(self, id_: SemanticId) -> "Entry":
        """The names that `id_` could have."""
        found = self._entries.get(id_)
        if found is None:
            own, key = self._names(id_), self._key(id_)
            places = {name: at for at, name in reversed([*enumerate(own)])}
            common = _built(*key)
            found = self._entries[id_] = Entry(len(own) + len(common), own, places, common, _place(key))
        return found

    def table(self, ids: Names) -> list[tuple[SemanticId, "Entry"]]:
        """The names that each of `ids` could have."""
        if self._table is None or self._table[0] is not ids:
            self._table = (ids, [(id_, self.entry(id_)) for id_ in ids])
        return self._table[1]

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
        known = self._known
        if id_ not in known.described:
            return near_names(known, self._manner.pool, id_) if kind(id_) in STYLES else ()
        given = self._baseline.names
        beside = (given.get(other) or leaf(other) for other in known.beside(id_))
        return tuple(dict.fromkeys((*known.declared.get(id_, ()), *beside)))

    def _key(self, id_: SemanticId) -> "_Key":
        role = kind(id_) if id_ in self._known.described else ""
        style = self._manner.style if self._manner.style in STYLES.get(role, ()) else "snake"
        cluster = self._known.related.get(id_)
        return _Key(
            role, self._manner.pool, style, () if cluster is None else cluster.drawn(self._manner.pool)
        )


class Entry(NamedTuple):
    """`own` names come first, then those that any symbol of the role could have."""

    size: int
    own: Names
    own_places: dict[str, int]
    common: Names
    common_places: dict[str, int]

    def number(self, name: str) -> int | None:
        """The number of `name`, if it is one of these."""
        at = self.own_places.get(name)
        if at is not None:
            return at
        at = self.common_places.get(name)
        return None if at is None else len(self.own) + at

    def name(self, number: int) -> str:
        """The name of that number, which must be below `size`."""
        own = self.own
        return own[number] if number < len(own) else self.common[number - len(own)]


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
