"""Names dealt out in advance, so that a row takes some without asking whether they are free.

A board gives every symbol names of its own: none that could be taken for one of another symbol. A row chooses
a board, turns its rings, and for other symbols chooses among a few names.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from augmentors.banks import Pool, WordPool
from augmentors.identifiers import Style, written
from augmentors.index import Index
from augmentors.namer import (
    Length,
    Parts,
    is_legal,
    is_styled,
    name_key,
    near_names,
    parts_of_names,
    shown,
)
from harness_dsl.ir.ids import SemanticId, kind
from harness_dsl.ir.surface import Surface

BOARDS = 128
"""How many there are of each manner."""

ROLES = ("tool", "skill", "param")
"""What any name will do for, where a description says the meaning."""

_KEPT = 8 * BOARDS


@dataclass(frozen=True)
class Wishes:
    """Whose words names are made of; the shares are those of the rename operator."""

    side: Pool
    words: WordPool
    related: float
    declared: float
    longer: float


@dataclass(frozen=True)
class Manner:
    """How the names of one variant are written."""

    style: Style
    pinyin: bool


@dataclass(frozen=True)
class Own:
    """Names for one symbol alone: taken when a number of 16 bits is below `chance`."""

    place: int
    chance: int
    names: Parts


@dataclass(frozen=True)
class Board:
    """rings  per role its names, and how many symbols take one; they come first
    near   for the symbols behind those, names of the same meaning; "" keeps the name
    own    symbols that may take a name of their own instead
    """

    rings: tuple[tuple[list[str], int], ...]
    near: tuple[Parts, ...]
    own: tuple[Own, ...]

    def names(self, numbers: Sequence[int]) -> list[str]:
        """A name for each symbol of the table, in their order."""
        at = len(self.rings)
        names: list[str] = []
        for (ring, count), number in zip(self.rings, numbers, strict=False):
            start = number % len(ring)
            names += ring[start : start + count]
            names += ring[: max(0, start + count - len(ring))]
        near = len(self.near)
        names += [
            options[number % len(options)]
            for options, number in zip(self.near, numbers[at : at + near], strict=True)
        ]
        for own, number in zip(self.own, numbers[at + near :], strict=False):
            if number < own.chance:
                names[own.place] = own.names[number % len(own.names)]
        return names


class Table:
    """The boards of one Surface.

    ids      symbols that can be named anew, in the order of `Board.names`
    by_role  those of them that any name will do for
    near     the others, with the names that they may take
    """

    def __init__(
        self, known: Index, surface: Surface, wishes: Wishes, candidates: Iterable[SemanticId]
    ) -> None:
        self.known = known
        self.surface = surface
        self.wishes = wishes
        asked = [*candidates]
        self.near = self._near([id_ for id_ in asked if id_ not in known.described])
        self.by_role = {
            role: tuple(id_ for id_ in asked if id_ in known.described and kind(id_) == role)
            for role in ROLES
        }
        self.ids = (*(id_ for ids in self.by_role.values() for id_ in ids), *self.near)
        self.places = {id_: place for place, id_ in enumerate(self.ids)}
        self.width = len(ROLES) + 2 * len(self.ids)
        """How many numbers a board takes at most."""
        self._pools: dict[tuple[str, Style, Length, Parts], tuple[str, ...]] = {}
        self._styled: dict[Style, dict[SemanticId, Parts]] = {}
        self._boards: OrderedDict[tuple[Manner, int], Board] = OrderedDict()

    def board(self, manner: Manner, number: int) -> Board:
        """Board `number`, dealt when it is first asked for."""
        from augmentors.dealing import Dealer

        key = manner, number
        found = self._boards.get(key)
        if found is None:
            found = self._boards[key] = Dealer(self, manner, number).board()
            if len(self._boards) > _KEPT:
                self._boards.popitem(last=False)
        return found

    def _near(self, ids: list[SemanticId]) -> dict[SemanticId, Parts]:
        """Names of the same meaning that are neither of a neighbour nor of anything that is called."""
        known, surface = self.known, self.surface
        called = {name_key(shown(surface, id_)) for id_ in known.callables}
        found: dict[SemanticId, Parts] = {}
        for id_ in ids:
            gone = called.union(name_key(shown(surface, other)) for other in known.beside(id_))
            options = [
                name
                for name in near_names(known, self.wishes.side, id_)
                if name_key(name) not in gone and name not in known.mentions
            ]
            if options:
                found[id_] = tuple(options)
        return found

    @cached_property
    def taken(self) -> frozenset[str]:
        """Keys of names that are not dealt: those of now, those in prose, and those with one meaning only."""
        names = (*self.surface.names.values(), *(tool.name for tool in self.surface.distractors))
        near = (name for options in self.near.values() for name in options)
        return self.known.taken | frozenset(map(name_key, (*names, *near)))

    @cached_property
    def contested(self) -> dict[SemanticId, frozenset[str]]:
        """By symbol, keys of near names that a neighbour could take, too."""
        keys = {id_: frozenset(map(name_key, options)) for id_, options in self.near.items()}
        found = {}
        for id_, mine in keys.items():
            others = [keys[other] for other in self.known.beside(id_) if other != id_ and other in keys]
            shared = mine & frozenset[str]().union(*others)
            if shared:
                found[id_] = shared
        return found

    def styled(self, style: Style) -> dict[SemanticId, Parts]:
        """The near names that are written in that style; all of a symbol that has none."""
        found = self._styled.get(style)
        if found is None:
            found = self._styled[style] = {
                id_: tuple(name for name in options if is_styled(name, style)) or options
                for id_, options in self.near.items()
            }
        return found

    @cached_property
    def declared(self) -> dict[SemanticId, Parts]:
        """Names that the author declares, as far as they are free."""
        found = {}
        for id_ in self.ids:
            mine = self.near.get(id_)
            free = [
                name
                for name in self.known.declared.get(id_, ())
                if (name_key(name) not in self.taken if mine is None else name in mine)
                and is_legal(kind(id_), name)
            ]
            if free:
                found[id_] = tuple(free)
        return found

    def pool(self, role: str, style: Style, length: Length, nouns: Parts) -> Sequence[str]:
        """The legal names of that length that are not taken, each once."""
        key = role, style, length, nouns
        found = self._pools.get(key)
        if found is None:
            every = parts_of_names(role, self.wishes.words, length, nouns)
            names = dict.fromkeys(written(tuple(dict.fromkeys(each)), style) for each in every)
            found = self._pools[key] = tuple(
                name for name in names if name_key(name) not in self.taken and is_legal(role, name)
            )
        return found
