"""A JSON value against a type of the IR: what passes, and what the message says."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness_dsl.ir.core import Core
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.types import (
    AnyType,
    BoolType,
    DecimalType,
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
from harness_dsl.ir.values import check_arguments, check_value
from harness_dsl.ir.walk import types
from tests.strategies import cores, small_shop, values_of
from tests.strategies.shop import ROOM

SHOP, _ = small_shop()
CURRENCY = next(
    field.type for decl in SHOP.types for field in decl.fields or () if field.id.endswith("currency")
)


@given(st.data())
def test_values_built_from_a_type_have_that_type(data: st.DataObject) -> None:
    core = data.draw(cores())
    _, type_ = data.draw(st.sampled_from(list(types(core))))
    assert check_value(data.draw(values_of(type_, core)), type_, core) is None


@given(st.data())
def test_what_is_no_json_has_no_type(data: st.DataObject) -> None:
    core = data.draw(cores())
    _, type_ = data.draw(st.sampled_from(list(types(core))))
    assert check_value(object(), type_, core) is not None
    assert check_value(float("nan"), type_, core) is not None


WRONG: list[tuple[Any, Type, str]] = [
    ("3", IntType(), 'expected an integer, got "3"'),
    (True, IntType(), "expected an integer, got true"),
    (3.0, IntType(), "expected an integer, got 3.0"),
    (0, IntType(min=1, max=99), "expected an integer from 1 to 99, got 0"),
    ("12", DecimalType(), 'expected a number, got "12"'),
    (0.1, DecimalType(min=Decimal("0.2")), "expected a number at least 0.2, got 0.1"),
    (float("inf"), FloatType(), "expected a number, got Infinity"),
    (1, BoolType(), "expected true or false, got 1"),
    ("2025-02-30", TimeType(form="date"), 'expected a date (ISO 8601), got "2025-02-30"'),
    ("20251111", TimeType(form="date"), 'expected a date (ISO 8601), got "20251111"'),
    (
        "2025-11-11T20:30",
        TimeType(form="datetime"),
        'expected a date and time with its offset (ISO 8601), got "2025-11-11T20:30"',
    ),
    ("abc", StringType(max_length=2), 'expected text at most 2 characters, got "abc"'),
    ("ab", StringType(pattern="^[0-9]+$"), 'expected text matching `^[0-9]+$`, got "ab"'),
    (None, StringType(), "expected text, got null"),
    ("EUR", CURRENCY, 'expected one of "CNY", "USD", got "EUR"'),
    ([1, "2"], ListType(item=IntType()), '`[1]`: expected an integer, got "2"'),
    ([1, 2], ListType(item=IntType(), max_length=1), "expected a list of at most 1 entries, got 2"),
    ({"上海": "2"}, MapType(value=IntType()), '`["上海"]`: expected an integer, got "2"'),
    ("x", NullableType(item=IntType()), 'expected an integer, got "x"'),
    (1.5, UnionType(options=(IntType(), StringType())), "expected an integer or text, got 1.5"),
    (3, NamedType(type="type/Quote"), "expected an object (Quote), got 3"),
    ({"currency": "CNY"}, NamedType(type="type/Quote"), "field `amount` is missing"),
    (
        {"amount": 1, "currency": "EUR"},
        NamedType(type="type/Quote"),
        '`currency`: expected one of "CNY", "USD", got "EUR"',
    ),
    (
        {"amuont": 1, "currency": "CNY"},
        NamedType(type="type/Quote"),
        "unknown field `amuont`, known: `amount`, `coupon`, `currency`",
    ),
    ({"a": {1: 2}}, AnyType(), 'expected any JSON value, got {"a": {"1": 2}}'),
    (3, NamedType(type="type/Nowhere"), "type `type/Nowhere` is not declared"),
]


@pytest.mark.parametrize(("value", "type_", "message"), WRONG)
def test_the_message_names_the_smallest_part_at_fault(value: Any, type_: Type, message: str) -> None:
    assert check_value(value, type_, SHOP) == message


def test_a_fault_deep_inside_is_named_by_its_path() -> None:
    room = {**ROOM, "products": [{**ROOM["products"][0], "coupon": {"code": "X"}}]}  # type: ignore[index, dict-item]
    assert (
        check_value(room, NamedType(type="type/Room"), SHOP) == "`products[0].coupon`: field `off` is missing"
    )


def test_a_recursive_type_ends() -> None:
    assert check_value(ROOM, NamedType(type="type/Room"), SHOP) is None


def test_a_decimal_counts_as_a_number() -> None:
    assert check_value(Decimal("89.50"), DecimalType(), SHOP) is None


def _quote(core: Core) -> Any:
    return next(tool for tool in core.tools if tool.id == "tool/get_quote")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"link_id": 3}, None),
        ({"link_id": 3, "quantity": 2}, None),
        ({}, "parameter `link_id` is missing"),
        ({"link_id": "3"}, '`link_id`: expected an integer at least 1, got "3"'),
        ({"link_id": 3, "size": "L"}, "unknown parameter `size`, known: `link_id`, `quantity`"),
    ],
)
def test_arguments_are_checked_by_parameter(arguments: dict[str, Any], message: str | None) -> None:
    assert check_arguments(arguments, _quote(SHOP), SHOP) == message


def test_a_message_for_the_model_uses_the_names_it_sees() -> None:
    surface = Surface(
        names={"tool/get_quote/param/link_id": "商品号", "type/Quote/field/currency/value/CNY": "yuan"}
    )
    naming = Naming(SHOP, surface)
    assert check_arguments({}, _quote(SHOP), SHOP, naming) == "parameter `商品号` is missing"
    assert check_value("EUR", CURRENCY, SHOP, naming) == 'expected one of "yuan", "USD", got "EUR"'
