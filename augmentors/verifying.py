"""Verifies a file of rows, with several processes where asked: which rows fail which proof."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from augmentors.certificates import BadRow
from augmentors.checker import check
from augmentors.coverage import Coverage
from augmentors.dataset import Row, row_of
from augmentors.messages import check_messages
from augmentors.processes import in_order
from augmentors.reading import everything_read
from augmentors.reproduce import differences
from augmentors.rewording.banked import Banked
from augmentors.rewording.books import book_of
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface

_CHUNK = 64

Lines = Iterable[tuple[int, str]]


@dataclass(frozen=True)
class Proved:
    """What a further proof finds wrong with a row. `unproved`: why it has nothing to say, if it has not."""

    faults: tuple[str, ...] = ()
    unproved: str = ""


Proof = Callable[[Row], Proved]
"""A proof that needs more than the two values, so that whoever knows what it needs brings it along."""


@dataclass(frozen=True)
class Against:
    """The harness that rows are variants of. `again`: their operators are applied again, too. `further` is
    asked about rows in which nothing else is wrong; several processes each have a copy. `bank`: the banked
    wordings that rows may be drawn with.
    """

    core: Core
    surface: Surface
    again: bool = False
    further: Proof | None = None
    bank: Banked | None = None


@dataclass(frozen=True)
class Failing:
    """A row that does not hold: the number of its line, its own number if it is a row at all, and why."""

    line: int
    row: int | None
    faults: tuple[str, ...]


def failing(against: Against, lines: Lines, coverage: Coverage, workers: int = 1) -> Iterator[Failing]:
    """The rows of numbered lines that do not hold, in order; `coverage` counts all that were looked at.

    Raises `WorkerLostError` if one of several processes is killed.
    """
    if workers <= 1:
        for number, line in lines:
            yield from _looked_at(against, [(number, line)], coverage)
        return
    for found, counted in in_order(_look, against, _chunks(lines), workers):
        coverage.merge(counted)
        yield from found


def _looked_at(against: Against, lines: Lines, coverage: Coverage) -> list[Failing]:
    found = []
    book = book_of(against.core, against.surface, against.bank)
    for number, line in lines:
        row = row_of(number, line, book)
        if isinstance(row, BadRow):
            coverage.rows += 1
            found.append(Failing(number, None, (str(row),)))
            continue
        coverage.add(row.certificate)
        faults = tuple(_faults(row, against))
        if against.further is not None and not faults:
            proved = against.further(row)
            faults = proved.faults
            coverage.unproved.update([proved.unproved] if proved.unproved else ())
        if faults:
            found.append(Failing(number, row.certificate.row, faults))
    return found


def _faults(row: Row, against: Against) -> Iterator[str]:
    core, surface = against.core, against.surface
    if row.certificate.bank is not None:
        if against.bank is None or against.bank.digest != row.certificate.bank:
            yield f"proof 2: its wordings are of the bank {row.certificate.bank}, which is not given here"
            return
        core = against.bank.core
    findings = check(core, surface, row.certificate, everything_read)
    yield from map(str, findings)
    if findings:
        return
    if row.messages is not None:
        yield from map(str, check_messages(core, surface, row.certificate, row.messages))
    if against.again:
        for difference in differences(core, surface, row.certificate):
            yield f"not reproduced: {difference}"


def _chunks(lines: Lines) -> Iterator[list[tuple[int, str]]]:
    left = iter(lines)
    while chunk := [*islice(left, _CHUNK)]:
        yield chunk


def _look(against: Against, lines: list[tuple[int, str]]) -> tuple[list[Failing], Coverage]:
    coverage = Coverage()
    return _looked_at(against, lines, coverage), coverage
