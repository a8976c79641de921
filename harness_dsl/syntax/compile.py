"""Files to Core, default Surface and span table."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.diagnostics import Diagnostic, Span
from harness_dsl.syntax.analysis import analysed, sort
from harness_dsl.syntax.source import Source, decode, read

if TYPE_CHECKING:
    from harness_dsl.ir.core import Core
    from harness_dsl.ir.surface import Surface


@dataclass(slots=True)
class Compiled:
    """`core` and `surface` are None when there are errors. `spans`: where each semantic id stands. `files`:
    the normalised text of every file read, by path as shown.
    """

    path: str
    core: "Core | None"
    surface: "Surface | None"
    spans: dict[str, Span]
    source_digest: str
    diagnostics: list[Diagnostic]
    files: dict[str, str] = field(default_factory=dict)


def compile_file(path: str | Path, project: str | Path | None = None) -> Compiled:
    """Compiles the file at `path`. `project`: the folder fixtures are relative to; default: that of the file.

    Never raises for a mistake in the file: it is in `diagnostics`.
    """
    return _compiled(read(path), str(path), project)


def compile_text(
    text: str | bytes, path: str | Path = "<text>", project: str | Path | None = None
) -> Compiled:
    """Compiles `text` as if it stood at `path`."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return _compiled(decode(data, str(path)), str(path), project)


def _compiled(source: Source, path: str, project: str | Path | None) -> Compiled:
    from harness_dsl.ir.canonical import source_digest

    analysis = analysed(source, path, project)
    files = {path: source.text or ""}
    digest = source_digest({Path(path).name: source.text or ""})
    if analysis is None or not analysis.ok:
        found = source.diagnostics if analysis is None else analysis.diagnostics
        return Compiled(path, None, None, {}, digest, sort(found), files)
    from harness_dsl.syntax.lowering import lower

    lowered = lower(analysis)
    _verify(lowered.core, lowered.surface)
    return Compiled(
        path, lowered.core, lowered.surface, lowered.spans, digest, sort(analysis.diagnostics), files
    )


def _verify(core: "Core", surface: "Surface") -> None:
    """What the analysis lets pass is valid IR; anything else is our mistake."""
    from harness_dsl.ir.verify import verify_core, verify_surface

    problems = [*verify_core(core), *verify_surface(core, surface)]
    if problems:
        raise AssertionError("lowering built an invalid harness: " + "; ".join(map(str, problems)))
