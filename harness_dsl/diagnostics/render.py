"""Diagnostics as text for people and as JSON for programs."""

import json
from collections.abc import Iterable, Mapping
from typing import Any
from unicodedata import category, east_asian_width

from harness_dsl.diagnostics.diagnostic import Diagnostic, Span
from harness_dsl.diagnostics.lines import Lines

WIDEST = 160
"""Longer source lines are shown around the place at fault."""


def text(found: Iterable[Diagnostic], files: Mapping[str, str]) -> str:
    """Every diagnostic with its line and a caret. `files`: normalised text by path."""
    lines = {path: Lines(content) for path, content in files.items()}
    return "\n".join(_one(diagnostic, lines) for diagnostic in found)


def data(found: Iterable[Diagnostic], files: Mapping[str, str]) -> list[dict[str, Any]]:
    """Every diagnostic as JSON-like data; lines and columns count from 1, columns in code points."""
    lines = {path: Lines(content) for path, content in files.items()}
    return [
        {
            "code": diagnostic.code,
            "name": diagnostic.name,
            "severity": diagnostic.severity,
            "message": diagnostic.message,
            "help": diagnostic.help,
            **_where(diagnostic.span, lines),
            "labels": [{"text": label.text, **_where(label.span, lines)} for label in diagnostic.labels],
            "fix": None
            if diagnostic.fix is None
            else {
                "title": diagnostic.fix.title,
                "text": diagnostic.fix.text,
                "safe": diagnostic.fix.safe,
                **_where(diagnostic.fix.span, lines),
            },
        }
        for diagnostic in found
    ]


def json_text(found: Iterable[Diagnostic], files: Mapping[str, str]) -> str:
    return json.dumps(data(found, files), ensure_ascii=False, indent=2)


def width(shown: str) -> int:
    """Columns of a terminal that `shown` takes."""
    return sum(
        0 if category(char) in ("Mn", "Me", "Cf") else 2 if east_asian_width(char) in "WF" else 1
        for char in shown
    )


def _where(span: Span, lines: Mapping[str, Lines]) -> dict[str, Any]:
    known = lines.get(span.path)
    start = known.place(span.start) if known else (1, 1)
    end = known.place(span.end) if known else (1, 1)
    return {"path": span.path, "line": start[0], "column": start[1], "end_line": end[0], "end_column": end[1]}


def _one(diagnostic: Diagnostic, files: Mapping[str, Lines]) -> str:
    lines = files.get(diagnostic.span.path)
    place = lines.place(diagnostic.span.start) if lines else (1, 1)
    head = f"{diagnostic.span.path}:{place[0]}:{place[1]}: "
    head += f"{diagnostic.severity}[{diagnostic.code}] {diagnostic.message}"
    parts = [head]
    if lines is not None and lines.text:
        parts.append(excerpt(diagnostic.span, lines, "^"))
    for label in diagnostic.labels:
        known = files.get(label.span.path)
        if known is None:
            continue
        where = known.place(label.span.start)
        elsewhere = f"{label.span.path}:" if label.span.path != diagnostic.span.path else ""
        parts.append(f"  {label.text} ({elsewhere}{where.line}:{where.column})")
        parts.append(excerpt(label.span, known, "-"))
    if diagnostic.help:
        parts.append(f"  help: {diagnostic.help}")
    if diagnostic.fix is not None:
        option = "--fix" if diagnostic.fix.safe else "--fix --unsafe"
        parts.append(f"  fixable with `check {option}`: {diagnostic.fix.title}")
    return "\n".join(parts) + "\n"


def excerpt(span: Span, lines: Lines, mark: str, number: int | None = None) -> str:
    """The first line of `span`, and marks under what of it stands there. `number`: that of a line which
    stands alone in `lines`.
    """
    place = lines.place(span.start)
    line = lines.line(place.line)
    start = place.column - 1
    end = max(min(span.end - span.start + start, len(line)), start)
    cut = max(0, start - WIDEST // 2) if len(line) > WIDEST else 0
    shown = line[cut : cut + WIDEST]
    before, at_fault = _visible(line[cut:start]), _visible(line[start : min(end, cut + WIDEST)])
    ellipsis = "…" if cut else ""
    gutter = f"{number or place.line:>5} | "
    marks = " " * (width(ellipsis + before)) + mark * max(1, width(at_fault))
    return f"{gutter}{ellipsis}{_visible(shown)}\n      | {marks}"


def _visible(line: str) -> str:
    """`line` with tabs as spaces and control characters as marks, so that carets stay under their text."""
    return "".join(
        "    " if char == "\t" else "�" if category(char) in ("Cc", "Cs") else char for char in line
    )
