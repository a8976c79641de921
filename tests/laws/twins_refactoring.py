"""Broken twins of the operators that give a harness another shape, and of the refactorings themselves."""

from random import Random

from augmentors.adapters.flatten_parameter import FlattenParameter
from augmentors.adapters.group_parameters import GroupParameters
from augmentors.adapters.merge_tools import MergeTools
from augmentors.adapters.move_rule import MoveRule, unguarded
from augmentors.adapters.refactorings import Refactored
from augmentors.adapters.split_tool import SplitTool
from augmentors.base import Operator
from augmentors.operators.flatten_parameter import FlattenParameterOperator
from augmentors.operators.group_parameters import GroupParametersOperator
from augmentors.operators.merge_tools import MergeToolsOperator
from augmentors.operators.move_rule import MoveRuleOperator
from augmentors.operators.split_tool import SplitToolOperator
from harness_dsl.ir.core import Core, ListContent, Section
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call


def group(**changes: object) -> GroupParameters:
    """A group that can be made in the live shop, with `changes` that spoil it."""
    fields = {
        "tool": "tool/apply_coupon",
        "params": ("tool/apply_coupon/param/code", "tool/apply_coupon/param/link_id"),
        "into": "request",
        "type": "Request",
    }
    return GroupParameters.model_validate(fields | changes)


class GroupsFixed(GroupParametersOperator):
    """Groups parameters of a tool that is under contract."""

    def draw(self, core: Core, surface: Surface, rng: Random) -> Refactored | None:
        return group(tool="tool/get_item", params=("tool/get_item/param/link_id",))


class GroupsDefaults(GroupParametersOperator):
    """Groups a parameter whose default no field can have."""

    def draw(self, core: Core, surface: Surface, rng: Random) -> Refactored | None:
        return group(tool="tool/get_quote", params=("tool/get_quote/param/quantity",))


class TakesANeighboursName(GroupParametersOperator):
    """Calls the record like another parameter."""

    def draw(self, core: Core, surface: Surface, rng: Random) -> Refactored | None:
        return group(tool="tool/get_quote", params=("tool/get_quote/param/link_id",), into="quantity")


class DrawsFromTheClock(GroupParametersOperator):
    """Groups what it has not grouped before."""

    drawn = 0

    def draw(self, core: Core, surface: Surface, rng: Random) -> Refactored | None:
        type(self).drawn += 1
        return super().draw(core, surface, Random(type(self).drawn))


class LeavesAFieldBehind(FlattenParameterOperator):
    """Takes some fields out of a record, and drops the others with it."""

    def draw(self, core: Core, surface: Surface, rng: Random) -> Refactored | None:
        made = super().draw(core, surface, rng)
        assert isinstance(made, FlattenParameter)
        return made.model_copy(update={"fields": made.fields[:1]})


class MergesWhatAsksForMore(MergeToolsOperator):
    """Merges tools of which one takes more than the other."""

    def draw(self, core: Core, surface: Surface, rng: Random) -> Refactored | None:
        return MergeTools(merged=("tool/check_stock", "tool/get_quote"), into="ask", choice="what")


class TakesAToolsName(MergeToolsOperator):
    """Calls the merged tool like another one."""

    def draw(self, core: Core, surface: Surface, rng: Random) -> Refactored | None:
        return MergeTools(merged=("tool/check_stock", "tool/get_coupon"), into="get_quote", choice="what")


class ForgetsAWord(SplitToolOperator):
    """Leaves no tool for the last word of the choice."""

    def draw(self, core: Core, surface: Surface, rng: Random) -> Refactored | None:
        made = super().draw(core, surface, rng)
        assert isinstance(made, SplitTool)
        return made.model_copy(update={"into": made.into[:-1]})


class TwoOfOneName(SplitToolOperator):
    """Calls the tools of two words alike."""

    def draw(self, core: Core, surface: Surface, rng: Random) -> Refactored | None:
        made = super().draw(core, surface, rng)
        assert isinstance(made, SplitTool)
        return made.model_copy(update={"into": tuple((word, "both") for word, _ in made.into)})


class HoldsAlways(MoveRuleOperator):
    """Makes a step of one skill a rule of every turn."""

    def draw(self, core: Core, surface: Surface, rng: Random) -> Refactored | None:
        made = super().draw(core, surface, rng)
        assert isinstance(made, MoveRule)
        return made.model_copy(update={"guarded": False})


