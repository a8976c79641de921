"""Every rule, in the order of its code."""

from harness_dsl.lint.rule import Rule
from harness_dsl.lint.rules.backtracking_pattern import BacktrackingPattern
from harness_dsl.lint.rules.bare_name import BareName
from harness_dsl.lint.rules.colliding_surface_names import CollidingSurfaceNames
from harness_dsl.lint.rules.confusable_names import ConfusableNames
from harness_dsl.lint.rules.confusable_surface_names import ConfusableSurfaceNames
from harness_dsl.lint.rules.dangling_reference import DanglingReference
from harness_dsl.lint.rules.early_runtime_value import EarlyRuntimeValue
from harness_dsl.lint.rules.illegal_surface_name import IllegalSurfaceName
from harness_dsl.lint.rules.limit_outside_range import LimitOutsideRange
from harness_dsl.lint.rules.order_cycle import OrderCycle
from harness_dsl.lint.rules.tool_without_description import ToolWithoutDescription
from harness_dsl.lint.rules.uncovered_rule import UncoveredRule
from harness_dsl.lint.rules.undefined_template_name import UndefinedTemplateName
from harness_dsl.lint.rules.unlabelled_item import UnlabelledItem
from harness_dsl.lint.rules.untrusted_in_prompt import UntrustedInPrompt
from harness_dsl.lint.rules.unused_input import UnusedInput
from harness_dsl.lint.rules.value_outside_type import ValueOutsideType

RULES: tuple[Rule, ...] = (
    UnlabelledItem(),
    OrderCycle(),
    ConfusableNames(),
    UnusedInput(),
    ValueOutsideType(),
    LimitOutsideRange(),
    UndefinedTemplateName(),
    DanglingReference(),
    BareName(),
    BacktrackingPattern(),
    ToolWithoutDescription(),
    UncoveredRule(),
    UntrustedInPrompt(),
    IllegalSurfaceName(),
    CollidingSurfaceNames(),
    ConfusableSurfaceNames(),
    EarlyRuntimeValue(),
)
