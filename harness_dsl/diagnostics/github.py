"""Diagnostics as workflow commands, which GitHub shows beside the lines of a pull request."""

from collections.abc import Iterable, Mapping

from harness_dsl.diagnostics.diagnostic import Diagnostic
from harness_dsl.diagnostics.lines import Lines

_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


def text(found: Iterable[Diagnostic], files: Mapping[str, str]) -> str:
    """One command a line. `files`: normalised text by path."""
    lines = {path: Lines(content) for path, content in files.items()}
    return "\n".join(_command(diagnostic, lines.get(diagnostic.span.path)) for diagnostic in found)


def _command(diagnostic: Diagnostic, lines: Lines | None) -> str:
    values = {"file": diagnostic.span.path.replace("\\", "/")}
    if lines is not None and lines.text:
        start, end = lines.place(diagnostic.span.start), lines.place(diagnostic.span.end)
        values["line"] = str(start.line)
        if start.line == end.line:
            values |= {"col": str(start.column), "endColumn": str(max(end.column, start.column + 1))}
        else:
            values["endLine"] = str(end.line)  # columns beside two lines are refused
    values["title"] = f"{diagnostic.code} {diagnostic.name}"
    said = diagnostic.message + (f"\n{diagnostic.help}" if diagnostic.help else "")
    properties = ",".join(f"{name}={_property(value)}" for name, value in values.items())
    return f"::{_LEVELS[diagnostic.severity]} {properties}::{_data(said)}"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")
