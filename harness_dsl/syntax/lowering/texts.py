"""Templates and expressions."""

from decimal import Decimal
from typing import Any, assert_never

from harness_dsl.ir import expressions as ir
from harness_dsl.ir.ids import join
from harness_dsl.ir.texts import For, If, Interpolation, Literally, Part, Reference, Template
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.checks.texts import is_reference
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.references import Target, target_of
from harness_dsl.syntax.symbols import Symbols
from harness_dsl.syntax.values import exact

_AFFIXES: dict[str, Any] = {"starts with": "start", "ends with": "end", "contains": "inside"}


def lower_parts(parts: list[t.PartNode], symbols: Symbols, loops: frozenset[str] = frozenset()) -> Template:
    """A template; neighbouring literals are joined."""
    found: list[Part] = []
    for part in parts:
        lowered = _part(part, symbols, loops)
        if isinstance(lowered, Literally):
            if not lowered.text:
                continue
            if found and isinstance(found[-1], Literally):
                found[-1] = Literally(text=found[-1].text + lowered.text)
                continue
        found.append(lowered)
    return tuple(found)


def _part(part: t.PartNode, symbols: Symbols, loops: frozenset[str]) -> Part:
    match part:
        case t.Chunk():
            return Literally(text=part.text)
        case t.Shown():
            return _shown(part.expression, symbols, loops)
        case t.IfPart():
            return If(
                condition=lower_expression(part.condition, symbols, loops),
                then=lower_parts(part.then, symbols, loops),
                otherwise=lower_parts(part.otherwise, symbols, loops),
            )
        case t.ForPart():
            return For(
                variable=part.variable.text,
                values=lower_expression(part.values, symbols, loops),
                body=lower_parts(part.body, symbols, loops | {part.variable.text}),
            )
        case _:
            assert_never(part)


def _shown(node: t.Expr, symbols: Symbols, loops: frozenset[str]) -> Part:
    """A quoted constant is the escape for literal braces: it is plain text."""
    if isinstance(node, t.LiteralExpr) and isinstance(node.value, t.Quote):
        return Literally(text=value_of(node.value))
    if isinstance(node, t.Path) and is_reference(node):
        target = target_of(node, symbols)
        assert isinstance(target, Target)
        return Reference(target=target.id)
    return Interpolation(value=lower_expression(node, symbols, loops))


def lower_expression(node: t.Expr, symbols: Symbols, loops: frozenset[str] = frozenset()) -> ir.Expression:
    def lowered(inner: t.Expr) -> ir.Expression:
        return lower_expression(inner, symbols, loops)

    match node:
        case t.LiteralExpr():
            return ir.Constant(value=_constant(node))
        case t.Path():
            return _path(node, loops)
        case t.ReplyWord():
            return ir.Reply()
        case t.CallExpr():
            return _call(node, symbols, loops)
        case t.Apply():
            return _filter(node, lowered(node.subject))
        case t.NotExpr():
            return ir.Not(operand=lowered(node.operand))
        case t.MatchesExpr():
            return ir.Matches(subject=lowered(node.subject), pattern=value_of(node.pattern))
        case t.EveryExpr():
            return ir.Every(subject=lowered(node.subject), within=lowered(node.within))
        case t.Infix():
            left, right = lowered(node.left), lowered(node.right)
            if node.operator in _AFFIXES:
                return ir.Affix(where=_AFFIXES[node.operator], subject=left, text=right)
            operator: Any = node.operator
            return ir.Binary(operator=operator, left=left, right=right)
        case _:
            assert_never(node)


def _constant(node: t.LiteralExpr) -> bool | int | Decimal | str | None:
    match node.value:
        case t.Number():
            return exact(node.value)
        case t.Quote():
            return value_of(node.value)
        case value:
            return value


def _path(node: t.Path, loops: frozenset[str]) -> ir.Expression:
    root, rest = node.root.text, tuple(segment.text for segment in node.segments)
    if root in loops:
        return ir.LoopValue(name=root, path=rest)
    if root == "limits":
        return ir.LimitValue(limit=join("limit", rest[0]))
    if root == "argument":
        return ir.Argument(name=rest[0])
    return ir.InputValue(input=join("input", root), path=rest)


def _call(node: t.CallExpr, symbols: Symbols, loops: frozenset[str]) -> ir.Expression:
    name = node.function.text
    if name in ("results", "called", "calling", "loaded"):
        assert isinstance(node.argument, t.Path)
        about = node.argument.root.text
        if name == "results":
            path = tuple(segment.text for segment in node.segments)
            return ir.Results(tool=join("tool", about), path=path)
        if name == "called":
            return ir.Called(tool=join("tool", about))
        if name == "calling":
            return ir.Calling(tool=join("tool", about))
        return ir.Loaded(skill=join("skill", about))
    subject = lower_expression(node.argument, symbols, loops)
    function: Any = name
    if name in ("chars", "count"):
        return ir.Measure(function=function, subject=subject)
    return ir.Extract(function=function, subject=subject)


def _filter(node: t.Apply, subject: ir.Expression) -> ir.Expression:
    name: Any = node.name.text
    argument = value_of(node.argument) if node.argument is not None else None
    return ir.Filter(name=name, subject=subject, argument=argument)
