"""What the model reads when a fault meets a call: the loop's own answers, computed and not run."""

import json
from collections.abc import Mapping
from typing import Any

from harness_dsl.ir.core import Core, Tool
from harness_dsl.ir.fault_plan import LASTING, Fault, FaultKind, declared_failure, tried_again
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.index import index
from harness_dsl.ir.same_json import same_json
from harness_dsl.ir.transcript import Result
from harness_dsl.ir.types import ListType, MapType, NamedType, StringType, Type, UnionType
from harness_dsl.ir.values import check_value

CRASHED = "the tool does not work now"
"""What a model reads about a tool that crashed: what it raised may hold secrets."""
TOO_SLOW = "it took too long"

REASONS: Mapping[FaultKind, str] = {
    "rate_limited": "429 Too Many Requests",
    "unauthorized": "401 Unauthorized",
    "forbidden": "403 Forbidden",
    "unavailable": "503 Service Unavailable",
}
_GARBLED = "<html><body><h1>502 Bad Gateway</h1></body></html>"


def is_hidden(tool: Tool, fault: Fault) -> bool:
    """Whether the loop's second attempt makes good for it, so that the model sees nothing."""
    return fault.kind not in LASTING and fault.attempts == 1 and tried_again(tool, fault.kind)


def failed(tool: Tool, kind: FaultKind) -> Result | None:
    """The result of a call of `tool` that a fault of `kind` keeps from giving a value; None: it gives one."""
    if kind == "timeout":
        return Result(tool=tool.id, failure=declared_failure(tool, kind) or "crashed", detail=TOO_SLOW)
    if kind not in REASONS:
        return None
    declared = declared_failure(tool, kind)
    if declared is None:
        return Result(tool=tool.id, failure="crashed", detail=CRASHED)
    return Result(tool=tool.id, failure=declared, detail=REASONS[kind])


def asked(tool: Tool, arguments: Mapping[str, Any]) -> str:
    """A text that is equal for calls of `tool` that ask the same."""
    defaults = {leaf(param.id): param.default for param in tool.params if param.has_default}
    return same_json([tool.id, {**defaults, **arguments}])


def distorted(core: Core, tool: Tool, fault: Fault, value: Any, previous: Any) -> Any:
    """What arrives instead of `value`. `previous`: what an equal call before gave, if there was one."""
    match fault.kind:
        case "malformed":
            return _GARBLED
        case "truncated":
            text = json.dumps(value, ensure_ascii=False, default=str)
            return text[: max(1, len(text) // 2)]
        case "schema_drift":
            return _drifted(value, fault.field)
        case "empty":
            return empty(tool.returns, core)
        case "stale":
            return value if previous is None else previous
        case _:
            return value


def seen(core: Core, tool: Tool, fault: Fault, true: Result, previous: Any) -> Result:
    """What the model reads instead of `true`, the result of a call without the fault."""
    if is_hidden(tool, fault):
        return true
    if (failure := failed(tool, fault.kind)) is not None:
        return failure
    if true.failure is not None:
        return true
    value = distorted(core, tool, fault, true.value, previous)
    if check_value(value, tool.returns, core) is not None:
        return Result(tool=tool.id, failure="crashed", detail=CRASHED)
    return true.model_copy(update={"value": value})


def empty(type_: Type, core: Core, inside: frozenset[SemanticId] = frozenset()) -> Any:
    """What a `type_` looks like when there is nothing in it, whether its constraints admit that or not."""
    match type_:
        case ListType():
            return []
        case MapType():
            return {}
        case StringType():
            return ""
        case UnionType():
            return empty(type_.options[0], core, inside)
        case NamedType():
            decl = index(core).types.get(type_.type)
            if decl is None or type_.type in inside:
                return None
            return {} if decl.alias is None else empty(decl.alias, core, inside | {type_.type})
        case _:
            return None


def _drifted(value: Any, field: str | None) -> Any:
    if not isinstance(value, Mapping) or field not in value:
        return value
    return {f"{name}_v2" if name == field else name: entry for name, entry in value.items()}
