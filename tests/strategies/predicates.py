"""Predicates over a turn: the checks of rules and the conditions of hooks."""

from decimal import Decimal

from harness_dsl.ir.core import Core, Tool
from harness_dsl.ir.expressions import (
    Affix,
    Argument,
    Binary,
    Called,
    Calling,
    Constant,
    Every,
    Expression,
    Extract,
    LimitValue,
    Loaded,
    Matches,
    Measure,
    Not,
    Reply,
    Results,
)
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.types import DecimalType, FloatType, IntType, NamedType
from tests.strategies.choices import Choices

PATTERNS = (r"\d+(\.\d+)?元", r"^亲", r"https?://", r"[。！]$")


def number_results(core: Core) -> list[Expression]:
    """`results(tool).field` for every field of a record result that holds a number."""
    records = {decl.id: decl.fields or () for decl in core.types}
    found: list[Expression] = []
    for tool in core.tools:
        if isinstance(tool.returns, NamedType):
            for field in records.get(tool.returns.type, ()):
                if isinstance(field.type, DecimalType | FloatType | IntType):
                    found.append(Results(tool=tool.id, path=(leaf(field.id),)))
        if isinstance(tool.returns, DecimalType | IntType):
            found.append(Results(tool=tool.id))
    return found


def replies(c: Choices, core: Core) -> Expression:
    """A predicate on a reply and what came before it in the turn."""
    chars = Measure(function="chars", subject=Reply())
    choices: list[Expression] = [
        Binary(operator="<=", left=chars, right=Constant(value=60)),
        Not(operand=Matches(subject=Reply(), pattern=c.pick(PATTERNS))),
        Binary(operator="<", left=Constant(value=Decimal("0.5")), right=chars),
        Affix(where="inside", subject=Reply(), text=Constant(value="1.5")),
    ]
    for limit in core.limits:
        value = LimitValue(limit=limit.id)
        if isinstance(limit.value, str):
            choices.append(Affix(where="start", subject=Reply(), text=value))
        else:
            choices.append(Binary(operator="<=", left=chars, right=value))
    for numbers in number_results(core):
        choices.append(Every(subject=Extract(function="price", subject=Reply()), within=numbers))
    choices += [Called(tool=tool.id) for tool in core.tools] + [
        Loaded(skill=skill.id) for skill in core.skills
    ]
    first = c.pick(choices)
    if c.flip():
        return first
    operator = c.pick(("and", "or"))
    return Binary(operator=operator, left=first, right=Not(operand=c.pick(choices)))


def calls(c: Choices, tools: tuple[Tool, ...]) -> Expression:
    """A predicate on a call that is about to happen or has happened."""
    names = sorted({leaf(param.id) for tool in tools for param in tool.params})
    choices: list[Expression] = [Not(operand=Called(tool=tool.id)) for tool in tools]
    choices += [Calling(tool=tool.id) for tool in tools]
    choices += [
        Binary(operator="==", left=Argument(name=name), right=Constant(value="name")) for name in names
    ]
    return c.pick(choices) if choices else Constant(value=True)
