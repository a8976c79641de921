"""What is wrong with a setting, in the words of someone who wrote YAML."""

import math
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

_WORDS = {
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "dict_type": "must be a mapping",
    "model_type": "must be a mapping",
    "float_type": "must be a number",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "bool_type": "must be true or false",
    "string_type": "must be text",
    "literal_error": "must be {expected}",
    "too_short": "must have at least {min_length}, not {actual_length}",
    "greater_than": "must be more than {gt:g}",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than": "must be less than {lt:g}",
    "less_than_equal": "must be at most {le:g}",
}


def first_mistake(error: ValidationError) -> str:
    """The first mistake that `error` tells of, in one line, with the keys that lead to it."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    said = _said(first)
    if not where:
        return said
    return f"`{where}` {said}" if said.startswith("must ") else f"`{where}`: {said}"


def _said(one: ErrorDetails) -> str:
    given: Any = one["input"]
    if isinstance(given, float) and math.isnan(given):
        return "must be a number, and .nan is none"
    if one["type"] in _WORDS:
        return _WORDS[one["type"]].format(**one.get("ctx", {}))
    message = one["msg"].removeprefix("Value error, ").splitlines()[0]
    return "must be " + message.removeprefix("Input should be ") if "should be " in message else message
