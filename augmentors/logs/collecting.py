"""A whole log: what was lifted, what was refused, and the counts of both."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from augmentors.logs.kinds import KINDS, Refusal
from augmentors.logs.lifting import Lifting, Refused, Taken
from augmentors.logs.lines import Line, lines, quoted
from harness_dsl.protocol.lifting import LiftReport

MEGABYTE = 1 << 20
MOST_NAMES = 10_000
"""More different names than these are counted together: what a report keeps does not grow with the log."""


@dataclass(frozen=True)
class Seen:
    """A line and what became of it."""

    line: Line
    result: Taken | Refused


@dataclass
class Counts:
    """What stood in the lines of a log. `reasons` counts refused lines by each kind of reason they have.
    `first` has the first place of each note.
    """

    taken: int = 0
    refused: int = 0
    shapes: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)
    mentions: int = 0
    unresolved: int = 0
    names: Counter[str] = field(default_factory=Counter)

    @property
    def lines(self) -> int:
        return self.taken + self.refused

    @property
    def refusal_rate(self) -> float:
        """Refused lines among all; 0 for none."""
        return self.refused / max(1, self.lines)

    @property
    def unresolved_rate(self) -> float:
        """Unresolved names among all names in prose of lines that could be looked at; 0 for none."""
        return self.unresolved / max(1, self.mentions + self.unresolved)

    def add(self, result: Taken | Refused, number: int) -> None:
        """Count line `number`."""
        if isinstance(result, Taken):
            self.taken += 1
            self.shapes[result.shape] += 1
            self._understood(result.report, number)
            return
        self.refused += 1
        self.reasons.update({reason.kind for reason in result.reasons})
        if result.report is not None:
            self._understood(result.report, number)

    def _understood(self, report: LiftReport, number: int) -> None:
        self.mentions += report.mentions
        self.unresolved += len(report.unresolved)
        for note in report.notes:
            noted, _, detail = note.partition(": ")
            self.notes[noted] += 1
            self.first.setdefault(noted, f"line {number}: {detail}" if detail else f"line {number}")
        for name in report.unresolved:
            if name in self.names or len(self.names) < MOST_NAMES:
                self.names[name] += 1

    def as_data(self) -> dict[str, Any]:
        """The counts as JSON data, the most frequent first."""
        return {
            "lines": self.lines,
            "taken": self.taken,
            "refused": self.refused,
            "refusal_rate": round(self.refusal_rate, 6),
            "shapes": dict(self.shapes.most_common()),
            "reasons": {
                name: {"code": KINDS[name].code, "lines": count} for name, count in self.reasons.most_common()
            },
            "mentions": self.mentions,
            "unresolved": self.unresolved,
            "unresolved_rate": round(self.unresolved_rate, 6),
            "unresolved_names": dict(self.names.most_common(50)),
            "notes": dict(self.notes.most_common()),
            "first_notes": dict(self.first),
        }


def seen(lifting: Lifting, path: Path, most: int, counts: Counts) -> Iterator[Seen]:
    """Every line of a log with what became of it; `counts` counts them. Raises `OSError`."""
    for line in lines(path, most):
        result = _looked_at(lifting, line, most)
        counts.add(result, line.number)
        yield Seen(line, result)


def _looked_at(lifting: Lifting, line: Line, most: int) -> Taken | Refused:
    if line.data is not None:
        return lifting.line(line.data, line.ended)
    said = f"the line has {_size(line.size)}, and {_size(most)} are read"
    return Refused((Refusal("too-long-line", said, 1, 1),))


def _size(count: int) -> str:
    return f"{count / MEGABYTE:.1f} MB" if count >= MEGABYTE else f"{count} bytes"


def aside(path: Path, one: Seen) -> Iterator[str]:
    """A refused line as one JSON line: number, reasons, and the line as it stood in the log, piece by piece.
    What was JSON is kept as `row`, anything else as `text`.
    """
    assert isinstance(one.result, Refused)
    reasons = [
        {
            "code": reason.code,
            "name": reason.kind,
            "column": reason.column,
            "message": reason.message,
            "help": KINDS[reason.kind].help,
        }
        for reason in one.result.reasons
    ]
    head = {"line": one.line.number, "reasons": reasons}
    yield json.dumps(head, ensure_ascii=False)[:-1]
    text = _json_of(one.line)
    if text is not None:
        yield f', "row": {text}'
    else:
        yield ', "text": '
        yield from quoted(path, one.line)
    yield "}\n"


def _json_of(line: Line) -> str | None:
    """The line, if it is JSON that another line of JSON can hold."""
    if line.data is None:
        return None
    try:
        text = line.data.decode("utf-8").strip()
        json.loads(text)
    except (ValueError, RecursionError):
        return None
    return text
