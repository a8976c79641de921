"""How exact decimals stand in JSON: one form per number, so that equal numbers give equal bytes."""

from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema


def plain(value: Decimal) -> str:
    """`value` without exponent, sign of zero or trailing zeros: 1.50 and 1.5 are one number, so one text."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def exact(value: int | float | Decimal) -> Decimal:
    """`value` as a decimal; a finite float by its shortest decimal form, so 0.1 is one tenth."""
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def _tagged(value: Decimal) -> dict[str, str]:
    return {"decimal": plain(value)}


def _untag(value: Any) -> Any:
    if isinstance(value, Decimal):
        return value
    if isinstance(value, dict) and list(value) == ["decimal"] and isinstance(value["decimal"], str):
        try:
            return Decimal(value["decimal"])
        except InvalidOperation:
            raise ValueError("expected the digits of a decimal") from None
    raise ValueError('expected a decimal, or {"decimal": "<digits>"}')


_DIGITS = {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$"}

ExactDecimal = Annotated[
    Decimal,
    PlainSerializer(plain, return_type=str, when_used="json"),
    WithJsonSchema(_DIGITS, mode="serialization"),
]
"""A field that is always a decimal: a JSON string."""

TaggedDecimal = Annotated[
    Decimal,
    BeforeValidator(_untag, json_schema_input_type=dict[str, str]),
    PlainSerializer(_tagged, return_type=dict[str, str], when_used="json"),
    WithJsonSchema(
        {
            "type": "object",
            "properties": {"decimal": _DIGITS},
            "required": ["decimal"],
            "additionalProperties": False,
        },
        mode="serialization",
    ),
]
"""A decimal beside strings in a union: `{"decimal": "1.5"}`, so that the text "1.5" stays a text."""
