"""What reading a foreign file yields: definitions, losses and refusals."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple


class Loss(NamedTuple):
    """What the source says and the language cannot. `pointer`: JSON Pointer (RFC 6901) into the source."""

    file: str
    pointer: str
    what: str


class Refusal(NamedTuple):
    """One definition, or a whole file, that is left out. `name`: what it calls itself, or ""."""

    file: str
    pointer: str
    name: str
    reason: str


class Unreadable(Exception):
    """A definition cannot be taken over; the message says why, as one phrase."""


Lose = Callable[[str, str], None]
"""Takes a JSON Pointer and what is lost there."""


@dataclass(slots=True)
class ToolSource:
    """One tool as its source defines it. `parameters` and `returns` are JSON Schemas, `annotations` MCP's.

    `*_at` are JSON Pointers. `group`: the benchmark item it comes from. `title`: a name for people
    that stands for a missing description, or "".
    """

    file: str
    at: str
    name: Any
    description: Any
    parameters: Any
    parameters_at: str
    returns: Any = None
    returns_at: str = ""
    annotations: dict[str, Any] | None = None
    losses: list[tuple[str, str]] = field(default_factory=list)
    group: str = ""
    title: str = ""


@dataclass(slots=True)
class SkillSource:
    """One Agent Skill: its front matter, and every character behind it."""

    file: str
    name: str
    description: str
    body: str
    losses: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class ExpectedCall:
    """A call that is right. `arguments`: those with one right value, as the source calls them."""

    tool: str
    arguments: dict[str, Any]


@dataclass(slots=True)
class CaseSource:
    """One benchmark item as a test: what the user says, and its answer. `calls`: [] if nothing is to be
    called, None if nothing is known of the answer.
    """

    file: str
    at: str
    title: str
    users: list[str]
    tools: list[ToolSource]
    calls: list[ExpectedCall] | None
    group: str = ""
    losses: list[tuple[str, str]] = field(default_factory=list)


Found = ToolSource | SkillSource | CaseSource | Refusal | Loss
Kind = Literal["mcp", "openai", "anthropic", "bfcl", "acebench", "skills"]


def pointer(*parts: str | int) -> str:
    """A JSON Pointer from unescaped parts."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)
