"""For each operator a deliberately broken twin, and the law that rejects it."""

import random
from random import Random
from typing import ClassVar

import pytest

from augmentors.adapters.group_parameters import GroupParameters
from augmentors.base import Operator
from augmentors.footprint import Footprint
from augmentors.operators.distractors import Distractors
from augmentors.operators.faults import Faults
from augmentors.operators.hide import Hide
from augmentors.operators.language import Language
from augmentors.operators.limits import Limits
from augmentors.operators.markup import Markup
from augmentors.operators.rename import Rename
from augmentors.operators.reorder import Reorder
from augmentors.operators.tool_docs import ToolDocs
from augmentors.operators.wordings import Wordings
from augmentors.registry import OPERATORS
from harness_dsl.ir.core import Core, Param, PythonImplementation
from harness_dsl.ir.fault_plan import Fault, FaultPlan
from harness_dsl.ir.ids import SemanticId, foreign
from harness_dsl.ir.surface import ForeignTool, Surface
from harness_dsl.ir.texts import Literally
from harness_dsl.ir.types import BoolType, EnumMember, EnumType
from tests.laws import twins_capability, twins_refactoring, twins_settings
from tests.laws.laws import LAWS, applied, made
from tests.laws.twins_naming import TWINS
from tests.strategies import small_shop


class OneNameForAll(Rename):
    """Forgets that names must differ."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        names = {tool.id: "call_it" for tool in core.tools}
        return surface.model_copy(update={"names": {**surface.names, **names}})


class RenamesFixed(Rename):
    """Forgets what is fixed."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(update={"names": {**surface.names, "tool/get_item": "fetch_it"}})


class OpaqueFields(Rename):
    """Takes any word for a result field that nothing else explains."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(update={"names": {**surface.names, "type/Quote/field/amount": "zeta"}})


class Unseeded(Rename):
    """Draws from the clock instead of the seed."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return super().apply(core, surface, random.SystemRandom())


class SpacedNames(Rename):
    """Draws names that no target takes."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(update={"names": {**surface.names, "tool/get_item": "get the item"}})


class ForgetsConstraints(Reorder):
    """Shuffles sections as if they had no constraints."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        order = tuple(sorted((section.id for section in core.prompt.sections), reverse=True))
        return surface.model_copy(update={"orders": {**surface.orders, core.prompt.id: order}})


class SameOrder(Reorder):
    """Counts as a variant what shows the same."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(update={"orders": {**surface.orders, "skills": self._skills(core)}})

    def _skills(self, core: Core) -> tuple[SemanticId, ...]:
        return tuple(sorted(skill.id for skill in core.skills))


class NearDuplicate(Distractors):
    """Shows a distractor that does the job of a tool the task needs."""

    def apply(self, core: Core, surface: Surface, footprint: Footprint, rng: Random) -> Surface:
        twin = ForeignTool(
            name="quote_product",
            description="Quote one product of this room.",
            parameters={"type": "object", "properties": {}},
            failure="not connected",
            origin="made for tests",
        )
        order = (*(tool.id for tool in core.tools), foreign(twin.name))
        return surface.model_copy(
            update={"distractors": (twin,), "orders": {**surface.orders, "tools": order}}
        )


class OutsideTheOrder(Distractors):
    """Shows a distractor and forgets to say where."""

    def apply(self, core: Core, surface: Surface, footprint: Footprint, rng: Random) -> Surface:
        order = tuple(tool.id for tool in core.tools)
        shown = super().apply(core, surface, footprint, rng)
        return shown.model_copy(update={"orders": {**shown.orders, "tools": order}})


class HidesWhatIsNeeded(Hide):
    """Hides a tool of the footprint, and one that a hook asks for."""

    def symbols(self, core: Core, surface: Surface, footprint: Footprint) -> tuple[SemanticId, ...]:
        return footprint.symbols

    def apply(self, core: Core, surface: Surface, footprint: Footprint, rng: Random) -> Surface:
        return surface.model_copy(update={"hidden": ("tool/get_quote",)})


class BeyondTheRange(Limits):
    """Moves a limit out of its legal range."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Core:
        limits = tuple(
            limit.model_copy(update={"value": 500}) if limit.id == "limit/reply_chars" else limit
            for limit in core.limits
        )
        return core.model_copy(update={"limits": limits})


class FaultOfNothing(Faults):
    """Plans a fault of a tool that is not there."""

    def apply(
        self, core: Core, surface: Surface, plan: FaultPlan, footprint: Footprint, rng: Random
    ) -> FaultPlan:
        return FaultPlan(faults=(Fault(tool="tool/none", call=1, kind="timeout"),))


class StaleFirst(Faults):
    """Plans a stale result where nothing came before."""

    def apply(
        self, core: Core, surface: Surface, plan: FaultPlan, footprint: Footprint, rng: Random
    ) -> FaultPlan:
        return FaultPlan(faults=(Fault(tool="tool/get_quote", call=1, kind="stale"),))


class SameMarkup(Markup):
    """Announces a change and makes none."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface


class DocumentsFixed(ToolDocs):
    """Documents tools in another form though one is fixed."""

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        return tuple(tool.id for tool in core.tools)

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(update={"tool_docs": "python"})


class InventsWordings(Wordings):
    """Words a text as nobody declared."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(
            update={"wordings": {"skill/item_qa/when": (Literally(text="Whenever you like."),)}}
        )


