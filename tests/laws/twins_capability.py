"""Broken twins of the operators that change what a harness can do."""

from collections.abc import Iterator
from random import Random

from augmentors.adapters.refactorings import Refactored
from augmentors.base import Operator
from augmentors.edits.add_rule import AddRule
from augmentors.edits.remove_tool import RemoveTool
from augmentors.footprint import Footprint
from augmentors.operators.add_rule import AddRuleOperator
from augmentors.operators.remove_tool import RemoveToolOperator
from harness_dsl.ir.core import Core, Item, ListContent
from harness_dsl.ir.expressions import Constant
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Text


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


class _MakesUp(AddRule):
    """A rule of its own, whose prose nobody has held against its predicate."""

    def _problems(self, core: Core) -> Iterator[str]:
        yield from ()

    def applied(self, core: Core) -> Core:
        text = Text(id=self._id, canonical=(Literally(text="Answer in verse."),))
        rule = Item(id=self._id, text=text, check=Constant(value=True))
        sections = []
        for section in core.prompt.sections:
            rules = section.content
            if section.id == self.section and isinstance(rules, ListContent):
                listed = tuple(sorted((*rules.items, rule), key=lambda item: item.id))
                section = section.model_copy(update={"content": rules.model_copy(update={"items": listed})})
            sections.append(section)
        return core.model_copy(
            update={"prompt": core.prompt.model_copy(update={"sections": tuple(sections)})}
        )


class MakesUp(AddRuleOperator):
    """Adds a rule that is not in the bank."""

    def draw(self, core: Core, surface: Surface, footprint: Footprint, rng: Random) -> Refactored | None:
        rules = next(section for section in core.prompt.sections if section.id.endswith("/rules"))
        return _MakesUp(section=rules.id, rule="verse")


BROKEN: list[tuple[type[Operator], str]] = [
    (LeavesProse, "valid"),
    (LeavesProse, "accepted"),
    (MakesUp, "accepted"),
]
