"""Tools and skills left out that the task does not need.

    get_quote, apply_coupon, item_qa, small_talk  →  get_quote, item_qa

Holds for tasks whose footprint is known: what is hidden is not in it, and nothing that is still shown speaks
of it. A user with another task would notice.
"""

from random import Random
from typing import ClassVar

from pydantic import Field

from augmentors.base import Parameters, TaskRelative
from augmentors.dependents import dependents
from augmentors.footprint import Footprint
from augmentors.index import index
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface


class HideParameters(Parameters):
    """share  how likely each tool and skill that may be hidden is; at least one always is"""

    share: float = Field(default=0.5, gt=0, le=1)


class Hide(TaskRelative):
    """Leaves out tools and skills outside the footprint. One tool and one reply skill always stay."""

    name: ClassVar[str] = "hide"
    family: ClassVar[str] = "tool-set"
    observation: ClassVar[str] = "semantic calls, results and final state of tasks within the footprint"
    parameters_model: ClassVar[type[Parameters]] = HideParameters
    parameters: HideParameters

    def symbols(self, core: Core, surface: Surface, footprint: Footprint) -> tuple[SemanticId, ...]:
        """Tools and skills that may be hidden, each on its own."""
        spoken_of = dependents(core, surface)
        hidden = set(surface.hidden)
        return tuple(
            id_
            for id_ in self._outside(core, surface, footprint)
            if all(_is_gone(speaker, hidden) for speaker in spoken_of.get(id_, ()))
            and _enough_stay(core, hidden | {id_})
        )

    def apply(self, core: Core, surface: Surface, footprint: Footprint, rng: Random) -> Surface:
        """`surface` with further tools and skills hidden."""
        first = self.symbols(core, surface, footprint)
        if not first:
            return surface
        spoken_of = dependents(core, surface)
        hidden = {*surface.hidden, rng.choice(first)}
        # Skills come first, for a tool that only a hidden skill speaks of may go with it.
        for id_ in sorted(self._outside(core, surface, footprint), key=lambda id_: id_.startswith("tool/")):
            free = all(_is_gone(speaker, hidden) for speaker in spoken_of.get(id_, ()))
            if rng.random() < self.parameters.share and free and _enough_stay(core, hidden | {id_}):
                hidden.add(id_)
        return surface.model_copy(update={"hidden": tuple(sorted(hidden))})

    def _outside(self, core: Core, surface: Surface, footprint: Footprint) -> list[SemanticId]:
        """What is shown, not needed and not frozen."""
        kept = {*footprint.symbols, *surface.hidden} | index(core).frozen
        ids = [*(skill.id for skill in core.skills), *(tool.id for tool in core.tools)]
        return [id_ for id_ in ids if id_ not in kept]


def _is_gone(speaker: SemanticId, hidden: set[SemanticId]) -> bool:
    """Whether what speaks of a symbol is itself, or lies in, something hidden."""
    return "/".join(speaker.split("/")[:2]) in hidden


def _enough_stay(core: Core, hidden: set[SemanticId]) -> bool:
    tools = {tool.id for tool in core.tools}
    replies = {skill.id for skill in core.skills if skill.role == "reply"}
    return not ((tools and tools <= hidden) or (replies and replies <= hidden))
