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
from harness_dsl.ir.ids import LOAD_SKILL, SemanticId, kind, leaf
from harness_dsl.ir.surface import Surface


def may_rename(known: Index, surface: Surface, id_: SemanticId) -> bool:
    """Whether `id_` is seen, not frozen, not written out as code in prose, not mistakable for a free text."""
    if id_ in known.unseen or id_ in known.ambiguous or id_ in known.frozen:
        return False
    return shown(surface, id_) not in known.mentions and leaf(id_) not in known.mentions


def key_of(name: str) -> str:
    """Names with one key could be taken for each other. What has no Latin letters is compared as it is."""
    return name_key(name) if name.isascii() else name


class Names:
    """The names of one Surface, some of them new: no two can be taken for each other where they stand."""

    def __init__(self, known: Index, surface: Surface) -> None:
        self._given: dict[SemanticId, str] = {}
        self._known = known
        self._surface = surface
        self._callables = Counter(key_of(shown(surface, id_)) for id_ in known.callables)
        self._distractors = {key_of(tool.name) for tool in surface.distractors}

    def shown(self, id_: SemanticId) -> str:
        """The name under which `id_` is shown now."""
        return self._given.get(id_) or shown(self._surface, id_)

    def give(self, id_: SemanticId, name: str) -> None:
        """Show `id_` as `name` from now on."""
        if id_ in self._known.callables:
            self._callables.subtract([key_of(self.shown(id_))])
            self._callables.update([key_of(name)])
        self._given[id_] = name

    def takes(self, id_: SemanticId, name: str) -> bool:
        """Whether `id_` may be shown as `name`, which is another than its name now."""
        known, role = self._known, "tool" if id_ == LOAD_SKILL else kind(id_)
        key = key_of(name)
        if name == self.shown(id_) or not is_legal(role, name) or name in known.mentions:
            return False
        own = id_ in known.callables and key == key_of(self.shown(id_))
        if self._callables[key] > int(own):
            return False
        if role in ("tool", "skill"):
            return key not in known.taken and key not in self._distractors
        beside = (other for other in known.beside(id_) if other != id_)
        return not any(key in (key_of(self.shown(other)), key_of(leaf(other))) for other in beside)

    def surface(self) -> Surface:
        """The Surface with the new names."""
        return self._surface.model_copy(update={"names": {**self._surface.names, **self._given}})


class Renaming(Preserving):
    """An operator that gives each of some symbols one of the names that it could have."""

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        self._kept: tuple[Index, Surface, dict[SemanticId, tuple[str, ...]]] | None = None

    @abstractmethod
    def options(self, known: Index, surface: Surface, id_: SemanticId) -> Sequence[str]:
        """Names that `id_` could have, free or not."""

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

    def _possible(self, known: Index, surface: Surface) -> dict[SemanticId, tuple[str, ...]]:
        """By symbol, the names that it could take. Rows start from one Surface, so what it gives is kept."""
        kept = self._kept
        if kept is None or kept[0] is not known or kept[1] is not surface:
            names = Names(known, surface)
            found = {}
            for id_ in self.candidates(known):
                options = self.options(known, surface, id_) if may_rename(known, surface, id_) else ()
                free = tuple(dict.fromkeys(name for name in options if names.takes(id_, name)))
                if free:
                    found[id_] = free
            kept = self._kept = (known, surface, found)
        return kept[2]
