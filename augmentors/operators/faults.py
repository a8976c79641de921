"""Tools that fail on the way, by a plan.

    get_quote(3) → 89  →  get_quote(3) → crashed, get_quote(3) → 89

Environment: the harness stays as it is, and what the task asks for too; what tools answer on the way differs.
The plan stands in the row as data. The loop carries it out, and answers as it answers such a fault in
service: a timeout, a refusal (429, 401, 403, 503), a result that is garbled, cut, of another shape, empty or
stale. A recorded conversation is shown with the failing call and the same call made once more; where asking
once more is no way out, the row keeps the recording and meets no fault.
"""

from collections.abc import Mapping
from random import Random
from typing import Annotated, ClassVar

from pydantic import Field

from augmentors import observations
from augmentors.base import Environment, Law, Parameters
from augmentors.footprint import Footprint
from augmentors.levels import Level
from harness_dsl.ir.core import Core, Tool
from harness_dsl.ir.fault_plan import (
    KINDS,
    LASTING,
    Fault,
    FaultKind,
    FaultPlan,
    applicable,
    drifting_fields,
    tried_again,
)
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface


class FaultParameters(Parameters):
    """kinds   faults to draw from, as far as they can happen to a tool
    latest  the latest call of a tool, counted from 1, that meets one
    share   how likely each tool that the task needs meets one; at least one always does
    hidden  how likely the loop's second attempt makes good for a fault, where it makes one
    """

    kinds: Annotated[tuple[FaultKind, ...], Field(min_length=1)] = KINDS
    latest: int = Field(default=1, ge=1, le=16)
    share: float = Field(default=0.3, gt=0, le=1)
    hidden: float = Field(default=0.3, ge=0, le=1)


class Faults(Environment):
    """Plans which call of which tool goes wrong in the conversation of a row, and how."""

    name: ClassVar[str] = "faults"
    family: ClassVar[str] = "runtime-faults"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.SAME_ANSWER
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "a fault of a tool that is not there",
        "effective": "a fault of a tool that was not announced",
        "accepted": "a stale result of the first call",
    }
    parameters_model: ClassVar[type[Parameters]] = FaultParameters
    parameters: FaultParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Tools that one of these faults can happen to."""
        return tuple(
            tool.id for tool in core.tools if tool.id not in surface.hidden and self._kinds(core, tool)
        )

    def apply(
        self, core: Core, surface: Surface, plan: FaultPlan, footprint: Footprint, rng: Random
    ) -> FaultPlan:
        """`plan` with faults of tools that are needed and that it has none of yet."""
        taken = {fault.tool for fault in plan.faults}
        free = [
            tool
            for tool in core.tools
            if tool.id in footprint.symbols
            and tool.id in self.symbols(core, surface)
            and tool.id not in taken
        ]
        if not free:
            return plan
        chosen = [tool for tool in free if rng.random() < self.parameters.share] or [rng.choice(free)]
        return FaultPlan.of((*plan.faults, *(self._fault(core, tool, rng) for tool in chosen)))

    def _kinds(self, core: Core, tool: Tool) -> list[FaultKind]:
        possible = applicable(core, tool)
        too_early = {"stale"} if self.parameters.latest == 1 else set()
        return [kind for kind in self.parameters.kinds if kind in possible and kind not in too_early]

    def _fault(self, core: Core, tool: Tool, rng: Random) -> Fault:
        kind = rng.choice(self._kinds(core, tool))
        call = rng.randint(2 if kind == "stale" else 1, self.parameters.latest)
        is_tried_again = kind not in LASTING and tried_again(tool, kind)
        return Fault(
            tool=tool.id,
            call=call,
            kind=kind,
            attempts=2 if is_tried_again and rng.random() >= self.parameters.hidden else 1,
            field=rng.choice(drifting_fields(core, tool)) if kind == "schema_drift" else None,
        )
