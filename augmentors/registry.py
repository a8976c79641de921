"""Every operator by name, in the order in which a composition applies them."""

from collections.abc import Iterable
from dataclasses import dataclass

from augmentors.base import Operator, Parameters
from augmentors.footprint import Footprint
from augmentors.operators.abbreviate import Abbreviate
from augmentors.operators.add_rule import AddRuleOperator
from augmentors.operators.call_syntax import CallSyntax
from augmentors.operators.defaults import Defaults
from augmentors.operators.distractors import Distractors
from augmentors.operators.faults import Faults
from augmentors.operators.feedback import Feedback
from augmentors.operators.flatten_parameter import FlattenParameterOperator
from augmentors.operators.group_parameters import GroupParametersOperator
from augmentors.operators.hide import Hide
from augmentors.operators.hooks import Hooks
from augmentors.operators.language import Language
from augmentors.operators.layout import Layout
from augmentors.operators.limits import Limits
from augmentors.operators.markup import Markup
from augmentors.operators.merge_tools import MergeToolsOperator
from augmentors.operators.move_rule import MoveRuleOperator
from augmentors.operators.name_language import NameLanguage
from augmentors.operators.near_duplicates import NearDuplicates
from augmentors.operators.opaque_names import OpaqueNames
from augmentors.operators.remove_tool import RemoveToolOperator
from augmentors.operators.rename import Rename
from augmentors.operators.reorder import Reorder
from augmentors.operators.skill_loader import SkillLoader
from augmentors.operators.split_tool import SplitToolOperator
from augmentors.operators.tool_docs import ToolDocs
from augmentors.operators.wordings import Wordings
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface

OPERATORS: dict[str, type[Operator]] = {
    operator.name: operator
    for operator in (
        RemoveToolOperator,
        AddRuleOperator,
        SplitToolOperator,
        MergeToolsOperator,
        FlattenParameterOperator,
        GroupParametersOperator,
        MoveRuleOperator,
        Rename,
        Abbreviate,
        NameLanguage,
        OpaqueNames,
        SkillLoader,
        Wordings,
        Language,
        Hide,
        Distractors,
        NearDuplicates,
        Reorder,
        Markup,
        Layout,
        ToolDocs,
        Defaults,
        CallSyntax,
        Feedback,
        Hooks,
        Limits,
        Faults,
    )
}
"""By name, in an order that satisfies `BEFORE`."""


@dataclass(frozen=True)
class Before:
    """`first` is applied before `second`, because of `reason`."""

    first: str
    second: str
    reason: str


_NAMING = ("rename", "abbreviate", "name-language", "opaque-names")

BEFORE: tuple[Before, ...] = (
    *(
        Before(first, second, "the name that is given last is the one that is shown")
        for at, first in enumerate(_NAMING)
        for second in _NAMING[at + 1 :]
    ),
    *(
        Before(
            name,
            "distractors",
            "a distractor is only shown if its name differs from the names shown in the end",
        )
        for name in (*_NAMING, "skill-loader")
    ),
    *(
        Before(
            name, "near-duplicates", "a near duplicate is named and described like what is shown in the end"
        )
        for name in (*_NAMING, "skill-loader", "wordings", "language", "hide")
    ),
    *(
        Before(
            name, "reorder", "distractors are shuffled with the tools, or their place would give them away"
        )
        for name in ("distractors", "near-duplicates")
    ),
    Before("wordings", "language", "a wording drawn afterwards would not keep to one language"),
    Before("language", "hide", "only what no wording shown in the end speaks of may be hidden"),
    Before("language", "limits", "a limit only moves where the wording shown in the end prints it"),
    Before("wordings", "layout", "a text is only set in a layout that its wording shown in the end fits"),
    Before("language", "layout", "a text is only set in a layout that its wording shown in the end fits"),
    *(
        Before(name, "layout", "a text is only set in a layout that the names shown in the end fit")
        for name in (*_NAMING, "skill-loader")
    ),
    Before("hide", "layout", "only what is shown in the end is set otherwise"),
    Before("hide", "defaults", "only a tool that is shown in the end says its defaults or does not"),
    Before("wordings", "hide", "only what no wording shown in the end speaks of may be hidden"),
    Before("wordings", "limits", "a limit only moves where the wording shown in the end prints it"),
    Before("split-tool", "merge-tools", "what was merged would be split again"),
    Before("flatten-parameter", "group-parameters", "what was grouped would be taken apart again"),
    *(
        Before(first, second, "the others show the shape that the harness has in the end")
        for first in OPERATORS
        for second in OPERATORS
        if OPERATORS[first].kind == "refactoring"
        and OPERATORS[second].kind not in ("refactoring", "capability")
    ),
    *(
        Before(first, second, "no adapter leads back to a harness that meant something else")
        for first in OPERATORS
        for second in OPERATORS
        if OPERATORS[first].kind == "capability" != OPERATORS[second].kind
    ),
)
"""Pairs not named here may be applied in either order."""


def allowed(names: Iterable[str]) -> bool:
    """Whether operators may be applied in this order: none twice, and every pair of `BEFORE` respected."""
    order = list(names)
    place = {name: at for at, name in enumerate(order)}
    return len(place) == len(order) and all(
        place[rule.first] < place[rule.second]
        for rule in BEFORE
        if rule.first in place and rule.second in place
    )


def applicable(
    operators: Iterable[Operator], core: Core, surface: Surface, footprint: Footprint
) -> dict[str, tuple[SemanticId, ...]]:
    """By operator, the ids that it could change in a row that starts from `surface`."""
    found: dict[str, tuple[SemanticId, ...]] = {}
    for operator in operators:
        if operator.kind == "task-relative":
            found[operator.name] = operator.symbols(core, surface, footprint)
        else:
            found[operator.name] = operator.symbols(core, surface)
    return found


def create(name: str, parameters: Parameters | None = None) -> Operator:
    """The operator called `name`; raises `KeyError` for an unknown name."""
    return OPERATORS[name](parameters)
