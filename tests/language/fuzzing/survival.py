"""What every input has to survive, whatever it is: no exception, no endless work, spans inside the text."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness_dsl.diagnostics import Diagnostic, render
from harness_dsl.exchange.importing import import_harness
from harness_dsl.lint import lint
from harness_dsl.lint.fixing import fixed, fixes
from harness_dsl.syntax.analysis import analysed, sort
from harness_dsl.syntax.compile import compile_file
from harness_dsl.syntax.format import format_text
from harness_dsl.syntax.settings import read_settings
from harness_dsl.syntax.source import decode, read

PATIENCE = 20.0
"""Seconds of processor time after which an input counts as endless. What else the machine does counts not."""


class Endless(BaseException):
    """More work than any input may cause. No `Exception`: nothing may take it for a mistake of its own."""


@contextmanager
def bounded(seconds: float = PATIENCE) -> Iterator[None]:
    """Raises `Endless` in the block after `seconds` of processor time."""

    def stop(*_: Any) -> None:
        raise Endless(f"more than {seconds:g} seconds of processor time")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def survive(path: str) -> None:
    """Everything that can be done with the file at `path`, by what it is."""
    with bounded():
        if path.endswith(".harness"):
            _harness(path)
        elif path.endswith(".toml"):
            _settings(path)
        else:
            _foreign(path)


def _harness(path: str) -> None:
    source = read(path)
    found, files = _checked(path)
    render.text(found, files)
    render.json_text(found, files)
    for diagnostic in found:
        span = diagnostic.span
        assert 0 <= span.start <= span.end <= len(files[span.path]), diagnostic
    if source.text is None:
        return
    formatted, _ = format_text(source.text, path)
    if formatted is not None:
        assert format_text(formatted, path)[0] == formatted
    possible = fixes(found, path, unsafe=True)
    if possible:
        decode(fixed(Path(path).read_bytes(), possible), path)
    if not any(diagnostic.severity == "error" for diagnostic in found):
        compile_file(path)


def _checked(path: str) -> tuple[list[Diagnostic], dict[str, str]]:
    """What `check` says of the file and its modules, with their texts."""
    source = read(path)
    files = {path: source.shown}
    analysis = analysed(source, path)
    if analysis is None:
        return source.diagnostics, files
    found = sort(lint(analysis))
    for module in analysis.modules:
        files[module.path] = module.text
        found += module.found if module.analysis is None else sort(lint(module.analysis))
    return found, files


def _settings(path: str) -> None:
    read = read_settings(path, path)
    render.text(read.found, {path: read.text})
    assert all(0 <= found.span.start <= found.span.end <= len(read.text) for found in read.found)


def _foreign(path: str) -> None:
    kind: Any = Path(path).parts[0]
    result = import_harness(kind, Path(kind) if kind == "skills" else Path(path))
    if result.text:
        analysis = analysed(decode(result.text.encode(), "x.harness"), "x.harness")
        assert analysis is not None
        assert [found for found in lint(analysis) if found.severity != "info"] == []
