"""Where in a line of JSON a value stands."""

import json
from collections.abc import Sequence
from typing import NamedTuple

Pointer = tuple[str | int, ...]
"""Keys and places that lead to a value."""

_DECODER = json.JSONDecoder()


class Place(NamedTuple):
    """`text[start:end]`, in code points."""

    start: int
    end: int


def place(text: str, pointer: Sequence[str | int]) -> Place:
    """The value that `pointer` leads to in valid JSON, or the deepest on the way to it that is there."""
    start = _skip(text, 0)
    for step in pointer:
        found = _step(text, start, step)
        if found is None:
            break
        start = found
    return Place(start, _DECODER.raw_decode(text, start)[1])


def _step(text: str, start: int, wanted: str | int) -> int | None:
    """Where the member `wanted` of the value at `start` begins; the last one of a key that stands twice."""
    opened = text[start]
    if opened not in "{[" or (opened == "{") != isinstance(wanted, str):
        return None
    found, count = None, 0
    at = _skip(text, start + 1)
    while text[at] not in "}]":
        key: str | int = count
        if opened == "{":
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        if key == wanted:
            found = at
        at = _skip(text, _DECODER.raw_decode(text, at)[1])
        count += 1
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


def _skip(text: str, at: int) -> int:
    while text[at] in " \t\n\r":
        at += 1
    return at