class Translates(Language):
    """Writes a translation of its own."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(update={"wordings": {"skill/item_qa/when": (Literally(text="有人问。"),)}})


class ChangesWhatFits(Language):
    """Draws another wording for what is written that way already."""

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        return ("prompt/system",)


class ClaimsTooMuch(Wordings):
    """Says that another wording is proved to mean the same."""

    level: ClassVar = "structural"


BROKEN: list[tuple[type[Operator], str]] = [
    (OneNameForAll, "valid"),
    (OneNameForAll, "accepted"),
    (RenamesFixed, "frozen"),
    (RenamesFixed, "accepted"),
    (OpaqueFields, "accepted"),
    (Unseeded, "deterministic"),
    (SpacedNames, "legal-names"),
    (ForgetsConstraints, "valid"),
    (ForgetsConstraints, "accepted"),
    (SameOrder, "effective"),
    (NearDuplicate, "accepted"),
    (OutsideTheOrder, "valid"),
    (HidesWhatIsNeeded, "accepted"),
    (BeyondTheRange, "valid"),
    (BeyondTheRange, "accepted"),
    (FaultOfNothing, "valid"),
    (FaultOfNothing, "accepted"),
    (FaultOfNothing, "effective"),
    (StaleFirst, "accepted"),
    (SameMarkup, "effective"),
    (DocumentsFixed, "frozen"),
    (DocumentsFixed, "accepted"),
    (InventsWordings, "valid"),
    (InventsWordings, "accepted"),
    (ClaimsTooMuch, "accepted"),
    (Translates, "valid"),
    (Translates, "accepted"),
    (ChangesWhatFits, "effective"),
]


BROKEN += [*TWINS, *twins_refactoring.BROKEN, *twins_capability.BROKEN, *twins_settings.BROKEN]

NEEDED = Footprint.of(["tool/get_quote"])


WAY = "tool/delivery_days/param/way"
SLIP = ("tool/apply_coupon/param/code", "tool/apply_coupon/param/link_id")
FIXED = {"tool/get_item", "skill/small_talk", "hook/skill_first"}


def shop_with_a_fixed_tool() -> tuple[Core, Surface]:
    """The live shop, in which the looks of one tool, one skill and one hook are under contract, one tool
    takes a record, and one has a choice.
    """
    core, surface = small_shop()
    sizes = Param(id="tool/get_item/param/sizes", type=BoolType(), has_default=True, default=True)
    tools, skills, hooks = (
        tuple(node.model_copy(update={"fixed": node.id in FIXED}) for node in nodes)
        for nodes in (core.tools, core.skills, core.hooks)
    )
    ways = tuple(EnumMember(id=f"{WAY}/value/{word}", value=word) for word in ("air", "sea"))
    more = {
        "tool/get_item": sizes,
        "tool/delivery_days": Param(id=WAY, type=EnumType(members=ways)),
    }
    same = (PythonImplementation(target="shop.hooks:same"),)
    hooks = tuple(hook.model_copy(update={"implementations": same}) for hook in hooks)
    tools = tuple(
        tool.model_copy(update={"params": (*tool.params, more[tool.id])}) if tool.id in more else tool
        for tool in tools
    )
    skills = tuple(
        skill.model_copy(update={"ordered": False}) if skill.id == "skill/item_qa" else skill
        for skill in skills
    )
    core = core.model_copy(update={"tools": tools, "skills": skills, "hooks": hooks})
    record = GroupParameters(tool="tool/apply_coupon", params=SLIP, into="slip", type="Slip")
    return record.applied(core), record.shown(core, surface)


@pytest.mark.parametrize(("twin", "law"), BROKEN, ids=lambda value: getattr(value, "__name__", value))
def test_a_law_rejects_the_broken_twin(twin: type[Operator], law: str) -> None:
    core, surface = shop_with_a_fixed_tool()
    step = applied(twin(), core, surface, NEEDED, seed=7)
    assert step is not None
    with pytest.raises(AssertionError):
        LAWS[law](step)


@pytest.mark.parametrize("name", OPERATORS)
def test_every_operator_has_a_broken_twin(name: str) -> None:
    assert any(issubclass(twin, OPERATORS[name]) for twin, _ in BROKEN)


NOT_WITH_A_FIXED_TOOL = {"tool-docs", "call-syntax"}


@pytest.mark.parametrize("name", sorted(set(OPERATORS) - NOT_WITH_A_FIXED_TOOL))
def test_the_honest_operator_passes_where_its_twins_fail(name: str) -> None:
    core, surface = shop_with_a_fixed_tool()
    step = applied(made(name), core, surface, NEEDED, seed=7)
    assert step is not None
    for law in {law for twin, law in BROKEN if issubclass(twin, OPERATORS[name])}:
        LAWS[law](step)


@pytest.mark.parametrize("name", sorted(NOT_WITH_A_FIXED_TOOL))
def test_a_fixed_tool_keeps_what_shows_all_tools(name: str) -> None:
    core, surface = shop_with_a_fixed_tool()
    assert applied(OPERATORS[name](), core, surface, Footprint(), seed=7) is None
