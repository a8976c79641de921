"""How each target that takes a list of tools writes one, and the names it takes."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from harness_dsl.exchange.schema_gemini import gemini
from harness_dsl.exchange.schema_strict import Strict
from harness_dsl.exchange.shown_tools import ShownTool, Unsupported, symbol_of
from harness_dsl.ir.core import Core, PythonImplementation, Tool
from harness_dsl.ir.types import AnyType
from harness_dsl.protocol.json_schema import Schema

if TYPE_CHECKING:
    from harness_dsl.exchange.exporting import Target


@dataclass(slots=True)
class Sink:
    """What one tool loses, as (symbol, what); and what null stands for, by symbol."""

    lost: list[tuple[str, str]] = field(default_factory=list)
    absent: dict[str, str] = field(default_factory=dict)

    def lose(self, symbol: str, what: str) -> None:
        self.lost.append((symbol, what))


@dataclass(frozen=True, slots=True)
class Rules:
    """`name`, `key`: what names of tools and of parameters have to match; "": anything. `keeps`: what
    survives beside the parameters.
    """

    name: str
    name_rule: str
    key: str = ""
    keeps: frozenset[str] = frozenset()


_OPENAI = Rules(r"[a-zA-Z0-9_-]{1,64}", "1 to 64 letters a-z, digits, `_` and `-`")
RULES: dict["Target", Rules] = {
    "openai-tools": _OPENAI,
    "openai-strict": _OPENAI,
    "anthropic-tools": Rules(_OPENAI.name, _OPENAI.name_rule, key=r"[a-zA-Z0-9_.-]{1,64}"),
    "mcp": Rules(
        r"[a-zA-Z0-9_.-]{1,128}",
        "1 to 128 letters a-z, digits, `_`, `-` and `.`",
        keeps=frozenset({"effect", "returns", "idempotent"}),
    ),
    "gemini": Rules(
        r"[a-zA-Z_][a-zA-Z0-9_.-]{0,63}", "1 to 64 letters a-z, digits, `_`, `-` and `.`, a letter first"
    ),
    "json-schema": Rules(r".+", "a name", keeps=frozenset({"returns"})),
}


def entry(target: "Target", shown: ShownTool, core: Core, sink: Sink) -> Any:
    """One tool as `target` writes it. Raises `Unsupported`."""
    _legal(target, shown)
    built = _BUILDERS[target](shown, core, sink)
    keeps = RULES[target].keeps
    untyped = isinstance(shown.tool.returns, AnyType)
    if "effect" in keeps and not _structured(shown):
        keeps = keeps - {"returns"}
    sink.lost += [(shown.tool.id, what) for what in conduct(shown.tool, untyped, keeps)]
    return built


def document(target: "Target", core: Core, entries: list[Any]) -> Any:
    """All tools together."""
    match target:
        case "mcp":
            return {"tools": entries}
        case "gemini":
            return [{"functionDeclarations": entries}]
        case "json-schema":
            return {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "$id": f"urn:harness:{quote(core.name)}",
                "$defs": {name: schema for part in entries for name, schema in part.items()},
            }
        case _:
            return entries


def bare(value: Any) -> Any:
    """JSON data whose names know nothing any more."""
    match value:
        case str():
            return str(value)
        case dict():
            return {str(key): bare(item) for key, item in value.items()}
        case list() | tuple():
            return [bare(item) for item in value]
        case _:
            return value


def conduct(tool: Tool, untyped: bool, keeps: frozenset[str]) -> list[str]:
    """What is lost of what a tool says beside its parameters. `untyped`: its result has no type to lose."""
    lost = []
    if tool.effect != "read" and "effect" not in keeps:
        lost.append(f"its effect, `{tool.effect}`")
    if tool.idempotent and "idempotent" not in keeps:
        lost.append("that it is idempotent")
    if tool.fails and "fails" not in keeps:
        lost.append(f"its failures: {', '.join(tool.fails)}")
    lost += ["its timeout"] if tool.timeout_ms is not None else []
    kept = "python" in keeps and isinstance(tool.implementation, PythonImplementation)
    lost += ["its implementation"] if tool.implementation is not None and not kept else []
    lost += [] if "returns" in keeps or untyped else ["what it returns"]
    return lost


def _legal(target: "Target", shown: ShownTool) -> None:
    """Raises `Unsupported` for a name that the target refuses."""
    rules = RULES[target]
    if re.fullmatch(rules.name, shown.name, re.DOTALL) is None:
        raise Unsupported(shown.tool.id, f"`{shown.name}` is no name that {target} takes: {rules.name_rule}")
    if rules.key:
        for key in _keys(shown.parameters):
            if re.fullmatch(rules.key, key) is None:
                raise Unsupported(
                    symbol_of(key, shown.tool.id),
                    f"`{key}` is no key that {target} takes: 1 to 64 letters a-z, digits, `_`, `.`, `-`",
                )


def _keys(schema: Any) -> Iterator[str]:
    """The names of properties at every depth."""
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties", {})
    yield from properties
    inner = [*properties.values(), *schema.get("$defs", {}).values(), *schema.get("anyOf", ())]
    for part in [*inner, schema.get("items"), schema.get("additionalProperties")]:
        yield from _keys(part)


def _openai(shown: ShownTool, core: Core, sink: Sink) -> Any:
    del core, sink
    return _function(shown, shown.parameters)


def _strict(shown: ShownTool, core: Core, sink: Sink) -> Any:
    del core
    strict = Strict(shown.tool.id, sink.lose)
    parameters = strict.parameters(shown.parameters)
    sink.absent |= strict.absent
    return _function(shown, parameters, strict=True)


def _function(shown: ShownTool, parameters: Schema, **more: Any) -> Any:
    function = {"name": shown.name, "description": shown.description, "parameters": parameters, **more}
    return {"type": "function", "function": function}


def _anthropic(shown: ShownTool, core: Core, sink: Sink) -> Any:
    del core, sink
    return {"name": shown.name, "description": shown.description, "input_schema": shown.parameters}


def _mcp(shown: ShownTool, core: Core, sink: Sink) -> Any:
    del core, sink
    tool = shown.tool
    built: dict[str, Any] = {
        "name": shown.name,
        "description": shown.description,
        "inputSchema": shown.parameters,
    }
    if _structured(shown):
        built["outputSchema"] = shown.returns
    built["annotations"] = {
        "readOnlyHint": tool.effect == "read",
        "destructiveHint": tool.effect == "irreversible",
        "idempotentHint": tool.idempotent,
    }
    return built


def _structured(shown: ShownTool) -> bool:
    """MCP takes a result schema only of type object."""
    return shown.returns.get("type") == "object"


def _gemini(shown: ShownTool, core: Core, sink: Sink) -> Any:
    del core
    built: dict[str, Any] = {"name": shown.name, "description": shown.description}
    if shown.parameters["properties"]:
        built["parameters"] = gemini(shown.parameters, shown.tool.id, sink.lose)
    return built


def _json_schema(shown: ShownTool, core: Core, sink: Sink) -> Any:
    """Arguments and result, each a schema resource of its own: references inside stay inside."""
    del sink
    base = f"urn:harness:{quote(core.name)}:{quote(shown.name, safe='')}"
    arguments = {"$id": f"{base}:arguments", "description": shown.description, **shown.parameters}
    return {
        f"{shown.name}.arguments": arguments,
        f"{shown.name}.result": {"$id": f"{base}:result", **shown.returns},
    }


_BUILDERS: dict["Target", Callable[[ShownTool, Core, Sink], Any]] = {
    "openai-tools": _openai,
    "openai-strict": _strict,
    "anthropic-tools": _anthropic,
    "mcp": _mcp,
    "gemini": _gemini,
    "json-schema": _json_schema,
}
