"""Defaults of optional parameters left out of the documentation, or put back.

    quantity: int = 1        →   quantity?: int                in every documentation form

A call means the same: an argument that is left out takes its default either way. A user could notice only by
asking what the default is.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from pydantic import Field

from augmentors import observations
from augmentors.base import Law, Parameters, Preserving
from augmentors.index import index
from augmentors.levels import Level
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import with_changes
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface


class DefaultsParameters(Parameters):
    """share  how likely each default changes from said to unsaid or back; at least one always does"""

    share: float = Field(default=0.5, gt=0, le=1)


class Defaults(Preserving):
    """Draws which defaults the model is told."""

    name: ClassVar[str] = "defaults"
    family: ClassVar[str] = "format"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.ALL
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "the default of a parameter that has none",
        "accepted": "the default of a parameter that is `fixed`",
        "frozen": "the default of a parameter that is `fixed`",
    }
    parameters_model: ClassVar[type[Parameters]] = DefaultsParameters
    parameters: DefaultsParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Parameters of shown tools that have a default and are not frozen."""
        return tuple(id_ for tool, id_ in _free(core) if tool not in surface.hidden)

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` with other defaults said."""
        ids = self.symbols(core, surface)
        if not ids:
            return surface
        chosen = {id_ for id_ in ids if rng.random() < self.parameters.share} or {rng.choice(ids)}
        return with_changes(surface, unsaid=tuple(sorted(chosen.symmetric_difference(surface.unsaid))))


@remembered
def _free(core: Core) -> tuple[tuple[SemanticId, SemanticId], ...]:
    """Tools with their parameters that have a default and are not frozen."""
    frozen = index(core).frozen
    return tuple(
        (tool.id, param.id)
        for tool in core.tools
        for param in tool.params
        if param.has_default and param.id not in frozen
    )
