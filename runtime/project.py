"""The part of a project file (`harness.toml`) that the runtime reads, and the functions that it allows.

[runtime]
allow = ["shop.tools"]    # modules (with what is below them) whose functions may run
path = "."                # the folder they are imported from, relative to the project file
"""

import importlib
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from harness_dsl.diagnostics.system import reason
from harness_dsl.ir.core import Core, PythonImplementation
from harness_dsl.ir.ids import SemanticId
from harness_dsl.syntax.settings import PROJECT_FILE, one_line, read_settings


class ProjectError(Exception):
    """A project that cannot be run; the message is one sentence for its author."""


@dataclass(frozen=True)
class Project:
    """`root` is the folder of the project file, or of the harness where there is none; then nothing is
    allowed.
    """

    root: Path
    folder: Path
    allow: tuple[str, ...] = ()


def find_project(harness: Path) -> Project:
    """The project that `harness` belongs to: the nearest project file in its folder or above.

    Raises `ProjectError` when that file cannot be read.
    """
    try:
        folder = harness.resolve().parent
    except (OSError, RuntimeError) as error:
        raise ProjectError(f"{harness} leads nowhere: {reason(error)}") from error
    for root in (folder, *folder.parents):
        file = root / PROJECT_FILE
        if file.is_file():
            return _read(file)
    return Project(root=folder, folder=folder)


def _read(file: Path) -> Project:
    said = read_settings(str(file), str(file))
    if said.found:
        raise ProjectError(one_line(said))
    folder = (file.parent / said.folder).resolve()
    if not folder.is_relative_to(file.parent.resolve()):
        raise ProjectError(f"{file}: `runtime.path` leaves the project")
    return Project(root=file.parent, folder=folder, allow=said.allow)


def tool_functions(core: Core, project: Project) -> dict[SemanticId, Callable[..., Any]]:
    """The Python function of every tool that declares one. Raises `ProjectError` as `load_function` does."""
    return {
        tool.id: load_function(tool.implementation.target, project)
        for tool in core.tools
        if isinstance(tool.implementation, PythonImplementation)
    }


def hook_functions(core: Core, project: Project) -> dict[SemanticId, tuple[Callable[..., Any], ...]]:
    """The equivalent implementations of every hook, in declared order."""
    return {
        hook.id: tuple(
            load_function(implementation.target, project) for implementation in hook.implementations
        )
        for hook in core.hooks
        if hook.implementations
    }


def load_function(target: str, project: Project) -> Callable[..., Any]:
    """`module:function`, imported. This runs code of the project, so the module must be on the allow-list.

    Raises `ProjectError` for a module that is not allowed, cannot be imported or lacks the function.
    """
    module, _, name = target.partition(":")
    if not _allowed(module, project.allow):
        raise ProjectError(f"{target} may not run: add {module!r} to `runtime.allow` in {PROJECT_FILE}")
    function = getattr(_import(module, project), name, None)
    if not callable(function):
        raise ProjectError(f"{module} has no function {name!r}")
    found: Callable[..., Any] = function
    return found


def _allowed(module: str, allow: Iterable[str]) -> bool:
    return any(module == name or module.startswith(name + ".") for name in allow)


def _import(module: str, project: Project) -> ModuleType:
    folder = str(project.folder)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    source = project.folder.joinpath(*module.split("."))
    is_own = source.with_suffix(".py").is_file() or (source / "__init__.py").is_file()
    try:
        loaded = importlib.import_module(module)
    except (Exception, SystemExit) as error:
        raise ProjectError(f"{module} cannot be imported: {type(error).__name__}: {error}") from error
    if is_own and not _lies_under(loaded, project.folder):
        raise ProjectError(f"{module} was imported from another project: {loaded.__file__}")
    return loaded


def _lies_under(module: ModuleType, folder: Path) -> bool:
    return module.__file__ is not None and Path(module.__file__).resolve().is_relative_to(folder)
