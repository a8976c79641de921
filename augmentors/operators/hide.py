"""Tools and skills left out that the task does not need.

    get_quote, apply_coupon, item_qa, small_talk  →  get_quote, item_qa

Holds for tasks whose footprint is known: what is hidden is not in it, and nothing that is still shown speaks
of it. A user with another task would notice.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from random import Random
from typing import ClassVar

from pydantic import Field

from augmentors import observations
from augmentors.base import Law, Parameters, TaskRelative
from augmentors.dependents import Dependents, dependents
from augmentors.footprint import Footprint
from augmentors.index import index
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import with_changes
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface

_KEPT = 256


class HideParameters(Parameters):
    """share  how likely each tool and skill that may be hidden is; at least one always is"""

    share: float = Field(default=0.5, gt=0, le=1)


class Hide(TaskRelative):
    """Leaves out tools and skills outside the footprint. One tool and one reply skill always stay."""

    name: ClassVar[str] = "hide"
    family: ClassVar[str] = "tool-set"
    observation: ClassVar[str] = observations.WITHIN_FOOTPRINT
    refused: ClassVar[Mapping[Law, str]] = {
        "accepted": "a tool hidden that the task needs",
    }
    parameters_model: ClassVar[type[Parameters]] = HideParameters
    parameters: HideParameters

    def symbols(self, core: Core, surface: Surface, footprint: Footprint) -> tuple[SemanticId, ...]:
        """Tools and skills that may be hidden, with what speaks of them."""
        return tuple(self._together(core, surface, footprint))

    def apply(self, core: Core, surface: Surface, footprint: Footprint, rng: Random) -> Surface:
        """`surface` with further tools and skills hidden."""
        together = self._together(core, surface, footprint)
        if not together:
            return surface
        hidden = {*surface.hidden, *together[rng.choice(list(together))]}
        share, draw = self.parameters.share, rng.random
        for ids in together.values():
            if draw() < share and not ids <= hidden and _enough_stay(core, hidden | ids):
                hidden |= ids
        return with_changes(surface, hidden=tuple(sorted(hidden)))

    def _together(
        self, core: Core, surface: Surface, footprint: Footprint
    ) -> dict[SemanticId, frozenset[SemanticId]]:
        """What may be hidden, each with all that goes along: what speaks of it, and of that, and so on.

        Rows of one task ask for the same again and again, so answers are kept as long as the index is.
        """
        spoken_of = dependents(core, surface)
        kept = index(core).hideable
        key = (id(spoken_of), footprint.symbols, surface.hidden)
        found = kept.get(key)
        if found is None:
            if len(kept) >= _KEPT:
                kept.clear()
            found = kept[key] = (spoken_of, self._found(core, surface, footprint, spoken_of))
        return found[1]

    def _found(
        self, core: Core, surface: Surface, footprint: Footprint, spoken_of: Dependents
    ) -> dict[SemanticId, frozenset[SemanticId]]:
        kept = {*footprint.symbols, *surface.hidden} | index(core).frozen
        ids = [*(skill.id for skill in core.skills), *(tool.id for tool in core.tools)]
        outside = [id_ for id_ in ids if id_ not in kept]
        found = {}
        for id_ in outside:
            along = _closure(id_, spoken_of) - set(surface.hidden)
            if along.issubset(outside) and _enough_stay(core, along.union(surface.hidden)):
                found[id_] = along
        return found


def _closure(id_: SemanticId, spoken_of: Dependents) -> frozenset[SemanticId]:
    """`id_` and the symbols that speak of it, directly or through others."""
    closed, left = {id_}, [id_]
    while left:
        owners = {"/".join(speaker.split("/")[:2]) for speaker in spoken_of.get(left.pop(), ())}
        left.extend(owners - closed)
        closed |= owners
    return frozenset(closed)


def _enough_stay(core: Core, hidden: AbstractSet[SemanticId]) -> bool:
    tools, replies = _enough(core)
    return not ((tools and tools <= hidden) or (replies and replies <= hidden))


@remembered
def _enough(core: Core) -> tuple[frozenset[SemanticId], frozenset[SemanticId]]:
    """The tools, and the reply skills: of each, one has to stay."""
    replies = frozenset(skill.id for skill in core.skills if skill.role == "reply")
    return frozenset(tool.id for tool in core.tools), replies
