"""What the catalogue knows of a tool, whichever form it is written in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness_dsl.ir.ids import SemanticId
from harness_dsl.protocol.source_map import Rendered


@dataclass(frozen=True, slots=True)
class ParamEntry:
    """One parameter of a catalogue entry; `default` is a shown JSON value where `has_default`."""

    id: SemanticId
    name: str
    required: bool
    has_default: bool
    default: Any
    type: Rendered
    description: Rendered


@dataclass(frozen=True, slots=True)
class ToolEntry:
    """A tool, a built-in or a distractor as the catalogue sees it. `schema` is a thunk: one form needs it."""

    id: SemanticId
    name: str
    description: Rendered
    params: tuple[ParamEntry, ...]
    schema: Callable[[], dict[str, Any]]
