"""Which type admits every value of another: what makes an edit of a type looser or tighter."""

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
from harness_dsl.ir.values import fits


def admits(wide: Type, narrow: Type) -> bool:
    """Whether every value of `narrow` is one of `wide`, as far as can be seen without following names.

    Named types admit themselves only: a change of a declared type is an edit of that type. The relation is
    reflexive and transitive, and misses some pairs (a date is a text) rather than claim too much.
    """
    match narrow, wide:
        case _, AnyType():
            return True
        case UnionType(), _:
            return all(admits(wide, option) for option in narrow.options)
        case NullableType(), _:
            return _admits_null(wide) and admits(wide, narrow.item)
        case _, NullableType():
            return admits(wide.item, narrow)
        case _, UnionType():
            return any(admits(option, narrow) for option in wide.options)
        case ListType(), ListType():
            return _contains(_lengths(wide), _lengths(narrow)) and admits(wide.item, narrow.item)
        case MapType(), MapType():
            return admits(wide.value, narrow.value)
        case EnumType(), EnumType():
            return _values(narrow) <= _values(wide)
        case EnumType(), StringType():
            return all(fits(member.value, wide) for member in narrow.members)
        case StringType(), StringType():
            return _contains(_lengths(wide), _lengths(narrow)) and _marks(narrow, wide)
        case IntType(), IntType() | DecimalType() | FloatType():
            return _contains((wide.min, wide.max), (narrow.min, narrow.max))
        case DecimalType(), DecimalType():
            return _contains((wide.min, wide.max), (narrow.min, narrow.max))
        case FloatType(), FloatType():
            return _contains((wide.min, wide.max), (narrow.min, narrow.max))
        case (BoolType(), BoolType()) | (TimeType(), TimeType()) | (NamedType(), NamedType()):
            return narrow == wide
        case _:
            return False


def same_values(one: Type, other: Type) -> bool:
    """Whether two types differ at most in the order in which enum values are declared."""
    match one, other:
        case EnumType(), EnumType():
            return _values(one) == _values(other)
        case ListType(), ListType():
            return _lengths(one) == _lengths(other) and same_values(one.item, other.item)
        case NullableType(), NullableType():
            return same_values(one.item, other.item)
        case MapType(), MapType():
            return same_values(one.value, other.value)
        case UnionType(), UnionType():
            pairs = zip(one.options, other.options, strict=False)
            return len(one.options) == len(other.options) and all(same_values(*pair) for pair in pairs)
        case _:
            return one == other


def _admits_null(type_: Type) -> bool:
    match type_:
        case AnyType() | NullableType():
            return True
        case UnionType():
            return any(_admits_null(option) for option in type_.options)
        case _:
            return False


def _values(type_: EnumType) -> set[str]:
    return {member.value for member in type_.members}


def _lengths(type_: StringType | ListType) -> tuple[int | None, int | None]:
    return type_.min_length or 0, type_.max_length


def _marks(narrow: StringType, wide: StringType) -> bool:
    return wide.pattern in (None, narrow.pattern) and wide.format in (None, narrow.format)


def _contains(wide: tuple[object, object], narrow: tuple[object, object]) -> bool:
    return _not_above(wide[0], narrow[0]) and _not_above(narrow[1], wide[1], open_is_high=True)


def _not_above(low: object, high: object, open_is_high: bool = False) -> bool:
    """Whether bound `low` is at most `high`; None is minus infinity, or plus infinity if `open_is_high`."""
    if open_is_high:
        return high is None or (low is not None and bool(low <= high))  # type: ignore[operator]
    return low is None or (high is not None and bool(low <= high))  # type: ignore[operator]
