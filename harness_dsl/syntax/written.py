"""Expressions as text, and what follows from their form alone."""

from typing import assert_never

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.values import exact


def written(expression: t.Expr) -> str:
    """A path as text, for telling two of them apart; "" for anything else."""
    if isinstance(expression, t.Path):
        return ".".join([expression.root.text, *(segment.text for segment in expression.segments)])
    return ""


def source(node: t.Expr) -> str:
    """`node` in one written form, so that equal expressions give equal texts."""
    match node:
        case t.Path():
            return written(node)
        case t.LiteralExpr():
            value = node.value
            if isinstance(value, t.Number):
                return str(exact(value))
            return repr(value_of(value)) if isinstance(value, t.Quote) else repr(value)
        case t.ReplyWord():
            return "reply"
        case t.CallExpr():
            rest = "".join(f".{segment.text}" for segment in node.segments)
            return f"{node.function.text}({source(node.argument)}){rest}"
        case t.Apply():
            argument = f"({value_of(node.argument)!r})" if node.argument is not None else ""
            return f"{source(node.subject)} | {node.name.text}{argument}"
        case t.NotExpr():
            return f"not ({source(node.operand)})"
        case t.Infix():
            return f"({source(node.left)} {node.operator} {source(node.right)})"
        case t.MatchesExpr():
            return f"({source(node.subject)} matches {value_of(node.pattern)!r})"
        case t.EveryExpr():
            return f"every {source(node.subject)} in {source(node.within)}"
        case _:
            assert_never(node)


def known_present(condition: t.Expr) -> frozenset[str]:
    """The paths that are not null where `condition` holds."""
    if isinstance(condition, t.Infix):
        if condition.operator == "and":
            return known_present(condition.left) | known_present(condition.right)
        if condition.operator == "!=":
            for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
                if isinstance(other, t.LiteralExpr) and other.value is None and written(one):
                    return frozenset([written(one)])
    return frozenset()
