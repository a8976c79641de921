"""A harness as commands take it: a `.harness` file, or the JSON that `harnessc compile` writes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness_dsl.ir.core import Core
    from harness_dsl.ir.surface import Surface


class HarnessFileError(Exception):
    """The file cannot be used. The message is what its author reads, `status` the exit status."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Opened:
    """What a harness means and how its author shows it."""

    core: Core
    surface: Surface


def open_harness(path: str) -> Opened:
    """Compiles or loads `path`. Raises `HarnessFileError`."""
    from harness_dsl.diagnostics import render
    from harness_dsl.syntax.artefact import ArtefactError, load_ir
    from harness_dsl.syntax.compile import compile_file

    if not Path(path).is_file():
        raise HarnessFileError(f"there is no file `{path}`", 2)
    if path.endswith(".json"):
        try:
            artefact = load_ir(path)
        except ArtefactError as error:
            raise HarnessFileError(str(error), 1) from None
        return Opened(artefact.core, artefact.surface)
    compiled = compile_file(path)
    if compiled.core is None or compiled.surface is None:
        errors = [found for found in compiled.diagnostics if found.severity == "error"]
        raise HarnessFileError(render.text(errors, compiled.files), 1)
    return Opened(compiled.core, compiled.surface)
