"""A harness on disk, ready to run: compiled, verified, with the functions of its tools and hooks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness_dsl.diagnostics.lines import Lines
from harness_dsl.ir.core import Core, HttpImplementation, McpImplementation
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface
from harness_dsl.syntax.opening import HarnessFileError, Opened, open_harness
from runtime.project import Project, ProjectError, find_project, hook_functions, tool_functions


class LoadError(Exception):
    """A harness that cannot be run. `status` is the exit status: 1 for mistakes in the harness, else 2.
    `module`: the file is a module, which runs only in a harness that imports it.
    """

    def __init__(self, message: str, status: int, module: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.module = module


@dataclass(frozen=True)
class Loaded:
    """`tools` and `hooks` give the functions of this Core, and of one that is swapped in later."""

    core: Core
    surface: Surface
    project: Project
    source_digest: str = ""
    opened: Opened | None = None

    def tools(self, core: Core) -> Mapping[SemanticId, Callable[..., Any]]:
        """Raises `ValueError` for a function that may not or cannot be loaded."""
        try:
            return tool_functions(core, self.project)
        except ProjectError as error:
            raise ValueError(str(error)) from error

    def hooks(self, core: Core) -> Mapping[SemanticId, tuple[Callable[..., Any], ...]]:
        """Raises `ValueError` as `tools` does."""
        try:
            return hook_functions(core, self.project)
        except ProjectError as error:
            raise ValueError(str(error)) from error

    def place(self, id_: SemanticId) -> str | None:
        """Where the symbol of that id stands, as `path:line`; None in compiled JSON."""
        if self.opened is None or id_ not in self.opened.spans:
            return None
        span = self.opened.spans[id_]
        return f"{span.path}:{Lines(self.opened.files[span.path]).place(span.start).line}"

    def unreachable(self) -> list[SemanticId]:
        """Tools that this runtime has no way to carry out: without an implementation, or over HTTP or MCP."""
        elsewhere = (HttpImplementation, McpImplementation, type(None))
        return [tool.id for tool in self.core.tools if isinstance(tool.implementation, elsewhere)]


def load_harness(path: Path) -> Loaded:
    """The harness at `path`: a `.harness` file, or the JSON that `harnessc compile` writes.

    Raises `LoadError` with what its author reads.
    """
    try:
        project = find_project(path)
        opened = open_harness(path)
    except ProjectError as error:
        raise LoadError(str(error), 2) from error
    except HarnessFileError as error:
        raise LoadError(str(error), error.status, error.module) from error
    return Loaded(opened.core, opened.surface, project, opened.source_digest, opened)
