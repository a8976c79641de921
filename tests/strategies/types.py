"""Types, and JSON values of them."""

from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from harness_dsl.ir.core import Core, TypeDecl
from harness_dsl.ir.ids import join, leaf
from harness_dsl.ir.types import (
    AnyType,
    BoolType,
    DecimalType,
    EnumMember,
    EnumType,
    FloatType,
    IntType,
    ListType,
    MapType,
    NamedType,
    NullableType,
    StringType,
    TimeType,
    Type,
    UnionType,
)
from tests.strategies.choices import Choices
from tests.strategies.names import VALUES

SCALARS: tuple[Type, ...] = (
    StringType(),
    StringType(max_length=12),
    StringType(pattern="[A-Z]{2}[0-9]{2}"),
    IntType(),
    IntType(min=1, max=99),
    DecimalType(),
    DecimalType(min=Decimal("0"), max=Decimal("9999.99")),
    FloatType(min=0.0, max=1.0),
    BoolType(),
    TimeType(form="date"),
    TimeType(form="time"),
    TimeType(form="datetime"),
)
WORDS = (
    "name",
    "quantity",
    "get_quote",
    "query_price",
    "search",
    "红色",
    "3号链接",
    'a "b"',
    "x{y}",
    "",
    "\n",
)
TIMES = {
    "date": ("2025-11-11", "2024-02-29"),
    "time": ("20:30:00", "08:05:09"),
    "datetime": ("2025-11-11T20:30:00+08:00", "2024-02-29T00:00:00Z"),
}


def enums(c: Choices, owner: str) -> EnumType:
    """An enum written at `owner`."""
    values = c.some(VALUES, 1, 3)
    return EnumType(members=tuple(EnumMember(id=join_under(owner, "value", v), value=v) for v in values))


def join_under(owner: str, *parts: str) -> str:
    """`owner` is an id already: only `parts` are escaped."""
    return owner + "/" + join(*parts)


def types(c: Choices, owner: str, named: tuple[str, ...] = (), depth: int = 1) -> Type:
    """A type whose enum values lie under `owner`. `named` types may be mentioned."""
    shapes = ["scalar", "scalar", "enum"]
    if named:
        shapes.append("named")
    if depth:
        shapes += ["list", "map", "nullable", "union", "any"]
    match c.pick(shapes):
        case "enum":
            return enums(c, owner)
        case "named":
            return NamedType(type=c.pick(named))
        case "list":
            return ListType(item=types(c, owner, named, depth - 1), max_length=c.pick((None, 3)))
        case "map":
            return MapType(value=types(c, owner, named, depth - 1))
        case "nullable":
            return NullableType(item=types(c, owner, named, depth - 1))
        case "union":
            return _union(c, owner, named)
        case "any":
            return AnyType()
        case _:
            return c.pick(SCALARS)


def _union(c: Choices, owner: str, named: tuple[str, ...]) -> UnionType:
    """A number or an enum; or two declared types, which may be alike, or lists of them."""
    if len(named) < 2 or c.flip():
        return UnionType(options=(IntType(), enums(c, owner)))
    options: list[Type] = [NamedType(type=name) for name in c.some(named, 2, 2)]
    return UnionType(options=tuple(map(_list_of, options) if c.flip() else options))


def _list_of(item: Type) -> ListType:
    return ListType(item=item)


def _record(type_: str, core: Core) -> TypeDecl | None:
    return next((decl for decl in core.types if decl.id == type_), None)


@st.composite
def values_of(draw: st.DrawFn, type_: Type, core: Core) -> Any:
    """JSON values of `type_` in `core`."""
    return value(Choices(draw), type_, core)


def value(c: Choices, type_: Type, core: Core, depth: int = 3) -> Any:
    """A JSON value of `type_`. Strings are at times the name of a tool."""
    match type_:
        case StringType():
            return _string(c, type_, core)
        case IntType():
            low = type_.min if type_.min is not None else -1000
            high = type_.max if type_.max is not None else max(low, 10_000)
            return c.between(min(low, high), high)
        case DecimalType():
            return _decimal(c, type_)
        case FloatType():
            return _float(c, type_)
        case BoolType():
            return c.flip()
        case TimeType():
            return c.pick(TIMES[type_.form])
        case AnyType():
            return c.pick((None, 7, "search", [1, "a"], {"name": "get_quote"}))
        case EnumType():
            return c.pick([member.value for member in type_.members])
        case NullableType():
            return value(c, type_.item, core, depth - 1) if depth > 0 and c.flip() else None
        case ListType():
            return _list(c, type_, core, depth)
        case MapType():
            keys = c.some(("name", "k", "颜色"), 0, 2) if depth > 0 else []
            return {key: value(c, type_.value, core, depth - 1) for key in keys}
        case UnionType():
            return value(c, c.pick(type_.options), core, depth - 1)
        case NamedType():
            return _named(c, type_, core, depth)


def _string(c: Choices, type_: StringType, core: Core) -> str:
    low, high = type_.min_length or 0, type_.max_length
    if type_.pattern is not None:
        matching = st.from_regex(type_.pattern, fullmatch=True)
        return c.draw(matching.filter(lambda text: low <= len(text) <= (len(text) if high is None else high)))
    names = tuple(leaf(tool.id) for tool in core.tools)
    return c.pick(WORDS + names).ljust(low, "多")[:high]


def _float(c: Choices, type_: FloatType) -> float:
    if type_.min is not None:
        width = 64.0 if type_.max is None else type_.max - type_.min
        return type_.min + width * c.between(0, 64) / 64
    return (0.0 if type_.max is None else type_.max) - c.between(0, 64) / 2


def _decimal(c: Choices, type_: DecimalType) -> int | float:
    """JSON numbers of at most two decimals, so that their text is exact."""
    low = int(type_.min) if type_.min is not None else 0
    high = int(type_.max) if type_.max is not None else low + 5000
    quarters = c.between(low * 4, high * 4)
    return quarters // 4 if quarters % 4 == 0 else quarters / 4


def _list(c: Choices, type_: ListType, core: Core, depth: int) -> list[Any]:
    low = type_.min_length or 0
    room = 2 if depth > 0 else 0
    high = max(low, room if type_.max_length is None else min(room, type_.max_length))
    return [value(c, type_.item, core, depth - 1) for _ in range(c.between(low, high))]


def _named(c: Choices, type_: NamedType, core: Core, depth: int) -> Any:
    decl = _record(type_.type, core)
    assert decl is not None, f"{type_.type} is not declared"
    if decl.alias is not None:
        return value(c, decl.alias, core, depth)
    fields: dict[str, Any] = {}
    for field in decl.fields or ():
        if field.optional and (depth <= 0 or c.flip()):
            continue
        fields[leaf(field.id)] = value(c, field.type, core, depth - 1)
    return fields
