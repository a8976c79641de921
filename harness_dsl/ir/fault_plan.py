"""Faults of tools as data: which call of which tool goes wrong in a conversation, and how."""

from collections.abc import Iterator
from typing import Literal, get_args

from pydantic import Field

from harness_dsl.ir.core import Core, Tool, TypeDecl
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.index import index
from harness_dsl.ir.node import Node
from harness_dsl.ir.types import AnyType, NamedType, NullableType, StringType, Type, UnionType

FaultKind = Literal[
    "timeout",
    "rate_limited",
    "unauthorized",
    "forbidden",
    "unavailable",
    "malformed",
    "truncated",
    "schema_drift",
    "empty",
    "stale",
]
KINDS: tuple[FaultKind, ...] = get_args(FaultKind)
LASTING: frozenset[FaultKind] = frozenset({"unauthorized", "forbidden", "schema_drift"})
"""What does not go away by itself: every later call of the tool meets it too."""


class Fault(Node):
    """call      of the calls of `tool` that reach it in one conversation, counted from 1
    attempts  how many of the loop's attempts at this call it meets: the loop tries a call that times out or
              crashes a second time if its tool is idempotent
    field     of `schema_drift` alone: the field of the result that comes under another name
    """

    tool: SemanticId
    call: int = Field(ge=1)
    kind: FaultKind
    attempts: Literal[1, 2] = 1
    field: str | None = None


class FaultPlan(Node):
    """What goes wrong in one conversation: sorted by tool and call, at most one fault a call."""

    faults: tuple[Fault, ...] = ()

    @classmethod
    def of(cls, faults: Iterator[Fault] | tuple[Fault, ...]) -> "FaultPlan":
        """The plan of these faults."""
        return cls(faults=tuple(sorted(faults, key=lambda fault: (fault.tool, fault.call))))

    def at(self, tool: SemanticId, call: int) -> Fault | None:
        """What call number `call` of `tool` meets."""
        for fault in self.faults:
            if fault.tool == tool and (fault.call == call or (fault.call < call and fault.kind in LASTING)):
                return fault
        return None


_DECLARED: dict[FaultKind, tuple[str, ...]] = {
    "timeout": ("timeout",),
    "rate_limited": ("rate_limited", "too_many_requests", "throttled", "quota_exceeded"),
    "unauthorized": ("unauthorized", "unauthenticated", "not_authenticated"),
    "forbidden": ("forbidden", "permission_denied", "access_denied"),
    "unavailable": ("unavailable", "service_unavailable", "server_error", "internal_error"),
}
"""Under which names authors declare these as failures."""


def declared_failure(tool: Tool, kind: FaultKind) -> str | None:
    """The failure under which `tool` declares faults of `kind`; None: it would crash."""
    return next((name for name in _DECLARED.get(kind, ()) if name in tool.fails), None)


def tried_again(tool: Tool, kind: FaultKind) -> bool:
    """Whether the loop makes a second attempt at a call of `tool` that meets `kind`."""
    if kind not in _DECLARED:
        return False
    return tool.idempotent and (kind == "timeout" or declared_failure(tool, kind) is None)


def applicable(core: Core, tool: Tool) -> tuple[FaultKind, ...]:
    """The kinds of fault that a loop can meet at `tool`.

    Garbled text is no fault of a tool that returns text, since nothing could tell the two apart.
    """
    is_text = _takes_text(tool.returns, core)
    left_out: set[FaultKind] = {"malformed", "truncated"} if is_text else set()
    if not drifting_fields(core, tool):
        left_out.add("schema_drift")
    if tool.effect != "read":
        left_out.add("stale")
    return tuple(kind for kind in KINDS if kind not in left_out)


def drifting_fields(core: Core, tool: Tool) -> tuple[str, ...]:
    """The fields that every result of `tool` has, if it is a record."""
    decl = _declaration(tool.returns, core)
    return tuple(leaf(field.id) for field in (decl.fields or () if decl else ()) if not field.optional)


def plan_problems(core: Core, plan: FaultPlan) -> Iterator[str]:
    """Why `plan` cannot be carried out under `core`, one phrase each."""
    tools = index(core).tools
    last: Fault | None = None
    for fault in plan.faults:
        tool = tools.get(fault.tool)
        if tool is None:
            yield f"`{fault.tool}` is no tool"
            continue
        if fault.kind not in applicable(core, tool):
            yield f"`{fault.kind}` cannot happen to `{tool.id}`"
        if (fault.field is not None) != (fault.kind == "schema_drift"):
            yield f"a `{fault.kind}` of `{tool.id}` {'needs a' if fault.field is None else 'has no'} field"
        elif fault.field is not None and fault.field not in drifting_fields(core, tool):
            yield f"`{fault.field}` is no field that every result of `{tool.id}` has"
        if fault.attempts == 2 and (fault.kind in LASTING or not tried_again(tool, fault.kind)):
            yield f"a `{fault.kind}` of `{tool.id}` is not tried again by the loop"
        if fault.kind == "stale" and fault.call == 1:
            yield f"the first call of `{tool.id}` has nothing that could be stale"
        if last is not None and (fault.tool, fault.call) <= (last.tool, last.call):
            yield "its faults are not sorted by tool and call"
        if last is not None and last.tool == fault.tool and last.kind in LASTING:
            yield f"a `{last.kind}` of `{tool.id}` lasts, and another fault follows"
        last = fault


def _declaration(type_: Type, core: Core) -> TypeDecl | None:
    """The declared record that `type_` is a name for."""
    seen: set[SemanticId] = set()
    while isinstance(type_, NamedType) and type_.type not in seen:
        seen.add(type_.type)
        decl = index(core).types.get(type_.type)
        if decl is None or decl.alias is None:
            return decl
        type_ = decl.alias
    return None


def _takes_text(type_: Type, core: Core, inside: frozenset[SemanticId] = frozenset()) -> bool:
    match type_:
        case AnyType() | StringType():
            return True
        case NullableType():
            return _takes_text(type_.item, core, inside)
        case UnionType():
            return any(_takes_text(option, core, inside) for option in type_.options)
        case NamedType():
            decl = index(core).types.get(type_.type)
            if decl is None or decl.alias is None or type_.type in inside:
                return False
            return _takes_text(decl.alias, core, inside | {type_.type})
        case _:
            return False
