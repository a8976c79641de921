"""Where an import leads. Paths are relative to the importing file and stay inside the project."""

import os
import re
from pathlib import Path

from harness_dsl.diagnostics import Diagnostic, Span
from harness_dsl.reading import is_file, real

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def project_root(path: str) -> Path:
    """The folder of the nearest `harness.toml` above the file at `path`, else the folder of the file."""
    folder = Path(real(str(Path(path).parent)))
    for candidate in (folder, *folder.parents):
        if is_file(str(candidate / "harness.toml")):
            return candidate
    return folder


def imported_path(written: str, importer: str, root: Path, span: Span) -> str | Diagnostic:
    """The path, as it is shown, of what `importer` imports as `written`; or what is wrong with it."""
    if "\\" in written:
        return Diagnostic(
            "HD213", "an import is written with `/`", span, f'Write "{written.replace(chr(92), "/")}".'
        )
    if not written.strip() or "\0" in written:
        return Diagnostic(
            "HD213", "this import names no file", span, 'Write for example "common/rules.harness".'
        )
    if written.startswith(("/", "~")) or _SCHEME.match(written):
        return Diagnostic(
            "HD213",
            f'"{written}" is not relative to this file',
            span,
            "Write the way from this file to the other.",
        )
    target = os.path.normpath(Path(importer).parent / written)
    if not Path(real(target)).is_relative_to(root):
        help_ = (
            f"Keep modules under `{root.name}`, or put `harness.toml` into the folder that holds them all."
        )
        return Diagnostic("HD213", f'"{written}" leaves the project', span, help_)
    return target
