"""What operators that rename have in common: where a name may change, and which names may be given there."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random

from augmentors.base import Parameters, Preserving
from augmentors.index import Index, index
from augmentors.levels import Level
from augmentors.namer import is_legal, name_key, shown
from harness_dsl.ir.core import Core
from harness_dsl.ir.identity import ByIdentity
from harness_dsl.ir.ids import LOAD_SKILL, SemanticId, kind, leaf
from harness_dsl.ir.surface import Surface

_KEPT = 1 << 15

_Options = dict[SemanticId, tuple[str, ...]]


def may_rename(known: Index, surface: Surface, id_: SemanticId) -> bool:
    """Whether `id_` is seen, not frozen, not written out as code in prose, not mistakable for a free text."""
    return may_be_renamed(known, id_) and shown(surface, id_) not in known.mentions


def may_be_renamed(known: Index, id_: SemanticId) -> bool:
    """`may_rename`, as far as it does not depend on how `id_` is shown."""
    if id_ in known.unseen or id_ in known.ambiguous or id_ in known.frozen:
        return False
    return leaf(id_) not in known.mentions


def key_of(name: str) -> str:
    """Names with one key could be taken for each other. What has no Latin letters is compared as it is."""
    return name_key(name) if name.isascii() else name


class _Standing:
    """What holds of the names of one Core under every Surface: the keys of declared names by namespace, and
    what operators found out about single names.
    """

    def __init__(self, known: Index) -> None:
        self.callables = frozenset(known.callables)
        self.declared = {
            space: Counter(key_of(leaf(id_)) for id_ in ids) for space, ids in known.spaces.items()
        }
        self._fitting: dict[tuple[SemanticId, str], str] = {}

    def key(self, known: Index, id_: SemanticId, name: str) -> str:
        """The key of `name`; "" if `id_` may not be shown so, whatever else is shown."""
        found = self._fitting.get((id_, name))
        if found is None:
            if len(self._fitting) >= _KEPT:
                self._fitting.clear()
            found = self._fitting[id_, name] = self._key(known, id_, name)
        return found

    def _key(self, known: Index, id_: SemanticId, name: str) -> str:
        role = "tool" if id_ == LOAD_SKILL else kind(id_)
        if not is_legal(role, name) or name in known.mentions:
            return ""
        key = key_of(name)
        if role in ("tool", "skill"):
            return "" if key in known.taken else key
        beside = self.declared[known.space_of[id_]][key] - int(key == key_of(leaf(id_)))
        rivals = known.rivals.get(id_, ())
        return "" if beside > 0 or any(key == key_of(leaf(other)) for other in rivals) else key


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
        if not key:
            return False
        now = self.shown(id_)
        if name == now:
            return False
        own = key == key_of(now)
        called = self._callables.get(key, 0)
        if called and called > int(own and id_ in self._standing.callables):
            return False
        if id_ == LOAD_SKILL or kind(id_) in ("tool", "skill"):
            return key not in self._distractors
        if self._shown_in(self._known.space_of[id_]).get(key, 0) > int(own):
            return False
        return all(key != key_of(self.shown(other)) for other in self._known.rivals.get(id_, ()))

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
    """An operator that gives each of some symbols one of the names that it could have."""

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        self._kept: tuple[Index, Surface, _Options] | None = None
        self._looked_at: ByIdentity[tuple[SemanticId, ...]] = ByIdentity(32)
        self._options: ByIdentity[dict[tuple[SemanticId, str], tuple[str, ...]]] = ByIdentity(32)

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
        return tuple(self._possible(index(core), surface))

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` with other names."""
        known = index(core)
        possible = self._possible(known, surface)
        if not possible:
            return surface
        chosen = [id_ for id_ in possible if rng.random() < self.share] or [rng.choice([*possible])]
        names, taste = Names(known, surface), self.taste(rng)
        for id_ in chosen:
            free = [name for name in possible[id_] if names.takes(id_, name)]
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

    def _possible(self, known: Index, surface: Surface) -> _Options:
        """By symbol, the names that it could take. Rows start from one Surface, so what it gives is kept."""
        kept = self._kept
        if kept is None or kept[0] is not known or kept[1] is not surface:
            names, given = Names(known, surface), surface.names
            found = {}
            for id_ in self._looked_at.get(known, lambda: self._all(known)):
                now = given.get(id_) or leaf(id_)
                if now in known.mentions:
                    continue
                options = self._fitting(known, id_, now)
                free = tuple([name for name in options if names.takes(id_, name)]) if options else ()
                if free:
                    found[id_] = free
            kept = self._kept = (known, surface, found)
        return kept[2]

    def _all(self, known: Index) -> tuple[SemanticId, ...]:
        """The candidates that may have another name at all."""
        return tuple(id_ for id_ in self.candidates(known) if may_be_renamed(known, id_))

    def _fitting(self, known: Index, id_: SemanticId, now: str) -> tuple[str, ...]:
        """The options of `id_`, each once, that some Surface could give it; remembered."""
        remembered = self._options.get(known, dict)
        found = remembered.get((id_, now))
        if found is None:
            if len(remembered) >= _KEPT:
                remembered.clear()
            key = _standing.get(known, lambda: _Standing(known)).key
            options = dict.fromkeys(self.options(known, id_, now))
            found = remembered[id_, now] = tuple(name for name in options if key(known, id_, name))
        return found
