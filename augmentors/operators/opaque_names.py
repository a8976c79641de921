"""Names that say nothing.

    get_quote(link_id)  →  t17(f_03)

No run can tell the two apart: calls, results and mentions are stored by semantic id. Only a symbol beside
whose name a description stands takes such a name, and the model has to read it.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar, Literal

from pydantic import Field

from augmentors import observations
from augmentors.banks import Pool
from augmentors.base import Law, Parameters, Preserving
from augmentors.chance import one_by_one
from augmentors.index import Index, index
from augmentors.levels import Level
from augmentors.other_words import opaque_stems
from augmentors.renaming import Names, may_be_renamed
from harness_dsl.ir.core import Core
from harness_dsl.ir.identity import ByIdentity
from harness_dsl.ir.ids import SemanticId, kind, leaf
from harness_dsl.ir.surface import Surface

Kind = Literal["tool", "skill", "param"]


class OpaqueNamesParameters(Parameters):
    """pool   whose stems the names begin with
    kinds  which kinds of symbols are renamed
    share  how likely each of them is renamed; at least one always is
    """

    pool: Pool = "train"
    kinds: tuple[Kind, ...] = Field(default=("tool", "skill", "param"), min_length=1)
    share: float = Field(default=1.0, gt=0, le=1)


class OpaqueNames(Preserving):
    """Numbers skills, tools and parameters: a stem for each kind, and a number that nothing else has."""

    name: ClassVar[str] = "opaque-names"
    family: ClassVar[str] = "naming"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.ALL
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "one number for two symbols of a namespace",
        "accepted": "a number for a symbol that nothing describes",
        "frozen": "another name for a symbol that is `fixed`",
    }
    parameters_model: ClassVar[type[Parameters]] = OpaqueNamesParameters
    parameters: OpaqueNamesParameters

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        self._free: ByIdentity[tuple[SemanticId, ...]] = ByIdentity(32)

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Described symbols of the chosen kinds that may take another name."""
        known, given = index(core), surface.names
        free = self._free.get(known, lambda: self._all(known))
        return tuple([id_ for id_ in free if (given.get(id_) or leaf(id_)) not in known.mentions])

    def _all(self, known: Index) -> tuple[SemanticId, ...]:
        kinds = frozenset(self.parameters.kinds)
        return tuple(
            id_
            for id_ in known.space_of
            if kind(id_) in kinds
            and id_ in known.described
            and not id_.startswith("builtin/")
            and may_be_renamed(known, id_)
        )

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` with numbers for names."""
        free = self.symbols(core, surface)
        if not free:
            return surface
        chosen = [id_ for id_ in free if rng.random() < self.parameters.share] or [rng.choice(free)]
        kinds = sorted({kind(id_) for id_ in chosen})
        stems = dict(zip(kinds, rng.sample(opaque_stems(self.parameters.pool), len(kinds)), strict=True))
        # Some numbers are taken by names that are there already.
        numbers = one_by_one(rng, range(1, 100 + 8 * len(chosen)), 50 + 4 * len(chosen))
        names = Names(index(core), surface)
        for id_ in chosen:
            stem = stems[kind(id_)]
            names.give(id_, next(n for number in numbers if names.takes(id_, n := f"{stem}{number:02}")))
        return names.surface()
