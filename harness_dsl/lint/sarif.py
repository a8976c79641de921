"""Findings as SARIF 2.1.0, which code scanners and editors read."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from harness_dsl import __version__
from harness_dsl.diagnostics import Diagnostic, Fix, Span
from harness_dsl.diagnostics.lines import Lines, Place
from harness_dsl.lint.reference import Entry, entry
from harness_dsl.lint.rules import rule_of
from harness_dsl.lint.run import Suppressed

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_LINK = re.compile(r"\[([^\[\]]*)\]\((\d+)\)")


def text(found: Iterable[Diagnostic], suppressed: Iterable[Suppressed], files: Mapping[str, str]) -> str:
    return json.dumps(document(found, suppressed, files), ensure_ascii=False, indent=2)


def document(
    found: Iterable[Diagnostic], suppressed: Iterable[Suppressed], files: Mapping[str, str]
) -> dict[str, Any]:
    """One run. `files`: normalised text by path. Columns count UTF-16 code units, as the format wants it."""
    shown, allowed = list(found), list(suppressed)
    codes = sorted({diagnostic.code for diagnostic in [*shown, *(one.found for one in allowed)]})
    writer = _Writer(files, codes)
    run = {
        "tool": {"driver": _driver(codes)},
        "columnKind": "utf16CodeUnits",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": [
            *(writer.result(diagnostic) for diagnostic in shown),
            *(writer.suppressed(one) for one in allowed),
        ],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _driver(codes: Sequence[str]) -> dict[str, Any]:
    rules = [_rule(entry(rule_of(code))) for code in codes]
    return {"name": "harnessc", "version": __version__, "semanticVersion": __version__, "rules": rules}


def _rule(known: Entry) -> dict[str, Any]:
    wrong = "\n\n".join(part.text for part in known.bad if part.text)
    right = "\n\n".join(part.text for part in known.good if part.text)
    advice = f" To allow it in one place, write `{known.suppression}` there." if known.suppression else ""
    plain = f"{known.why}{advice}\n\nWrong:\n\n{wrong}\n\nRight:\n\n{right}"
    marked = f"{known.why}{advice}\n\nWrong:\n\n```text\n{wrong}\n```\n\nRight:\n\n```text\n{right}\n```"
    return {
        "id": known.code,
        "name": "".join(map(str.capitalize, known.name.split("-"))),
        "shortDescription": {"text": known.summary},
        "fullDescription": {"text": known.why},
        "help": {"text": plain, "markdown": marked},
        "defaultConfiguration": {"level": _LEVELS[known.severity]},
        "properties": {"tags": [*known.principles, *known.faults]},
    }


class _Writer:
    def __init__(self, files: Mapping[str, str], codes: Sequence[str]) -> None:
        self._lines = {path: Lines(content) for path, content in files.items()}
        self._index = {code: index for index, code in enumerate(codes)}

    def suppressed(self, one: Suppressed) -> dict[str, Any]:
        kept = {"kind": "inSource", "status": "accepted", "location": self._location(one.span)}
        if one.reason:
            kept["justification"] = one.reason
        return {**self.result(one.found), "suppressions": [kept]}

    def result(self, diagnostic: Diagnostic) -> dict[str, Any]:
        said = diagnostic.message + (f". {diagnostic.help}" if diagnostic.help else "")
        found: dict[str, Any] = {
            "ruleId": diagnostic.code,
            "ruleIndex": self._index[diagnostic.code],
            "level": _LEVELS[diagnostic.severity],
            "message": _message(said),
            "locations": [self._location(diagnostic.span)],
        }
        if diagnostic.labels:
            found["relatedLocations"] = [
                {"id": number, **self._location(label.span), "message": _message(label.text)}
                for number, label in enumerate(diagnostic.labels)
            ]
        if diagnostic.fix is not None:
            found["fixes"] = [self._fix(diagnostic.fix)]
        return found

    def _fix(self, fix: Fix) -> dict[str, Any]:
        replacement = {"deletedRegion": self._region(fix.span), "insertedContent": {"text": fix.text}}
        change = {"artifactLocation": {"uri": uri(fix.span.path)}, "replacements": [replacement]}
        safety = "" if fix.safe else " (may change the meaning)"
        return {"description": _message(fix.title + safety), "artifactChanges": [change]}

    def _location(self, span: Span) -> dict[str, Any]:
        place: dict[str, Any] = {"artifactLocation": {"uri": uri(span.path)}}
        if span.path in self._lines and self._lines[span.path].text:
            place["region"] = self._region(span)
        return {"physicalLocation": place}

    def _region(self, span: Span) -> dict[str, int]:
        lines = self._lines[span.path]
        start, end = lines.place(span.start), lines.place(span.end)
        return {
            "startLine": start.line,
            "startColumn": _utf16(lines, start),
            "endLine": end.line,
            "endColumn": _utf16(lines, end),
        }


def uri(path: str) -> str:
    """A relative reference for a relative path, so that it holds where the repository is checked out."""
    if Path(path).is_absolute():
        return Path(path).as_uri()
    return quote(Path(path).as_posix(), safe="/")


def _utf16(lines: Lines, place: Place) -> int:
    before = lines.line(place.line)[: place.column - 1]
    return 1 + len(before) + sum(char > "\uffff" for char in before)


def _message(said: str) -> dict[str, str]:
    """Braces stand for arguments and brackets for links, so those that are meant are written otherwise."""
    linked = _LINK.sub(r"\\[\1\\](\2)", said)
    return {"text": linked.replace("{", "{{").replace("}", "}}")}
