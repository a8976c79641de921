"""`check --fix`: the fixes of a file, until none is left that helps."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.files import source_of, write_atomically
from harness_dsl.diagnostics import Diagnostic, Fix
from harness_dsl.lint.checking import checked

if TYPE_CHECKING:
    from harness_dsl.syntax.source import Source

ROUNDS = 100
"""A fix may make room for another one: of several syntax mistakes on one line only the first is found. A file
needs one or two rounds.
"""
ALONE = 100
"""So many fixes are tried one by one where all of them together would leave a new mistake."""


def repair(path: str, unsafe: bool = False) -> int:
    """Makes the fixes in the file at `path`, whole or not at all; returns how many. What would leave the file
    with an error that it did not have is not made.
    """
    source = source_of(path)
    if source.text is None:
        return 0
    data = Path(path).read_bytes()
    made = 0
    for _ in range(ROUNDS):
        step = _step(path, source, data, unsafe)
        if step is None:
            break
        data, source, count = step
        made += count
    if made:
        write_atomically(path, data)
    return made


def _step(path: str, source: Source, data: bytes, unsafe: bool) -> tuple[bytes, Source, int] | None:
    """The bytes after one round, what they decode to, and the number of fixes; None without any."""
    from harness_dsl.lint.fixing import fixes

    before = _own(source, path)
    wanted = fixes(before, path, unsafe)
    if not wanted:
        return None
    kept = wanted if _helps(path, before, data, wanted) else _one_by_one(path, before, data, wanted)
    if not kept:
        return None
    data, source = _with(path, data, kept)
    return data, source, len(kept)


def _one_by_one(path: str, before: list[Diagnostic], data: bytes, wanted: list[Fix]) -> list[Fix]:
    kept: list[Fix] = []
    for fix in wanted[:ALONE]:
        if _helps(path, before, data, [*kept, fix]):
            kept.append(fix)
    return kept


def _helps(path: str, before: list[Diagnostic], data: bytes, wanted: list[Fix]) -> bool:
    """Whether no error is new, and something that was found is gone."""
    after = _own(_with(path, data, wanted)[1], path)
    return not _errors(after) - _errors(before) and set(after) != set(before)


def _with(path: str, data: bytes, wanted: list[Fix]) -> tuple[bytes, Source]:
    from harness_dsl.lint.fixing import fixed
    from harness_dsl.syntax.source import decode

    changed = fixed(data, wanted)
    return changed, decode(changed, path)


def _own(source: Source, path: str) -> list[Diagnostic]:
    return [found for found in checked(source, path).found if found.span.path == path]


def _errors(found: list[Diagnostic]) -> Counter[tuple[str, str]]:
    return Counter((one.code, one.message) for one in found if one.severity == "error")
