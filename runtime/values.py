"""What tools return, as JSON values."""

import datetime
import json
import math
from decimal import Decimal
from typing import Any

from harness_dsl.protocol.markers import encodable

DEEPEST = 64


class NotJson(Exception):
    """A value that has no JSON form; the message says which."""


def json_value(value: Any, depth: int = 0) -> Any:
    """`value` as JSON data. Decimals become numbers, dates and times ISO 8601 texts, tuples lists,
    half of a surrogate pair U+FFFD.

    Raises `NotJson` for anything else, for NaN and infinity, and for nesting deeper than `DEEPEST`.
    """
    if depth > DEEPEST:
        raise NotJson(f"the result is nested deeper than {DEEPEST}")
    match value:
        case None | bool() | int():
            return value
        case str():
            return encodable(value)
        case float() if math.isfinite(value):
            return value
        case Decimal() if value.is_finite():
            return int(value) if value == value.to_integral_value() else float(value)
        case datetime.datetime() | datetime.date() | datetime.time():
            return value.isoformat()
        case list() | tuple():
            return [json_value(item, depth + 1) for item in value]
        case dict() if all(isinstance(key, str) for key in value):
            return {encodable(key): json_value(item, depth + 1) for key, item in value.items()}
    raise NotJson(f"the result holds {type(value).__name__}, which is no JSON value")


def longest_json(value: Any, limit: int) -> int:
    """Characters of `value` as JSON, counted up to a little over `limit`."""
    size = 0
    for piece in json.JSONEncoder(ensure_ascii=False).iterencode(value):
        size += len(piece)
        if size > limit:
            break
    return size
