"""A harness on disk, ready to run: compiled, verified, with the functions of its tools and hooks."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness_dsl.ir.core import Core, HttpImplementation, McpImplementation
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface
from runtime.activation import ActivationError, read_harness
from runtime.project import Project, ProjectError, find_project, hook_functions, tool_functions


class LoadError(Exception):
    """A harness that cannot be run. `status` is the exit status: 1 for mistakes in the harness, else 2."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Loaded:
    """`tools` and `hooks` give the functions of this Core, and of one that is swapped in later."""

    core: Core
    surface: Surface
    project: Project

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
        core, surface = _compiled(path) if path.suffix == ".json" else _source(path)
    except ProjectError as error:
        raise LoadError(str(error), 2) from error
    return Loaded(core, surface, project)


def _source(path: Path) -> tuple[Core, Surface]:
    from harness_dsl.diagnostics import render
    from harness_dsl.syntax.compile import compile_file

    if not path.is_file():
        raise LoadError(f"{path}: there is no such file", 2)
    compiled = compile_file(path)
    if compiled.core is None or compiled.surface is None:
        errors = [found for found in compiled.diagnostics if found.severity == "error"]
        raise LoadError(render.text(errors, compiled.files), 1)
    return compiled.core, compiled.surface


def _compiled(path: Path) -> tuple[Core, Surface]:
    try:
        return read_harness(json.loads(path.read_text("utf-8")))
    except OSError as error:
        raise LoadError(f"{path}: {error.strerror}", 2) from error
    except (ValueError, RecursionError) as error:
        raise LoadError(f"{path} is not JSON: {error}", 1) from error
    except ActivationError as error:
        raise LoadError(f"{path}: {error}", 1) from error
