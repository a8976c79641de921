"""Types."""

from decimal import Decimal
from typing import assert_never

from harness_dsl.ir import types as ir
from harness_dsl.ir.ids import join, segment
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.lowering.state import Lowering
from harness_dsl.syntax.quotes import value_of


def lower_type(node: t.TypeNode, owner: str, state: Lowering) -> ir.Type:
    """The type `node`, written at the symbol `owner`, which its enum values belong to."""
    match node:
        case t.LiteralType():
            return ir.EnumType(members=(_member(node, owner, state),))
        case t.NullableTypeNode():
            return ir.NullableType(item=lower_type(node.item, owner, state))
        case t.ListTypeNode():
            low = node.bounds.low if node.bounds else None
            high = node.bounds.high if node.bounds else None
            return ir.ListType(
                item=lower_type(node.item, owner, state),
                min_length=int(low.text) if low else None,
                max_length=int(high.text) if high else None,
            )
        case t.GenericType():
            return ir.MapType(value=lower_type(node.item, owner, state))
        case t.UnionTypeNode():
            return _union(node, owner, state)
        case t.NamedType():
            return _named(node)
        case _:
            assert_never(node)


def _member(node: t.LiteralType, owner: str, state: Lowering) -> ir.EnumMember:
    value = value_of(node.value)
    id_ = f"{owner}/value/{segment(value)}"
    state.place(id_, node.value)
    state.name(id_, node.named)
    return ir.EnumMember(id=id_, value=value)


def _union(node: t.UnionTypeNode, owner: str, state: Lowering) -> ir.Type:
    """Literals become one enum, which stands where the first of them stood."""
    options: list[ir.Type] = []
    members: list[ir.EnumMember] = []
    at = 0
    for option in node.options:
        if isinstance(option, t.LiteralType):
            if not members:
                at = len(options)
            members.append(_member(option, owner, state))
        else:
            options.append(lower_type(option, owner, state))
    if members:
        options.insert(at, ir.EnumType(members=tuple(members)))
    return options[0] if len(options) == 1 else ir.UnionType(options=tuple(options))


def _named(node: t.NamedType) -> ir.Type:
    limits = {constraint.name.text: constraint.value for constraint in node.constraints}

    def text(word: str) -> str | None:
        value = limits.get(word)
        return value_of(value) if isinstance(value, t.Quote) else None

    def number(word: str) -> str | None:
        value = limits.get(word)
        return value.text if isinstance(value, t.Number) else None

    def whole(word: str) -> int | None:
        value = number(word)
        return int(value) if value is not None else None

    def exact(word: str) -> Decimal | None:
        value = number(word)
        return Decimal(value) if value is not None else None

    def approximate(word: str) -> float | None:
        value = number(word)
        return float(value) if value is not None else None

    match node.name.text:
        case "string":
            return ir.StringType(
                min_length=whole("min_length"),
                max_length=whole("max_length"),
                pattern=text("pattern"),
                format=text("format"),
            )
        case "int":
            return ir.IntType(min=whole("min"), max=whole("max"))
        case "decimal":
            return ir.DecimalType(min=exact("min"), max=exact("max"))
        case "float":
            return ir.FloatType(min=approximate("min"), max=approximate("max"))
        case "bool":
            return ir.BoolType()
        case "date":
            return ir.TimeType(form="date")
        case "time":
            return ir.TimeType(form="time")
        case "datetime":
            return ir.TimeType(form="datetime")
        case "any":
            return ir.AnyType()
        case name:
            return ir.NamedType(type=join("type", name))