BROKEN: list[tuple[type[Operator], str]] = [
    (GroupsFixed, "accepted"),
    (GroupsDefaults, "accepted"),
    (TakesANeighboursName, "valid"),
    (TakesANeighboursName, "accepted"),
    (DrawsFromTheClock, "deterministic"),
    (LeavesAFieldBehind, "accepted"),
    (MergesWhatAsksForMore, "accepted"),
    (TakesAToolsName, "valid"),
    (TakesAToolsName, "accepted"),
    (ForgetsAWord, "accepted"),
    (TwoOfOneName, "valid"),
    (TwoOfOneName, "accepted"),
    (HoldsAlways, "accepted"),
]


class LosesAnArgument(GroupParameters):
    """Leads all arguments but the last into the record."""

    def call(self, call: Call) -> Call:
        made = super().call(call)
        inside = dict(made.arguments.get(self.into, {}))
        if call.tool == self.tool and inside:
            inside.popitem()
        return made if call.tool != self.tool else Call(tool=made.tool, arguments={self.into: inside})


class SwapsArguments(GroupParameters):
    """Leads the arguments to each other's place, and back again: no conversation can tell."""

    def call(self, call: Call) -> Call:
        return self._swapped(super().call(call), call.tool)

    def call_back(self, call: Call) -> Call:
        return super().call_back(self._swapped(call, call.tool))

    def _swapped(self, call: Call, tool: str) -> Call:
        inside = call.arguments.get(self.into)
        if tool != self.tool or not isinstance(inside, dict):
            return call
        swapped = dict(zip(inside, reversed(inside.values()), strict=True))
        return Call(tool=tool, arguments={**call.arguments, self.into: swapped})


class ForgetsTheHooks(GroupParameters):
    """Leaves the conditions of hooks as they were."""

    def applied(self, core: Core) -> Core:
        return super().applied(core).model_copy(update={"hooks": core.hooks})


class ForgetsTheTests(GroupParameters):
    """Leaves the expected calls as they were."""

    def applied(self, core: Core) -> Core:
        return super().applied(core).model_copy(update={"tests": core.tests})


class ForgetsTheNames(GroupParameters):
    """Shows everything under its default name."""

    def shown(self, core: Core, surface: Surface) -> Surface:
        return super().shown(core, surface).model_copy(update={"names": {}})


class OrdersRules(GroupParameters):
    """Takes the chance to put the rules into another order."""

    def shown(self, core: Core, surface: Surface) -> Surface:
        shown = super().shown(core, surface)
        rules = "prompt/system/section/rules"
        orders = {**shown.orders, rules: tuple(reversed(shown.orders[rules]))}
        return shown.model_copy(update={"orders": orders})


class LoosensATool(GroupParameters):
    """Takes the chance to call a tool harmless."""

    def applied(self, core: Core) -> Core:
        after = super().applied(core)
        tools = tuple(tool.model_copy(update={"effect": "read"}) for tool in after.tools)
        return after.model_copy(update={"tools": tools})


class OneWordForAll(MergeTools):
    """Does not say which tool is meant."""

    def call(self, call: Call) -> Call:
        made = super().call(call)
        if self.choice not in made.arguments:
            return made
        word = self.merged[0].rsplit("/", 1)[1]
        return Call(tool=made.tool, arguments={**made.arguments, self.choice: word})


class AnswersForOne(MergeTools):
    """Declares that the merged tool returns what the first one does."""

    def applied(self, core: Core) -> Core:
        after, first = super().applied(core), self.merged[0]
        returns = next(tool.returns for tool in core.tools if tool.id == first)
        tools = tuple(
            tool.model_copy(update={"returns": returns}) if tool.id == f"tool/{self.into}" else tool
            for tool in after.tools
        )
        return after.model_copy(update={"tools": tools})


class ForgetsTheGuard(MoveRule):
    """Judges a step in turns that have not loaded its skill."""

    def applied(self, core: Core) -> Core:
        after = super().applied(core)
        sections = tuple(map(self._plain, after.prompt.sections))
        return after.model_copy(update={"prompt": after.prompt.model_copy(update={"sections": sections})})

    def _plain(self, section: Section) -> Section:
        if not isinstance(section.content, ListContent):
            return section
        rules = tuple(
            rule.model_copy(update={"check": unguarded("skill/small_talk", rule.check)})
            if rule.id == self.to and rule.check is not None
            else rule
            for rule in section.content.items
        )
        return section.model_copy(update={"content": section.content.model_copy(update={"items": rules})})
