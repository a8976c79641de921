"""A harness or module in one state, compiled, with paths as its reader knows them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from harness_dsl.diagnostics import Diagnostic, render
from harness_dsl.history.snapshot import Snapshot
from harness_dsl.syntax.analysis import analysed
from harness_dsl.syntax.compile import Compiled, compile_file
from harness_dsl.syntax.opening import HarnessFileError, Opened, open_harness
from harness_dsl.syntax.source import read


def open_shown(path: Path, shown: Callable[[str], str] = str) -> Opened:
    """Compiles or loads the file at `path`; a module as what it declares itself. `shown`: how a path is shown
    to its reader. Raises `HarnessFileError` for mistakes.
    """
    if path.suffix == ".json" or not path.is_file():
        return open_harness(path)
    compiled = compile_file(path)
    if compiled.module:
        compiled = _module(path, compiled)
    if compiled.core is None or compiled.surface is None:
        errors = [found for found in compiled.diagnostics if found.severity == "error"]
        files = {shown(name): text for name, text in compiled.files.items()}
        raise HarnessFileError(render.text(relocated(errors, shown), files), 1)
    return _opened(compiled, shown)


def _module(path: Path, compiled: Compiled) -> Compiled:
    """`compiled` with the meaning of the module alone: it is compared, and never shown to a model."""
    from harness_dsl.syntax.lowering import lower

    analysis = analysed(read(str(path)), str(path))
    others = [found for found in compiled.diagnostics if found.code != "HD217"]
    if analysis is None or any(found.severity == "error" for found in others):
        return replace(compiled, diagnostics=others)
    lowered = lower(analysis)
    return replace(
        compiled, core=lowered.core, surface=lowered.surface, spans=lowered.spans, diagnostics=others
    )


def open_at(snapshot: Snapshot, path: str) -> Opened:
    """The harness at `path` of `snapshot`, with what it reads from there. Raises as `open_shown` does."""
    snapshot.write(snapshot.closure(path))
    try:
        return open_shown(snapshot.folder / path, snapshot.shown)
    except HarnessFileError as error:
        raise HarnessFileError(snapshot.plain(str(error)), error.status) from None


def _opened(compiled: Compiled, shown: Callable[[str], str]) -> Opened:
    assert compiled.core is not None and compiled.surface is not None
    spans = {id_: span._replace(path=shown(span.path)) for id_, span in compiled.spans.items()}
    files = {shown(name): text for name, text in compiled.files.items()}
    return Opened(shown(compiled.path), compiled.core, compiled.surface, spans, files)


def relocated(found: list[Diagnostic], shown: Callable[[str], str]) -> list[Diagnostic]:
    """`found` with every path as it is shown."""
    return [
        diagnostic._replace(
            span=diagnostic.span._replace(path=shown(diagnostic.span.path)),
            labels=tuple(
                label._replace(span=label.span._replace(path=shown(label.span.path)))
                for label in diagnostic.labels
            ),
            fix=diagnostic.fix
            and diagnostic.fix._replace(
                span=diagnostic.fix.span._replace(path=shown(diagnostic.fix.span.path))
            ),
        )
        for diagnostic in found
    ]
