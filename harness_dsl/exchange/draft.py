"""Declarations on their way into a file: IR types, identifiers and shown names, in the source's order."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from harness_dsl.ir.core import Core, Member, Prompt, TypeDecl
from harness_dsl.ir.types import Type
from harness_dsl.ir.values import check_value


@dataclass(slots=True)
class Entry:
    """A parameter or field: `name` is the identifier, `shown` what the source calls it."""

    name: str
    shown: str
    type: Type
    optional: bool = False
    description: str = ""
    has_default: bool = False
    default: Any = None


@dataclass(slots=True)
class Declared:
    """A type: a record (`fields`) or another name for `alias`. Exactly one is set."""

    name: str
    fields: list[Entry] | None = None
    alias: Type | None = None
    description: str = ""


@dataclass(slots=True)
class ToolDraft:
    name: str
    shown: str
    description: str
    params: list[Entry]
    returns: Type
    types: list[Declared] = field(default_factory=list)
    effect: str = ""
    idempotent: bool = False
    server: str = ""
    """The MCP server that runs it, or ""."""
    server_tool: str = ""


@dataclass(slots=True)
class SkillDraft:
    name: str
    shown: str
    when: str
    body: str


@dataclass(slots=True)
class CallDraft:
    """`tool` and the keys of `arguments` are identifiers."""

    tool: str
    arguments: dict[str, Any]
    negated: bool = False


@dataclass(slots=True)
class CaseDraft:
    """A test."""

    title: str
    users: list[str]
    calls: list[CallDraft]

    @property
    def name(self) -> str:
        """No tool, skill or type is called so."""
        return f"test {self.title}"


def misfit(value: Any, type_: Type, types: Iterable[Declared]) -> str | None:
    """Why `value` is no `type_`, or None."""
    decls = tuple(
        TypeDecl(
            id=f"type/{decl.name}",
            alias=decl.alias,
            fields=None
            if decl.fields is None
            else tuple(
                Member(id=f"type/{decl.name}/field/{entry.name}", type=entry.type, optional=entry.optional)
                for entry in decl.fields
            ),
        )
        for decl in types
    )
    core = Core(name="draft", version="0.0.0", types=decls, prompt=Prompt(id="prompt/system", sections=()))
    return check_value(value, type_, core)
