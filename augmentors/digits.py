"""Many small numbers as one text: a number in mixed radix, written in base 85 (RFC 1924's letters)."""

import base64
from collections.abc import Iterable, Sequence
from typing import TypeVar

_Item = TypeVar("_Item")


class BadDigits(ValueError):
    """A text is no number in mixed radix, or not one of those that were expected."""


def written(digits: Iterable[tuple[int, int]]) -> str:
    """The text of pairs of a digit and its radix; empty if all digits are 0."""
    value = 0
    for digit, radix in reversed([*digits]):
        value = value * radix + digit
    size = (value.bit_length() + 7) // 8
    return base64.b85encode(value.to_bytes(size, "big")).decode("ascii")


class Digits:
    """Reads what `written` wrote, digit by digit, given each radix again. Raises `BadDigits`."""

    def __init__(self, text: str) -> None:
        try:
            self._left = int.from_bytes(base64.b85decode(text.encode("ascii")), "big")
        except ValueError:
            raise BadDigits("no number in base 85") from None

    def next(self, radix: int) -> int:
        """The next digit."""
        self._left, digit = divmod(self._left, radix)
        return digit

    def end(self) -> None:
        """There must be nothing left."""
        if self._left:
            raise BadDigits("more digits than there is something to say")


def ranked(order: Sequence[_Item], items: Sequence[_Item]) -> list[tuple[int, int]] | None:
    """`order`, a permutation of `items`, as digits; None if it is none."""
    left, digits = list(items), []
    if len(order) != len(left):
        return None
    for item in order:
        if item not in left:
            return None
        digits.append((left.index(item), len(left)))
        left.remove(item)
    return digits


def unranked(digits: Digits, items: Sequence[_Item]) -> tuple[_Item, ...]:
    """The inverse of `ranked`."""
    left, order = list(items), []
    while left:
        order.append(left.pop(digits.next(len(left))))
    return tuple(order)
