"""Bounded regular-expression search, the same for patterns of types, rules and hooks."""

import re
from functools import lru_cache

MAX_CHARS = 20_000
"""Text beyond this many code points is not searched: a condition must answer in bounded time on any input."""


@lru_cache(maxsize=512)
def compiled(pattern: str) -> re.Pattern[str]:
    """`pattern` in Python's syntax, Unicode. Raises `re.error` if it is none."""
    return re.compile(pattern)


def found(pattern: str, text: str) -> bool:
    """Whether `pattern` is found anywhere in the first `MAX_CHARS` code points of `text`.

    Raises `re.error` for a broken pattern; a verified Core holds none.
    """
    return compiled(pattern).search(text, 0, MAX_CHARS) is not None
