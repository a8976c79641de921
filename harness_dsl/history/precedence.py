"""Which of two versions is the later one, by the rules of semantic versioning."""

import re

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?")

_Part = tuple[int, int, str]


def went_back(old: str, new: str) -> bool:
    """Whether `new` comes before `old`. What follows a `+` does not count, and what is none is not judged."""
    before, after = _key(old), _key(new)
    return before is not None and after is not None and after < before


def _key(version: str) -> tuple[tuple[int, ...], bool, tuple[_Part, ...]] | None:
    match = _VERSION.fullmatch(version)
    if match is None:
        return None
    numbers = tuple(int(number) for number in match.groups()[:3])
    parts = match[4].split(".") if match[4] else []
    # 2.0.0-rc.1 comes before 2.0.0; numbers among its parts are compared as numbers, and before words.
    return numbers, match[4] is None, tuple((0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts)
