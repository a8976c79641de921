"""Broken twins of the operators that set items, messages, defaults and implementations otherwise."""

from random import Random
from typing import ClassVar

from augmentors.base import Operator
from augmentors.footprint import Footprint
from augmentors.near_duplicates import near_duplicate
from augmentors.operators.defaults import Defaults
from augmentors.operators.feedback import Feedback
from augmentors.operators.hooks import Hooks
from augmentors.operators.layout import Layout
from augmentors.operators.near_duplicates import NearDuplicates
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId, foreign
from harness_dsl.ir.listing import item_lists
from harness_dsl.ir.surface import Surface
from tests.laws.laws import TESTED


class LaysOutFixed(Layout):
    """Tabulates the rules of a section though its looks are under contract."""

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        return tuple(item_lists(core))

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(update={"layouts": dict.fromkeys(item_lists(core), "table")})


class LaysOutProse(Layout):
    """Tabulates a section that has no items."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(update={"layouts": {"prompt/system/section/persona": "table"}})


class SameLayout(Layout):
    """Counts saying what is so anyway as a variant."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(update={"layouts": dict.fromkeys(item_lists(core), "list")})


class SetsOffSilence(Feedback):
    """Sets off the message of a hook that has none."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(update={"feedback": {"hook/no_such": "tagged"}})


class SetsOffFixed(Feedback):
    """Sets off the message of a hook whose looks are under contract."""

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        return tuple(hook.id for hook in core.hooks)

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(
            update={"feedback": dict.fromkeys((hook.id for hook in core.hooks), "tagged")}
        )


class HidesFixedDefaults(Defaults):
    """Leaves out the default of a parameter whose looks are under contract."""

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        return tuple(param.id for tool in core.tools for param in tool.params)

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        ids = (param.id for tool in core.tools for param in tool.params if param.has_default)
        return surface.model_copy(update={"unsaid": tuple(ids)})


class HidesWhatIsRequired(Defaults):
    """Leaves out the default of a parameter that has none."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(update={"unsaid": ("tool/get_quote/param/link_id",)})


class RunsWhatNobodyDeclares(Hooks):
    """Runs an implementation of a number that there is none of."""

    def __init__(self) -> None:
        super().__init__(TESTED)

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(update={"implementations": {"hook/price_is_quoted": 7}})


class RunsFixed(Hooks):
    """Runs another implementation of a hook that is under contract."""

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        return ("hook/skill_first",)

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(update={"implementations": {"hook/skill_first": 1}})


class ClaimsAProof(Hooks):
    """Says that two implementations are proved to be equal."""

    level: ClassVar = "structural"

    def __init__(self) -> None:
        super().__init__(TESTED)


class DuplicatesWhatIsNeeded(NearDuplicates):
    """Resembles a tool that the task needs."""

    def apply(self, core: Core, surface: Surface, footprint: Footprint, rng: Random) -> Surface:
        quote = next(tool for tool in core.tools if tool.id == "tool/get_quote")
        shown = super().apply(core, surface, footprint, rng)
        twin = near_duplicate(core, surface, quote, 0)
        order = (*shown.orders["tools"], foreign(twin.name))
        orders = {**shown.orders, "tools": order}
        return shown.model_copy(update={"distractors": (*shown.distractors, twin), "orders": orders})


class DuplicatesTwice(NearDuplicates):
    """Adds the same duplicate again."""

    def apply(self, core: Core, surface: Surface, footprint: Footprint, rng: Random) -> Surface:
        shown = super().apply(core, surface, footprint, rng)
        return shown.model_copy(update={"distractors": shown.distractors * 2})


BROKEN: list[tuple[type[Operator], str]] = [
    (LaysOutFixed, "frozen"),
    (LaysOutFixed, "accepted"),
    (LaysOutProse, "valid"),
    (SameLayout, "effective"),
    (SetsOffSilence, "valid"),
    (SetsOffSilence, "accepted"),
    (SetsOffFixed, "frozen"),
    (SetsOffFixed, "accepted"),
    (HidesFixedDefaults, "frozen"),
    (HidesFixedDefaults, "accepted"),
    (HidesWhatIsRequired, "valid"),
    (HidesWhatIsRequired, "accepted"),
    (RunsWhatNobodyDeclares, "valid"),
    (RunsWhatNobodyDeclares, "accepted"),
    (RunsFixed, "frozen"),
    (RunsFixed, "accepted"),
    (ClaimsAProof, "accepted"),
    (DuplicatesWhatIsNeeded, "accepted"),
    (DuplicatesTwice, "valid"),
    (DuplicatesTwice, "accepted"),
]
