"""Parameters of a tool grouped in one record.

    apply_coupon(link_id: 3, code: "LINEN50")  →  apply_coupon(request: {link_id: 3, code: "LINEN50"})

No run can tell the two apart: the adapter takes the record apart again before the tool is called, and the
conditions of hooks, expected calls and references of the harness follow the parameters into it. Parameters
with a default stay where they are, because a field has none.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import ClassVar

from pydantic import Field

from augmentors import observations
from augmentors.adapters.arguments import expected_calls
from augmentors.adapters.group_parameters import GroupParameters
from augmentors.adapters.refactorings import Refactored, fits
from augmentors.banks import Pool
from augmentors.base import Law, Parameters, Refactoring
from augmentors.identifiers import words
from augmentors.levels import Level
from harness_dsl.ir.core import Core, Tool
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.surface import Surface

NAMES: dict[Pool, tuple[str, ...]] = {
    "train": ("request", "query", "options", "details", "params"),
    "held-out": ("payload", "spec", "input_data", "body"),
}
_TRIES = 8


class GroupParametersParameters(Parameters):
    """pool      where the name of the record comes from; evaluation holds `held-out` back
    share     how likely each parameter joins the record, where not all have to
    smallest  fewest parameters of a record
    """

    pool: Pool = "train"
    share: float = Field(default=0.7, gt=0, le=1)
    smallest: int = Field(default=1, ge=1)


class GroupParametersOperator(Refactoring):
    """Groups some parameters of one tool."""

    name: ClassVar[str] = "group-parameters"
    family: ClassVar[str] = "composition"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.THROUGH_ADAPTER
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "a record called like another parameter",
        "accepted": "parameters whose defaults would be lost",
        "deterministic": "a group that is drawn from the clock",
    }
    parameters_model: ClassVar[type[Parameters]] = GroupParametersParameters
    parameters: GroupParametersParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Parameters without default that can be grouped."""
        return tuple(
            sorted({id_ for tool in core.tools for ids in self._groups(core, surface, tool) for id_ in ids})
        )

    def draw(self, core: Core, surface: Surface, rng: Random) -> Refactored | None:
        """A group of parameters of one tool that has some."""
        fitting = [tool for tool in core.tools if any(self._groups(core, surface, tool))]
        if not fitting:
            return None
        tool = rng.choice(fitting)
        names = rng.sample(NAMES[self.parameters.pool], len(NAMES[self.parameters.pool]))
        groups = sorted({*self._groups(core, surface, tool)})
        ids = sorted({id_ for ids in groups for id_ in ids})
        for _ in range(_TRIES):
            some = tuple(id_ for id_ in ids if rng.random() < self.parameters.share)
            if len(some) < self.parameters.smallest:
                continue
            found = _first(core, surface, tool, some, names)
            if found is not None and fits(core, surface, found):
                return found
        last = _first(core, surface, tool, rng.choice(groups), names)
        return last if last is not None and fits(core, surface, last) else None

    def _groups(self, core: Core, surface: Surface, tool: Tool) -> Iterator[tuple[SemanticId, ...]]:
        """Groups that can be made: of one parameter, of all, of those that a test names or leaves free."""
        ids = _groupable(tool)
        expected = [
            tuple(id_ for id_ in ids if leaf(id_) in dict(call.arguments))
            for _, call in expected_calls(core, tool.id)
        ]
        rest = [tuple(id_ for id_ in ids if id_ not in some) for some in expected]
        for some in sorted({ids, *((id_,) for id_ in ids), *expected, *rest}):
            if len(some) >= self.parameters.smallest and _first(
                core, surface, tool, some, NAMES[self.parameters.pool]
            ):
                yield some


def _groupable(tool: Tool) -> tuple[SemanticId, ...]:
    if tool.fixed:
        return ()
    return tuple(param.id for param in tool.params if not param.has_default and not param.fixed)


def _first(
    core: Core, surface: Surface, tool: Tool, ids: tuple[SemanticId, ...], names: tuple[str, ...] | list[str]
) -> GroupParameters | None:
    """The group under the first of `names` that it can have."""
    declared = {leaf(decl.id) for decl in core.types}
    for into in names:
        stem = "".join(word.capitalize() for word in (*words(leaf(tool.id)), *words(into)))
        stem = stem if stem.isidentifier() else into.capitalize()
        free = next(name for name in (stem, *(f"{stem}{n}" for n in range(2, 99))) if name not in declared)
        made = GroupParameters(tool=tool.id, params=ids, into=into, type=free)
        # What it changes elsewhere is looked at when it is drawn: here all groups of all tools are tried.
        if made.problem(core, surface) is None:
            return made
    return None
