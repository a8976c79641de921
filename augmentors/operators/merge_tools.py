"""Tools that take the same arguments merged in one.

    get_item(link_id: 3), check_stock(link_id: 3)  →  use_service(action: "get_item", link_id: 3), …

No run can tell the two apart: the adapter reads from the action which tool is meant and calls that one, and
what the harness says of the tools it says of the action. Conditions ask for calls and results of one tool;
where that cannot be asked of the merged one, the tools stay as they are.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import ClassVar

from pydantic import Field

from augmentors import observations
from augmentors.adapters.merge_tools import MergeTools
from augmentors.adapters.refactorings import Refactored, fits
from augmentors.banks import Pool
from augmentors.base import Law, Parameters, Refactoring
from augmentors.levels import Level
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface

TOOLS: dict[Pool, tuple[str, ...]] = {
    "train": ("use_service", "run_action", "call_service", "do_task"),
    "held-out": ("perform_operation", "invoke_api", "handle_job"),
}
CHOICES: dict[Pool, tuple[str, ...]] = {
    "train": ("action", "task", "service"),
    "held-out": ("operation", "method", "job"),
}


_NEAR = 4
_MOST_TRIED = 200


class MergeToolsParameters(Parameters):
    """pool  where the names of the tool and of its choice come from; evaluation holds `held-out` back
    most  most tools that are merged in one
    """

    pool: Pool = "train"
    most: int = Field(default=3, ge=2)


class MergeToolsOperator(Refactoring):
    """Merges some tools that take the same arguments."""

    name: ClassVar[str] = "merge-tools"
    family: ClassVar[str] = "composition"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.THROUGH_ADAPTER
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "a merged tool that is called like another",
        "accepted": "tools that take different arguments",
    }
    parameters_model: ClassVar[type[Parameters]] = MergeToolsParameters
    parameters: MergeToolsParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Tools that can be merged with another one."""
        found: set[SemanticId] = set()
        for tried, pair in enumerate(self._conceivable(core)):
            # Among very many tools alike most are found by then, and trying each pair would take minutes.
            if tried < _MOST_TRIED and not found.issuperset(pair) and self._made(core, surface, pair):
                found.update(pair)
        return tuple(sorted(found))

    def draw(self, core: Core, surface: Surface, rng: Random) -> Refactored | None:
        """Two tools, and others that can be merged with both."""
        pairs = [*self._conceivable(core)]
        drawn = (pair for pair in rng.sample(pairs, len(pairs)) if self._made(core, surface, pair))
        merged: tuple[SemanticId, ...] | None = next(drawn, None)
        if merged is None:
            return None
        for pair in rng.sample(pairs, len(pairs)):
            more = tuple(sorted({*merged, *pair}))
            if len(more) == len(merged) + 1 <= rng.randint(2, self.parameters.most):
                merged = more if self._made(core, surface, more) else merged
        pool = self.parameters.pool
        names = [(tool, choice) for tool in TOOLS[pool] for choice in CHOICES[pool]]
        for tool, choice in rng.sample(names, len(names)):
            made = self._made(core, surface, merged, tool, choice)
            if made is not None:
                return made
        return self._made(core, surface, merged)

    def _conceivable(self, core: Core) -> Iterator[tuple[SemanticId, SemanticId]]:
        alike: dict[tuple[object, ...], list[SemanticId]] = {}
        for tool in core.tools:
            if not tool.fixed:
                asked = tuple(param.id.rsplit("/", 1)[1] for param in tool.params)
                alike.setdefault((tool.effect, tool.idempotent, tool.timeout_ms, asked), []).append(tool.id)
        for ids in alike.values():
            for at, id_ in enumerate(ids):
                # Each with a few that follow: among very many tools, all pairs would take minutes to try.
                yield from ((id_, other) for other in ids[at + 1 : at + 1 + _NEAR])

    def _made(
        self, core: Core, surface: Surface, merged: tuple[SemanticId, ...], tool: str = "", choice: str = ""
    ) -> MergeTools | None:
        """The merger of those tools, by any names if none are given; None: it cannot be."""
        pool = self.parameters.pool
        tools, choices = (tool,) if tool else TOOLS[pool], (choice,) if choice else CHOICES[pool]
        for into in tools:
            for by in choices:
                made = MergeTools(merged=merged, into=into, choice=by)
                if made.problem(core, surface) is None:
                    # What is wrong besides would be so by any other name.
                    return made if fits(core, surface, made) else None
        return None
