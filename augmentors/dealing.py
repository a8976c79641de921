"""Deals one board of names: what one symbol got is used, and goes to nobody else."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import count as numbers_from
from itertools import cycle, islice

from augmentors.banks import Cluster
from augmentors.boards import Board, Manner, Own, Table
from augmentors.chance import Stream
from augmentors.namer import Length, Parts, is_styled, name_key, style_of
from harness_dsl.ir.ids import SemanticId

_RING = 16
"""A ring has at least so many names, where there are as many."""
_OWN = 8
"""At most so many names of near meaning are for one symbol."""
_SLOTS = 32
_ALL = 1 << 16


class Dealer:
    """Deals board `number` of a manner: always the same one for the same table."""

    def __init__(self, table: Table, manner: Manner, number: int) -> None:
        self._table = table
        self._manner = manner
        self._rng = Stream(f"{manner.style}/{manner.pinyin}/{number}".encode())
        self._used: set[str] = set()

    def board(self) -> Board:
        """The board."""
        near = self._near()
        declared = self._declared(near)
        related: dict[SemanticId, Parts] = {}
        for role in ("tool", "skill"):
            related |= self._related(role)
        rings = tuple(
            (self._ring(role, len(ids)), len(ids)) for role, ids in self._table.by_role.items() if ids
        )
        own = [
            self._own(id_, declared.get(id_, ()), related.get(id_, ()))
            for id_ in self._table.ids
            if id_ in declared or id_ in related
        ]
        return Board(rings, tuple(near[id_] for id_ in self._table.near), tuple(own))

    def _near(self) -> dict[SemanticId, Parts]:
        """For symbols that keep to one meaning, the names in the style, else any; "" if none is left."""
        style = self._manner.style
        return self._table.styled(style) | {
            id_: tuple(name for name in options if is_styled(name, style)) or options or ("",)
            for id_, options in self._dealt().items()
        }

    def _dealt(self) -> dict[SemanticId, Parts]:
        """What two neighbours could take is dealt to one of them."""
        table = self._table
        owners: dict[str, list[SemanticId]] = defaultdict(list)
        found = {}
        for id_ in self._rng.sample([*table.contested], len(table.contested)):
            beside, lost = table.known.beside(id_), set()
            for key in sorted(table.contested[id_]):
                if any(owner in beside for owner in owners[key]):
                    lost.add(key)
                else:
                    owners[key].append(id_)
            found[id_] = tuple(name for name in table.near[id_] if name_key(name) not in lost)
        return found

    def _declared(self, near: dict[SemanticId, Parts]) -> dict[SemanticId, Parts]:
        """Names that their author declares; one that is declared for several goes to one of them."""
        table, found = self._table, {}
        if not table.wishes.declared:
            return {}
        for id_ in self._rng.sample([*table.declared], len(table.declared)):
            mine = near.get(id_)
            names = table.declared[id_]
            if mine is None:
                names = tuple(name for name in names if name_key(name) not in self._used)
                self._used.update(map(name_key, names))
            else:
                names = tuple(name for name in names if name in mine)
            if names:
                found[id_] = names
        return found

    def _related(self, role: str) -> dict[SemanticId, Parts]:
        """Names with a word of near meaning, for tools and skills with a topic; each takes its share."""
        table, wishes = self._table, self._table.wishes
        if not wishes.related or (role == "tool" and self._manner.pinyin):
            return {}
        together: dict[Parts, list[SemanticId]] = defaultdict(list)
        for id_ in table.by_role[role]:
            cluster: Cluster | None = table.known.related.get(id_)
            if cluster is not None:
                together[cluster.drawn(wishes.side)].append(id_)
        found = {}
        for nouns, ids in together.items():
            names = self._mixed(role, nouns)
            style = style_of(role, self._manner.style)
            share = min(_OWN, len(table.pool(role, style, "short", nouns)) // len(ids))
            for id_ in ids:
                dealt = tuple(islice(names, share))
                if dealt:
                    found[id_] = dealt
        return found

    def _own(self, id_: SemanticId, declared: Parts, related: Parts) -> Own:
        """Declared names first, then those of near meaning, each as often as is wished."""
        wishes = self._table.wishes
        first = wishes.declared if declared else 0.0
        second = (1 - first) * wishes.related if related else 0.0
        names = declared or related
        if declared and related:
            slots = round(_SLOTS * first / (first + second))
            names = (*islice(cycle(declared), slots), *islice(cycle(related), _SLOTS - slots))
        return Own(self._table.places[id_], round(_ALL * (first + second)), names)

    def _ring(self, role: str, count: int) -> list[str]:
        """At least `count` names that nobody else has."""
        words = self._table.wishes.words
        names = self._mixed(role, words.nouns)
        ring = [*islice(names, max(count, _RING))]
        if len(ring) < count:
            ring += islice(self._further(role, ring), count - len(ring))
        return ring

    def _mixed(self, role: str, nouns: Parts) -> Iterator[str]:
        """Unused names in random order, a longer one as often as is wished, until there is none left."""
        longer = self._table.wishes.longer
        is_pinyin = role == "tool" and self._manner.pinyin
        short = self._shuffled(role, "pinyin" if is_pinyin else "short", nouns)
        long = self._shuffled(role, "long", nouns)
        while True:
            first, second = (long, short) if self._rng.random() < longer else (short, long)
            name = next(first, None) or next(second, None)
            if name is None:
                return
            yield name

    def _further(self, role: str, ring: list[str]) -> Iterator[str]:
        """Names for a harness with more symbols than there are names: with one noun more, then numbered."""
        yield from self._shuffled(role, "longest", self._table.wishes.words.nouns)
        for number in numbers_from(2):
            for name in ring or ["name"]:
                numbered = f"{name}_{number}"
                if self._is_unused(numbered):
                    yield numbered

    def _shuffled(self, role: str, length: Length, nouns: Parts) -> Iterator[str]:
        """The unused names of a pool in random order, each drawn when it is asked for."""
        left = [*self._table.pool(role, style_of(role, self._manner.style), length, nouns)]
        below = self._rng.below
        for count in range(len(left), 0, -1):
            at = below(count)
            name, left[at] = left[at], left[count - 1]
            if self._is_unused(name):
                yield name

    def _is_unused(self, name: str) -> bool:
        """Whether nobody has `name`; from now on somebody does."""
        key = name_key(name)
        if key in self._used or key in self._table.taken:
            return False
        self._used.add(key)
        return True
