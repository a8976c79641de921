"""Predicates of a harness that lost a tool: what they say when the tool is never called."""

from harness_dsl.ir.expressions import (
    Binary,
    Called,
    Calling,
    Constant,
    Every,
    Expression,
    Extract,
    Measure,
    Not,
    Results,
)
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.walk import subexpressions

TRUE, FALSE = Constant(value=True), Constant(value=False)


def never_called(expression: Expression, tool: SemanticId) -> Expression:
    """`expression` where no call of `tool` is ever made, without what is decided by that. What it says of the
    results of `tool` stays where no other expression says it without them (see `speaks_of`).
    """
    match expression:
        case Called() | Calling() if expression.tool == tool:
            return FALSE
        case Measure(subject=Results(tool=of)) if of == tool:
            return Constant(value=0)
        case Every(subject=Extract() as subject, within=Results(tool=of)) if of == tool:
            # Nothing may be stated where nothing could have told it.
            return Binary(
                operator="==", left=Measure(function="count", subject=subject), right=Constant(value=0)
            )
        case Not():
            return _negated(never_called(expression.operand, tool))
        case Binary(operator="and" | "or"):
            return _joined(
                expression, never_called(expression.left, tool), never_called(expression.right, tool)
            )
        case Binary():
            left, right = never_called(expression.left, tool), never_called(expression.right, tool)
            return expression.model_copy(update={"left": left, "right": right})
        case _:
            return expression


def speaks_of(expression: Expression, tool: SemanticId) -> bool:
    """Whether some part of `expression` is about `tool`."""
    return any(
        isinstance(part, Called | Calling | Results) and part.tool == tool
        for part in subexpressions(expression)
    )


def _negated(operand: Expression) -> Expression:
    if operand == TRUE:
        return FALSE
    return TRUE if operand == FALSE else Not(operand=operand)


def _joined(whole: Binary, left: Expression, right: Expression) -> Expression:
    """`left` and (or) `right` without a part that decides nothing."""
    decides, idle = (FALSE, TRUE) if whole.operator == "and" else (TRUE, FALSE)
    if decides in (left, right):
        return decides
    if left == idle:
        return right
    return left if right == idle else whole.model_copy(update={"left": left, "right": right})
