"""A harness opened for training or evaluation: compiled, with the functions of its tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from harness_dsl.ir.canonical import core_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface
from trainer.simulator.conversation import RunTool
from trainer.simulator.direct import direct


class HarnessError(Exception):
    """A harness that cannot be trained or evaluated; the message is what its author reads."""


@dataclass(frozen=True)
class Harness:
    """`functions` carry out the tools that have a Python implementation, by tool id."""

    core: Core
    surface: Surface
    functions: Mapping[SemanticId, Callable[..., Any]]

    @cached_property
    def digest(self) -> str:
        return core_digest(self.core)

    @cached_property
    def run(self) -> RunTool:
        """Runs a tool at once, for the oracle's conversations."""
        return direct(self.core, self.functions)


def open_harness(path: Path) -> Harness:
    """Compile or load the harness at `path`, and its tools. Raises `HarnessError`."""
    from harness_dsl.syntax.opening import HarnessFileError
    from harness_dsl.syntax.opening import open_harness as open_file
    from runtime.project import ProjectError, find_project, tool_functions

    try:
        opened = open_file(path)
        functions = tool_functions(opened.core, find_project(path))
        harness = Harness(opened.core, opened.surface, functions)
        harness.run  # noqa: B018  # the functions are read now, so that a wrong one is said before the run
    except HarnessFileError as error:
        raise HarnessError(str(error)) from None
    except (ProjectError, ValueError) as error:
        raise HarnessError(f"{path}: {error}") from None
    return harness
