"""A harness without one of its tools.

    tools: get_quote, check_stock, get_coupon  →  tools: get_quote, get_coupon

A task that needs the tool has another right answer, which is computed: no call of it, a reply that says so,
and no fact that only the tool could have told. Predicates follow, so that a rule about its results forbids
what they would have allowed. Prose goes with the tool where it is about nothing else and no predicate is
lost; a tool that other prose speaks of is kept. A row never shows a recorded conversation that uses the tool.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from pydantic import Field

from augmentors import observations
from augmentors.adapters.refactorings import Refactored, fits
from augmentors.base import Capability, Law, Parameters
from augmentors.edits.remove_tool import RemoveTool
from augmentors.footprint import Footprint
from augmentors.levels import Level
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface


class RemoveToolParameters(Parameters):
    """tools   only these tools, by id; none: any tool
    needed  how likely it is a tool that the task needs, if there is one of both
    """

    tools: tuple[SemanticId, ...] = ()
    needed: float = Field(default=0.7, ge=0, le=1)


class RemoveToolOperator(Capability):
    """Takes one tool out of a harness, and what the harness says about it."""

    name: ClassVar[str] = "remove-tool"
    family: ClassVar[str] = "capability"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.WELL_FORMED
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "prose that speaks of the tool that is gone",
        "accepted": "prose that speaks of the tool that is gone",
    }
    parameters_model: ClassVar[type[Parameters]] = RemoveToolParameters
    parameters: RemoveToolParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Tools that can go and leave no prose or predicate that speaks of them; one tool at least stays."""
        only = self.parameters.tools
        if len(core.tools) < 2:
            return ()
        asked = (tool.id for tool in core.tools if not only or tool.id in only)
        return tuple(id_ for id_ in asked if fits(core, surface, RemoveTool(tool=id_)))

    def draw(self, core: Core, surface: Surface, footprint: Footprint, rng: Random) -> Refactored | None:
        """The removal of a tool."""
        possible = self.symbols(core, surface)
        needed = [id_ for id_ in possible if id_ in footprint.symbols]
        others = [id_ for id_ in possible if id_ not in footprint.symbols]
        if not possible:
            return None
        wants_needed = rng.random() < self.parameters.needed
        return RemoveTool(tool=rng.choice((needed if wants_needed else others) or possible))
