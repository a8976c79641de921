"""Files to Core, default Surface and span table."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.diagnostics import Diagnostic, Span
from harness_dsl.syntax.analysis import analysed, sort
from harness_dsl.syntax.source import Source, decode, read

if TYPE_CHECKING:
    from harness_dsl.ir.core import Core
    from harness_dsl.ir.surface import Surface
    from harness_dsl.syntax.analysis import Analysis
    from harness_dsl.syntax.modules.loader import Reader
    from harness_dsl.syntax.tree import Ident


@dataclass(slots=True)
class Compiled:
    """`core` and `surface` are None when there are errors. `spans`: where each semantic id stands. `files`:
    the normalised text of every file read, by path as shown, the file itself first. `module`: the file is a
    module, and there is no Core for that reason.
    """

    path: str
    core: "Core | None"
    surface: "Surface | None"
    spans: dict[str, Span]
    source_digest: str
    diagnostics: list[Diagnostic]
    files: dict[str, str] = field(default_factory=dict)
    module: bool = False


def compile_file(path: str | Path, project: str | Path | None = None, reader: "Reader" = read) -> Compiled:
    """Compiles the file at `path`. `project`: the folder fixtures are relative to; default: that of the file.
    `reader`: gives the text of each file by its path; default: the disk.

    Never raises for a mistake in the file: it is in `diagnostics`.
    """
    return _compiled(reader(str(path)), str(path), project, reader)


def compile_text(
    text: str | bytes,
    path: str | Path = "<text>",
    project: str | Path | None = None,
    reader: "Reader" = read,
) -> Compiled:
    """Compiles `text` as if it stood at `path`. `reader`: gives the text of each module by its path."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return _compiled(decode(data, str(path)), str(path), project, reader)


def _compiled(source: Source, path: str, project: str | Path | None, reader: "Reader") -> Compiled:
    analysis = analysed(source, path, project, reader)
    if analysis is None:
        files = {path: source.shown}
        return Compiled(path, None, None, {}, _digest(files), source.diagnostics, files)
    files = analysis.report.sources.files
    found = [*sort(analysis.diagnostics), *(d for module in analysis.modules for d in sort(module.found))]
    header = analysis.symbols.header
    if header is not None and header.module:
        found.append(_alone(analysis, header.name))
        return Compiled(path, None, None, {}, _digest(files), found, files, module=True)
    if not analysis.ok:
        return Compiled(path, None, None, {}, _digest(files), found, files)
    from harness_dsl.syntax.lowering import lower

    lowered = lower(analysis)
    _verify(lowered.core, lowered.surface)
    return Compiled(path, lowered.core, lowered.surface, lowered.spans, _digest(files), found, files)


def _alone(analysis: "Analysis", name: "Ident") -> Diagnostic:
    file = Path(analysis.file.path).name
    help_ = f'Compile a harness that says `import "{file}" as {name.text}`.'
    return Diagnostic("HD217", f"`{name.text}` is a module", analysis.report.span(name), help_)


def _digest(files: dict[str, str]) -> str:
    """The digest of the file and its modules, by their paths from the folder of the file."""
    from harness_dsl.ir.canonical import source_digest

    folder = Path(next(iter(files))).parent
    return source_digest(
        {Path(os.path.relpath(path, folder)).as_posix(): text for path, text in files.items()}
    )


def _verify(core: "Core", surface: "Surface") -> None:
    """What the analysis lets pass is valid IR; anything else is our mistake."""
    from harness_dsl.ir.verify import verify_core, verify_surface

    problems = [*verify_core(core), *verify_surface(core, surface)]
    if problems:
        raise AssertionError("lowering built an invalid harness: " + "; ".join(map(str, problems)))
