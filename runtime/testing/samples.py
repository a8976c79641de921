"""A value of a type, for arguments that an expectation leaves free."""

from decimal import Decimal
from typing import Any, assert_never

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.types import (
    AnyType,
    BoolType,
    DecimalType,
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
from harness_dsl.ir.values import check_value
from runtime.testing.words import words

TIMES = {"date": "2026-01-01", "time": "12:00", "datetime": "2026-01-01T12:00:00Z"}


def sample(type_: Type, core: Core) -> Any:
    """A small JSON value of `type_`. Text with a pattern is the one kind that it may miss, if no text that
    fits is found.
    """
    match type_:
        case StringType():
            return next((word for word in words(type_) if check_value(word, type_, core) is None), "x")
        case IntType() | DecimalType() | FloatType():
            return _number(type_)
        case BoolType():
            return True
        case TimeType():
            return TIMES[type_.form]
        case AnyType() | NullableType():
            return None
        case EnumType():
            return type_.members[0].value
        case ListType():
            return [sample(type_.item, core) for _ in range(type_.min_length or 0)]
        case MapType():
            return {}
        case UnionType():
            return sample(type_.options[0], core)
        case NamedType():
            return _named(type_, core)
        case _:
            assert_never(type_)


def _number(type_: IntType | DecimalType | FloatType) -> int | float:
    low, high = type_.min, type_.max
    value = Decimal(1) if low is None else max(Decimal(1), Decimal(str(low)))
    if high is not None:
        value = min(value, Decimal(str(high)))
    return int(value) if value == value.to_integral_value() else float(value)


def _named(type_: NamedType, core: Core) -> Any:
    decl = next(decl for decl in core.types if decl.id == type_.type)
    if decl.alias is not None:
        return sample(decl.alias, core)
    required = (field for field in decl.fields or () if not field.optional)
    return {leaf(field.id): sample(field.type, core) for field in required}
