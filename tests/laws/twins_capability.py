"""Broken twins of the operators that change what a harness can do."""

from collections.abc import Iterator
from random import Random

from augmentors.adapters.refactorings import Refactored
from augmentors.base import Operator
from augmentors.edits.remove_tool import RemoveTool
from augmentors.footprint import Footprint
from augmentors.operators.remove_tool import RemoveToolOperator
from harness_dsl.ir.core import Core, Item
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface


class _LeavesProse(RemoveTool):
    """Takes a tool out and leaves what is said about it."""

    def _falls(self, item: Item, beside: tuple[Item, ...]) -> bool:
        return False

    def _problems(self, core: Core) -> Iterator[str]:
        yield from ()


class LeavesProse(RemoveToolOperator):
    """Removes a tool that the prose of the harness goes on to speak of."""

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        return ("tool/get_quote",)

    def draw(self, core: Core, surface: Surface, footprint: Footprint, rng: Random) -> Refactored | None:
        return _LeavesProse(tool="tool/get_quote")


BROKEN: list[tuple[type[Operator], str]] = [(LeavesProse, "valid"), (LeavesProse, "accepted")]
