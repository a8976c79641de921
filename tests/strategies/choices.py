"""Drawing with one primitive: strategies built anew for each draw would cost more than what they draw."""

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


@cache
def _between(low: int, high: int) -> st.SearchStrategy[int]:
    return st.integers(low, high)


class Choices:
    """Choices of one example; they shrink to the first option and to the fewest."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def between(self, low: int, high: int) -> int:
        """An integer, both ends included."""
        return low if low == high else self.draw(_between(low, high))

    def pick(self, options: Sequence[T]) -> T:
        """One of `options`, which is not empty."""
        return options[self.between(0, len(options) - 1)]

    def flip(self) -> bool:
        return self.between(0, 1) == 1

    def rarely(self) -> bool:
        """True about once in eight times."""
        return self.between(0, 7) == 7

    def some(self, pool: Sequence[T], low: int, high: int) -> list[T]:
        """Between `low` and `high` different entries of `pool`, in any order."""
        left = list(pool)
        return [
            left.pop(self.between(0, len(left) - 1)) for _ in range(self.between(low, min(high, len(left))))
        ]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        return self.some(values, len(values), len(values))
