"""What operators that rename have in common: where a name may change, and which names may be given there."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import ClassVar

from augmentors.base import Parameters, Preserving
from augmentors.index import Index, index
from augmentors.levels import Level
from augmentors.namer import is_legal, name_key, shown
from harness_dsl.ir.core import Core
from harness_dsl.ir.identity import ByIdentity
from harness_dsl.ir.ids import LOAD_SKILL, SemanticId, kind, leaf
from harness_dsl.ir.surface import Surface

_KEPT = 1 << 15

_Options = tuple[tuple[str, str], ...]
"""Names, each with its key."""


def may_rename(known: Index, surface: Surface, id_: SemanticId) -> bool:
    """Whether `id_` is seen, not frozen, not written out as code in prose, not mistakable for a free text."""
    return may_be_renamed(known, id_) and shown(surface, id_) not in known.mentions


def may_be_renamed(known: Index, id_: SemanticId) -> bool:
    """`may_rename`, as far as it does not depend on how `id_` is shown."""
    if id_ in known.unseen or id_ in known.ambiguous or id_ in known.frozen:
        return False
    return leaf(id_) not in known.mentions


@lru_cache(maxsize=1 << 16)
def key_of(name: str) -> str:
    """Names with one key could be taken for each other. What has no Latin letters is compared as it is."""
    return name_key(name) if name.isascii() else name


class _Standing:
    """What holds of the names of one Core under every Surface.

    space     the namespace of each symbol; "" for what can be called, whose names none may share anywhere
    declared  how many symbols of a namespace are declared under each key
    """

    def __init__(self, known: Index) -> None:
        self.callables = frozenset(known.callables)
        self.space = {
            id_: "" if id_ == LOAD_SKILL or kind(id_) in ("tool", "skill") else space
            for id_, space in known.space_of.items()
        }
        self.declared = {
            space: Counter(key_of(leaf(id_)) for id_ in ids) for space, ids in known.spaces.items()
        }

    def key(self, known: Index, id_: SemanticId, name: str) -> str:
        """The key of `name`; "" if `id_` may not be shown so, whatever else is shown."""
        space = self.space[id_]
        key = _legal_key(kind(id_) if space else "tool", name)
        if not key or name in known.mentions:
            return ""
        if not space:
            return "" if key in known.taken else key
        beside = self.declared[space].get(key, 0)
        if beside and beside > int(key == key_of(leaf(id_))):
            return ""
        rivals = known.rivals.get(id_, ())
        return "" if rivals and any(key == key_of(leaf(other)) for other in rivals) else key


@lru_cache(maxsize=1 << 16)
def _legal_key(role: str, name: str) -> str:
    return key_of(name) if is_legal(role, name) else ""


_standing: ByIdentity[_Standing] = ByIdentity(32)


class Names:
    """The names of one Surface, some of them new: no two can be taken for each other where they stand."""

    def __init__(self, known: Index, surface: Surface) -> None:
        self._given: dict[SemanticId, str] = {}
        self._known = known
        self._surface = surface
        self._standing = _standing.get(known, lambda: _Standing(known))
        self._callables = Counter(key_of(shown(surface, id_)) for id_ in known.callables)
        self._distractors = {key_of(tool.name) for tool in surface.distractors}
        self._spaces: dict[str, Counter[str]] = {}

    def shown(self, id_: SemanticId) -> str:
        """The name under which `id_` is shown now."""
        return self._given.get(id_) or self._surface.names.get(id_) or leaf(id_)

    def give(self, id_: SemanticId, name: str) -> None:
        """Show `id_` as `name` from now on."""
        old, new = key_of(self.shown(id_)), key_of(name)
        space = self._spaces.get(self._known.space_of.get(id_, ""))
        for shown_keys in (self._callables if id_ in self._standing.callables else None, space):
            if shown_keys is not None:
                shown_keys[old] -= 1
                shown_keys[new] += 1
        self._given[id_] = name

    def takes(self, id_: SemanticId, name: str) -> bool:
        """Whether `id_` may be shown as `name`, which is another than its name now."""
        key = self._standing.key(self._known, id_, name)
        return bool(key) and bool(self.free(id_, ((name, key),)))

    def free(self, id_: SemanticId, options: _Options) -> _Options:
        """Those of `options`, which fit `id_` as far as no Surface matters, that it takes under this one."""
        now, space = self.shown(id_), self._standing.space[id_]
        old, called = key_of(now), self._callables.get
        mine = int(id_ in self._standing.callables)
        beside = self._shown_in(space).get if space else None
        rivals = self._known.rivals.get(id_, ()) if space else ()
        free = []
        for name, key in options:
            own = key == old
            if name == now or called(key, 0) > (mine if own else 0):
                continue
            if beside is None:
                if key in self._distractors:
                    continue
            elif beside(key, 0) > own or (rivals and key in [key_of(self.shown(other)) for other in rivals]):
                continue
            free.append((name, key))
        return tuple(free)

    def _shown_in(self, space: str) -> Counter[str]:
        """How many symbols of a namespace are shown under each key."""
        found = self._spaces.get(space)
        if found is None:
            ids = self._known.spaces[space]
            found = self._spaces[space] = Counter([key_of(self.shown(id_)) for id_ in ids])
        return found

    def surface(self) -> Surface:
        """The Surface with the new names."""
        return self._surface.model_copy(update={"names": {**self._surface.names, **self._given}})


class Renaming(Preserving):
    """An operator that gives each of some symbols one of the names that it could have.

    reads_names  whether these depend on the name under which the symbol is shown
    """

    reads_names: ClassVar[bool] = True

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        self._kept: tuple[Index, Surface, dict[SemanticId, _Options]] | None = None
        self._looked_at: ByIdentity[tuple[SemanticId, ...]] = ByIdentity(32)
        self._options: ByIdentity[dict[tuple[SemanticId, str], _Options]] = ByIdentity(32)

    @abstractmethod
    def options(self, known: Index, id_: SemanticId, name: str) -> Sequence[str]:
        """Names that `id_`, which is shown as `name`, could have, free or not."""

    @abstractmethod
    def candidates(self, known: Index) -> Iterator[SemanticId]:
        """Symbols that it looks at, in a fixed order."""

    @property
    @abstractmethod
    def share(self) -> float:
        """How likely each symbol is renamed; at least one always is."""

    def taste(self, rng: Random) -> Callable[[Sequence[str]], Sequence[str]]:
        """Which of several names one variant prefers; never none."""
        return lambda names: names

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Symbols for which there is such a name."""
        known = index(core)
        return tuple(self._possible(known, surface, Names(known, surface)))

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` with other names."""
        known = index(core)
        names = Names(known, surface)
        possible = self._possible(known, surface, names)
        if not possible:
            return surface
        chosen = [id_ for id_ in possible if rng.random() < self.share] or [rng.choice([*possible])]
        taste = self.taste(rng)
        for id_ in chosen:
            free = [name for name, _ in names.free(id_, possible[id_])]
            if free:
                names.give(id_, rng.choice(taste(free)))
        return names.surface()

    def level_of(self, core: Core, before: Surface, after: Surface) -> Level:
        """`declared` if a symbol without description took a name that a bank vouches for."""
        known = index(core)
        for id_, name in after.names.items():
            stays = id_ in known.described or shown(before, id_) == name or id_.startswith("builtin/")
            if not stays and not known.meaning_stays(id_, name):
                return "declared"
        return self.level

    def _possible(self, known: Index, surface: Surface, names: Names) -> dict[SemanticId, _Options]:
        """By symbol, the names that it could take. Rows start from one Surface, so what it gives is
        kept. `names`: those of the Surface, none given yet.
        """
        kept = self._kept
        if kept is None or kept[0] is not known or kept[1] is not surface:
            remembered, given = self._options.get(known, dict), surface.names.get
            found = {}
            for id_ in self._looked_at.get(known, lambda: self._all(known)):
                now = given(id_) or leaf(id_)
                if now in known.mentions:
                    continue
                options = remembered.get((id_, now if self.reads_names else ""))
                if options is None:
                    options = self._fitting(known, id_, now, remembered)
                free = names.free(id_, options) if options else ()
                if free:
                    found[id_] = free
            kept = self._kept = (known, surface, found)
        return kept[2]

    def _all(self, known: Index) -> tuple[SemanticId, ...]:
        """The candidates that may have another name at all."""
        return tuple(id_ for id_ in self.candidates(known) if may_be_renamed(known, id_))

    def _fitting(
        self, known: Index, id_: SemanticId, now: str, remembered: dict[tuple[SemanticId, str], _Options]
    ) -> _Options:
        """The options of `id_`, each once, that some Surface could give it."""
        if len(remembered) >= _KEPT:
            remembered.clear()
        standing = _standing.get(known, lambda: _Standing(known))
        names = dict.fromkeys(self.options(known, id_, now))
        keys = ((name, standing.key(known, id_, name)) for name in names)
        found = tuple((name, key) for name, key in keys if key)
        remembered[id_, now if self.reads_names else ""] = found
        return found
