"""Strict JSON: no constants outside the standard, no key twice, no lone surrogate, no bottomless nesting."""

import json
import math
from dataclasses import dataclass
from typing import Any


class BadJson(Exception):
    """The text is no acceptable JSON; the message says why in a phrase."""


DEEPEST = 64
"""Levels of lists and objects that are read: more would exhaust the stack of whoever walks the value."""


@dataclass(frozen=True, slots=True)
class Slice:
    """A value and the very text it was read from."""

    value: Any
    text: str


def dump(value: Any) -> str:
    """One line with `", "` and `": "` as separators, in the order given, letters of any script as they are.

    Raises `ValueError` for NaN and infinity.
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def load(text: str) -> Any:
    """The value of `text`. Raises `BadJson`."""
    try:
        value = _DECODER.decode(text)
        _checked(value)
    except RecursionError:
        raise BadJson(_TOO_DEEP) from None
    except ValueError as error:
        raise BadJson(f"this is no JSON: {error}") from None
    if text.count("[") + text.count("{") > DEEPEST and _deeper(value, DEEPEST):
        raise BadJson(_TOO_DEEP)
    return value


def load_object(text: str) -> dict[str, Slice]:
    """The object that `text` is, each value with its own text. Raises `BadJson`."""
    value = load(text)
    if not isinstance(value, dict):
        raise BadJson("this is no JSON object")
    slices: dict[str, Slice] = {}
    at = _skip(text, text.index("{") + 1)
    while text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        start = _skip(text, _skip(text, at) + 1)
        item, end = _DECODER.raw_decode(text, start)
        slices[key] = Slice(item, text[start:end])
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return slices


def load_list(text: str) -> list[Slice]:
    """The list that `text` is, each entry with its own text. Raises `BadJson`."""
    value = load(text)
    if not isinstance(value, list):
        raise BadJson("this is no JSON list")
    slices: list[Slice] = []
    at = _skip(text, text.index("[") + 1)
    while text[at] != "]":
        item, end = _DECODER.raw_decode(text, at)
        slices.append(Slice(item, text[at:end]))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return slices


def _deeper(value: Any, levels: int) -> bool:
    """Whether lists and objects in `value` are nested more than `levels` deep."""
    layer = [value]
    for _ in range(levels + 1):
        layer = [
            inner
            for item in layer
            if isinstance(item, dict | list)
            for inner in (item.values() if isinstance(item, dict) else item)
        ]
    return bool(layer)


def _skip(text: str, at: int) -> int:
    while text[at] in " \t\n\r":
        at += 1
    return at


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise BadJson("a key stands twice in one JSON object")
    for key in result:
        _unicode(key)
    for value in result.values():
        _checked(value)
    return result


def _checked(value: Any) -> None:
    if isinstance(value, str):
        _unicode(value)
    elif isinstance(value, list):
        for item in value:
            _checked(item)


def _unicode(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadJson("a text holds half of a surrogate pair") from None


def _constant(name: str) -> Any:
    raise BadJson(f"`{name}` is no JSON")


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise BadJson("a number is too large")
    return value


_TOO_DEEP = "the JSON is nested too deeply"
_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
