"""The fields of a record parameter as parameters of their own.

    find_route(trip: {from: "上海", to: "杭州"})  →  find_route(from: "上海", to: "杭州")

No run can tell the two apart: the adapter puts the record together again before the tool is called, and the
conditions of hooks, expected calls and references of the harness follow the fields out of it. Only a required
record without a description of its own is taken apart, since the description would have no place.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import ClassVar

from augmentors import observations
from augmentors.adapters.flatten_parameter import FlattenParameter, record_of
from augmentors.adapters.refactorings import Refactored, fits
from augmentors.base import Law, Parameters, Refactoring
from augmentors.levels import Level
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface


class FlattenParameterParameters(Parameters):
    """tools  only parameters of these tools, by id; none: of any tool"""

    tools: tuple[SemanticId, ...] = ()


class FlattenParameterOperator(Refactoring):
    """Takes one record apart."""

    name: ClassVar[str] = "flatten-parameter"
    family: ClassVar[str] = "composition"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.THROUGH_ADAPTER
    refused: ClassVar[Mapping[Law, str]] = {
        "accepted": "a field that is left behind",
    }
    parameters_model: ClassVar[type[Parameters]] = FlattenParameterParameters
    parameters: FlattenParameterParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Required parameters whose type is a record that nothing else uses."""
        return tuple(made.param for made in self._all(core, surface))

    def draw(self, core: Core, surface: Surface, rng: Random) -> Refactored | None:
        """One of them."""
        found = [*self._all(core, surface)]
        return rng.choice(found) if found else None

    def _all(self, core: Core, surface: Surface) -> Iterator[FlattenParameter]:
        only = self.parameters.tools
        for tool in core.tools:
            for param in tool.params if not only or tool.id in only else ():
                record = record_of(core, param)
                if record is None:
                    continue
                fields = tuple(field.id for field in record.fields or ())
                made = FlattenParameter(param=param.id, fields=fields)
                if fits(core, surface, made):
                    yield made
