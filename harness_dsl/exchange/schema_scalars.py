"""Strings, numbers and enums of JSON Schema as IR types, with what cannot be said."""

import json
import math
from decimal import Decimal
from typing import Any

from harness_dsl.exchange.found import Lose
from harness_dsl.exchange.prose import without_surrogates
from harness_dsl.exchange.writing import number_text
from harness_dsl.ir.types import (
    BoolType,
    EnumMember,
    EnumType,
    FloatType,
    IntType,
    NullableType,
    StringType,
    TimeType,
    Type,
    UnionType,
)
from harness_dsl.syntax.checks.names import usable
from harness_dsl.syntax.patterns import Refused, is_exponential

_TIMES: dict[Any, Any] = {"date": "date", "time": "time", "date-time": "datetime"}
_DIGITS = 16
ONLY_NULL = "that nothing but null is allowed"


def read_string(schema: dict[str, Any], at: str, lose: Lose) -> Type:
    """A string, or a date or time where the schema says no more than that."""
    low = _length(schema, "minLength", at, lose)
    high = _length(schema, "maxLength", at, lose)
    pattern = _pattern(schema.get("pattern"), at, lose)
    format_ = schema.get("format")
    if format_ is not None and (not isinstance(format_, str) or not format_):
        lose(f"{at}/format", "a format that is no word")
        format_ = None
    if format_ in _TIMES and low is None and high is None and pattern is None:
        return TimeType(form=_TIMES[format_])
    return StringType(min_length=low, max_length=high, pattern=pattern, format=format_)


def read_number(schema: dict[str, Any], at: str, lose: Lose, *, whole: bool) -> Type:
    """An integer, or a number with a fraction."""
    low = _bound(schema, "minimum", "exclusiveMinimum", at, lose, whole=whole, up=True)
    high = _bound(schema, "maximum", "exclusiveMaximum", at, lose, whole=whole, up=False)
    if "format" in schema:
        lose(f"{at}/format", "the format of a number")
    if whole:
        return IntType(min=None if low is None else int(low), max=None if high is None else int(high))
    return FloatType(min=None if low is None else float(low), max=None if high is None else float(high))


def read_enum(values: list[Any], at: str, lose: Lose) -> Type | None:
    """The type of exactly `values`, or the smallest one around them. None: no type is near."""
    rest = [value for value in values if value is not None]
    if not rest:
        lose(at, ONLY_NULL)
        return None
    found = _enum(rest, at, lose)
    return NullableType(item=found) if found is not None and len(rest) < len(values) else found


def _enum(values: list[Any], at: str, lose: Lose) -> Type | None:
    if all(isinstance(value, str) for value in values):
        return _words(list(dict.fromkeys(values)), at, lose)
    if all(isinstance(value, bool) for value in values):
        if len(set(values)) < 2:
            lose(at, f"that only {json.dumps(values[0])} is allowed")
        return BoolType()
    numbers = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    if len(numbers) < len(values) or not all(math.isfinite(number) for number in numbers):
        lose(at, "a choice among values of several types")
        return None
    if all(float(number).is_integer() for number in numbers) and _fits(min(numbers)) and _fits(max(numbers)):
        low, high = int(min(numbers)), int(max(numbers))
        if len(set(numbers)) < high - low + 1:
            lose(at, f"which whole numbers from {low} to {high} are allowed")
        return IntType(min=low, max=high)
    lose(at, "which numbers are allowed")
    return FloatType(min=float(min(numbers)), max=float(max(numbers)))


def _words(values: list[str], at: str, lose: Lose) -> Type:
    words = [value for value in values if value]
    if not all(usable(word) and without_surrogates(word) == word for word in words):
        lose(at, "a choice among texts that are no names")
        return StringType()
    empty = [StringType(max_length=0)] if "" in values else []
    if not words:
        return empty[0]
    members = tuple(EnumMember(id=f"draft/value/{word}", value=word) for word in words)
    enum = EnumType(members=members)
    return UnionType(options=(enum, *empty)) if empty else enum


def _bound(
    schema: dict[str, Any], inclusive: str, exclusive: str, at: str, lose: Lose, *, whole: bool, up: bool
) -> Decimal | None:
    """The lower (`up`) or upper bound, the tighter one of what the two keywords say."""
    bounds: list[Decimal] = []
    for keyword in (inclusive, exclusive):
        value = schema.get(keyword)
        if value is None:
            continue
        open_ = keyword == exclusive
        if isinstance(value, bool):
            # Draft 4: `exclusiveMinimum: true` says that `minimum` itself is excluded.
            if value and open_ and not (whole and bounds):
                lose(f"{at}/{keyword}", f"that `{inclusive}` itself is excluded")
            elif value and bounds:
                bounds[0] += 1 if up else -1
            continue
        if not isinstance(value, int | float) or not math.isfinite(value):
            lose(f"{at}/{keyword}", "a bound that is no number")
            continue
        bound = Decimal(str(value))
        if whole:
            bound = bound.to_integral_value("ROUND_CEILING" if up else "ROUND_FLOOR")
            if open_ and bound == Decimal(str(value)):
                bound += 1 if up else -1
        elif open_:
            lose(f"{at}/{keyword}", f"that {number_text(value)} itself is excluded")
        if not _fits(bound):
            lose(f"{at}/{keyword}", "a bound of more than 15 digits")
            continue
        bounds.append(bound)
    return None if not bounds else max(bounds) if up else min(bounds)


def _fits(number: Any) -> bool:
    exact = Decimal(str(number))
    return len(format(exact, "f")) <= _DIGITS and abs(exact) < 10**15


def _length(schema: dict[str, Any], keyword: str, at: str, lose: Lose) -> int | None:
    return length(schema.get(keyword), f"{at}/{keyword}", lose, _DIGITS)


def length(value: Any, at: str, lose: Lose, digits: int) -> int | None:
    """A length of a text or list; None, reported, where it is no whole number of at most `digits`."""
    if value is None:
        return None
    whole = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not whole or value < 0 or int(value) != value or len(str(int(value))) > digits:
        lose(at, "a length that is no whole number")
        return None
    return int(value)


def _pattern(pattern: Any, at: str, lose: Lose) -> str | None:
    if pattern is None:
        return None
    import re

    place = f"{at}/pattern"
    if not isinstance(pattern, str) or without_surrogates(pattern) != pattern:
        lose(place, "a pattern that is no text")
        return None
    try:
        re.compile(pattern)
        if not is_exponential(pattern):
            return pattern
        lose(place, "a pattern that can take exponential time")
    except Refused as refused:
        lose(place, f"a pattern: {refused}")
    except (re.error, RecursionError, OverflowError) as error:
        lose(place, f"a pattern that is no regular expression here: {error}")
    return None
