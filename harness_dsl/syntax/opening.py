"""A harness as every command takes it: a `.harness` file, or the JSON that `harnessc compile` writes."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.diagnostics import Span, render
from harness_dsl.syntax.compile import compile_file

if TYPE_CHECKING:
    from harness_dsl.ir.core import Core
    from harness_dsl.ir.surface import Surface


class HarnessFileError(Exception):
    """The file cannot be used. The message is what its author reads, `status` the exit status. `module`: it
    is a module.
    """

    def __init__(self, message: str, status: int, module: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.module = module


@dataclass(slots=True, frozen=True)
class Opened:
    """What a harness means and how its author shows it. `spans` and `files` are empty for compiled JSON."""

    path: str
    core: "Core"
    surface: "Surface"
    spans: dict[str, Span] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    source_digest: str = ""


def open_harness(path: str | Path) -> Opened:
    """Compiles or loads `path`. Raises `HarnessFileError`."""
    from harness_dsl.syntax.artefact import ArtefactError, load_ir

    name = str(path)
    if not Path(path).is_file():
        raise HarnessFileError(f"there is no file `{name}`", 2)
    if name.endswith(".json"):
        try:
            artefact = load_ir(path)
        except ArtefactError as error:
            raise HarnessFileError(str(error), 1) from None
        return Opened(name, artefact.core, artefact.surface, source_digest=artefact.source_digest)
    compiled = compile_file(path)
    if compiled.core is None or compiled.surface is None:
        errors = [found for found in compiled.diagnostics if found.severity == "error"]
        raise HarnessFileError(render.text(errors, compiled.files), 1, compiled.module)
    return Opened(
        name, compiled.core, compiled.surface, compiled.spans, compiled.files, compiled.source_digest
    )
