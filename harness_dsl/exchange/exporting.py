"""A harness for other systems: what each target takes, what it loses, and how to read its answers."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args
from urllib.parse import quote

from harness_dsl.exchange.agent_skills import skill_text
from harness_dsl.exchange.schema_gemini import gemini
from harness_dsl.exchange.schema_strict import Strict
from harness_dsl.exchange.shown_tools import ShownTool, ShownTools, Unsupported
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.types import AnyType, DecimalType
from harness_dsl.ir.walk import types
from harness_dsl.protocol.json_schema import Schema
from harness_dsl.protocol.source_map import Sourced

Target = Literal[
    "openai-tools", "openai-strict", "anthropic-tools", "mcp", "gemini", "json-schema", "agent-skills"
]
TARGETS: tuple[Target, ...] = get_args(Target)


class Lost(NamedTuple):
    """What the harness says of `symbol` and the target cannot."""

    symbol: str
    what: str


class Fault(NamedTuple):
    """Why the target cannot take `symbol`."""

    symbol: str
    reason: str


@dataclass(slots=True)
class Export:
    """`document`: JSON data; `files`: for agent-skills, text by path. With faults they lack what is at fault.

    `decode`: how calls come back, one sentence each.
    """

    target: Target
    document: Any = None
    files: dict[str, str] = field(default_factory=dict)
    lost: list[Lost] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    decode: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Rules:
    """`name`, `key`: what names of tools and of parameters have to match. `keeps`: what survives."""

    name: str
    name_rule: str
    key: str = ""
    keeps: frozenset[str] = frozenset()


_OPENAI = _Rules(r"[a-zA-Z0-9_-]{1,64}", "1 to 64 letters a-z, digits, `_` and `-`")
_RULES: dict[Target, _Rules] = {
    "openai-tools": _OPENAI,
    "openai-strict": _OPENAI,
    "anthropic-tools": _Rules(_OPENAI.name, _OPENAI.name_rule, key=r"[a-zA-Z0-9_.-]{1,64}"),
    "mcp": _Rules(
        r"[a-zA-Z0-9_.-]{1,128}",
        "1 to 128 letters a-z, digits, `_`, `-` and `.`",
        keeps=frozenset({"effect", "returns", "idempotent"}),
    ),
    "gemini": _Rules(
        r"[a-zA-Z_][a-zA-Z0-9_.-]{0,63}", "1 to 64 letters a-z, digits, `_`, `-` and `.`, a letter first"
    ),
    "json-schema": _Rules(r".+", "a name", keeps=frozenset({"returns"})),
}


def export(core: Core, surface: Surface, target: Target) -> Export:
    """What `target` is given of a harness. Never raises for something that the target cannot take."""
    shown = ShownTools(core, surface)
    result = Export(target)
    _rest(core, result)
    if target == "agent-skills":
        _skills(core, surface, shown, result)
        return result
    entries = []
    for tool in shown.tools():
        try:
            entries.append(_entry(shown.show(tool), core, result))
        except Unsupported as fault:
            result.faults.append(Fault(fault.symbol, fault.reason))
    result.document = _bare(_document(core, target, entries))
    result.decode = [*_DECODE[target], *_names(surface, shown), *result.decode]
    if any(isinstance(type_, DecimalType) for _, type_ in types(core)):
        result.decode.append("a `decimal` comes as a JSON number: read it exactly, not as a binary fraction")
    return result


_DECODE: dict[Target, tuple[str, ...]] = {
    "openai-tools": ("`function.arguments` is JSON text, keyed by shown names",),
    "openai-strict": ("`function.arguments` is JSON text, keyed by shown names",),
    "anthropic-tools": ("`input` of a `tool_use` block is an object, keyed by shown names",),
    "mcp": ("`params.arguments` of `tools/call` is an object, keyed by shown names",),
    "gemini": ("`args` of a `functionCall` is an object, keyed by shown names",),
    "json-schema": ("`NAME.arguments` and `NAME.result` under `$defs` describe the tool shown as NAME",),
}


def _entry(shown: ShownTool, core: Core, result: Export) -> Any:
    target, tool = result.target, shown.tool
    _legal(shown, target)
    lost: list[Lost] = []

    def lose(symbol: str, what: str) -> None:
        lost.append(Lost(symbol, what))

    entry = _BUILDERS[target](shown, core, result, lose)
    result.lost += lost
    result.lost += [Lost(tool.id, what) for what in _conduct(shown, _RULES[target].keeps)]
    return entry


def _legal(shown: ShownTool, target: Target) -> None:
    """Raises `Unsupported` for a name that the target refuses."""
    rules = _RULES[target]
    if re.fullmatch(rules.name, shown.name, re.DOTALL) is None:
        raise Unsupported(shown.tool.id, f"`{shown.name}` is no name that {target} takes: {rules.name_rule}")
    if rules.key:
        for key in _keys(shown.parameters):
            if re.fullmatch(rules.key, key) is None:
                symbol = key.source if isinstance(key, Sourced) else shown.tool.id
                raise Unsupported(
                    symbol,
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


def _conduct(shown: ShownTool, keeps: frozenset[str]) -> list[str]:
    """What a tool says beside its parameters."""
    tool = shown.tool
    lost = []
    if tool.effect != "read" and "effect" not in keeps:
        lost.append(f"its effect, `{tool.effect}`")
    if tool.idempotent and "idempotent" not in keeps:
        lost.append("that it is idempotent")
    lost += [f"its failures: {', '.join(tool.fails)}"] if tool.fails else []
    lost += ["its timeout"] if tool.timeout_ms is not None else []
    lost += ["its implementation"] if tool.implementation is not None else []
    unsaid = "returns" not in keeps or ("effect" in keeps and not _structured(shown))
    if unsaid and not isinstance(tool.returns, AnyType):
        lost.append("what it returns")
    return lost


def _openai(shown: ShownTool, core: Core, result: Export, lose: Callable[[str, str], None]) -> Any:
    del core, result, lose
    return _function(shown, shown.parameters)


def _strict(shown: ShownTool, core: Core, result: Export, lose: Callable[[str, str], None]) -> Any:
    strict = Strict(shown.tool.id, lose)
    parameters = strict.parameters(shown.parameters)
    result.decode += [f"null for {symbol} means {what}" for symbol, what in strict.absent.items()]
    return _function(shown, parameters, strict=True)


def _function(shown: ShownTool, parameters: Schema, **more: Any) -> Any:
    function = {"name": shown.name, "description": shown.description, "parameters": parameters, **more}
    return {"type": "function", "function": function}


def _anthropic(shown: ShownTool, core: Core, result: Export, lose: Callable[[str, str], None]) -> Any:
    del core, result, lose
    return {"name": shown.name, "description": shown.description, "input_schema": shown.parameters}


def _mcp(shown: ShownTool, core: Core, result: Export, lose: Callable[[str, str], None]) -> Any:
    del core, result, lose
    tool = shown.tool
    entry: dict[str, Any] = {
        "name": shown.name,
        "description": shown.description,
        "inputSchema": shown.parameters,
    }
    if _structured(shown):
        entry["outputSchema"] = shown.returns
    entry["annotations"] = {
        "readOnlyHint": tool.effect == "read",
        "destructiveHint": tool.effect == "irreversible",
        "idempotentHint": tool.idempotent,
    }
    return entry


def _structured(shown: ShownTool) -> bool:
    """MCP takes a result schema only of type object."""
    return shown.returns.get("type") == "object"


def _gemini(shown: ShownTool, core: Core, result: Export, lose: Callable[[str, str], None]) -> Any:
    del core, result
    entry: dict[str, Any] = {"name": shown.name, "description": shown.description}
    if shown.parameters["properties"]:
        entry["parameters"] = gemini(shown.parameters, shown.tool.id, lose)
    return entry


def _json_schema(shown: ShownTool, core: Core, result: Export, lose: Callable[[str, str], None]) -> Any:
    """Arguments and result, each a schema resource of its own: references inside stay inside."""
    del result, lose
    base = f"urn:harness:{quote(core.name)}:{quote(shown.name, safe='')}"
    arguments = {"$id": f"{base}:arguments", "description": shown.description, **shown.parameters}
    return {
        f"{shown.name}.arguments": arguments,
        f"{shown.name}.result": {"$id": f"{base}:result", **shown.returns},
    }


_BUILDERS: dict[Target, Callable[[ShownTool, Core, Export, Callable[[str, str], None]], Any]] = {
    "openai-tools": _openai,
    "openai-strict": _strict,
    "anthropic-tools": _anthropic,
    "mcp": _mcp,
    "gemini": _gemini,
    "json-schema": _json_schema,
}


def _document(core: Core, target: Target, entries: list[Any]) -> Any:
    match target:
        case "mcp":
            return {"tools": entries}
        case "gemini":
            return [{"functionDeclarations": entries}]
        case "json-schema":
            definitions = {name: schema for entry in entries for name, schema in entry.items()}
            return {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "$id": f"urn:harness:{quote(core.name)}",
                "$defs": definitions,
            }
        case _:
            return entries


def _bare(value: Any) -> Any:
    """JSON data whose names know nothing any more."""
    match value:
        case str():
            return str(value)
        case dict():
            return {str(key): _bare(item) for key, item in value.items()}
        case list():
            return [_bare(item) for item in value]
        case _:
            return value


def _skills(core: Core, surface: Surface, shown: ShownTools, result: Export) -> None:
    for skill in core.skills:
        if skill.id in surface.hidden:
            continue
        try:
            text = skill_text(skill, shown, surface)
        except Unsupported as fault:
            result.faults.append(Fault(fault.symbol, fault.reason))
            continue
        result.files[f"{shown.name(skill.id)}/SKILL.md"] = text
        if skill.role != "reply":
            result.lost.append(Lost(skill.id, f"that it is a {skill.role} skill"))
        result.lost += [Lost(item.id, "its check") for item in skill.items if item.check is not None]
    result.decode = ["a skill is loaded by the name of its folder", *_names(surface, shown)]


def _rest(core: Core, result: Export) -> None:
    """Parts of the harness that have no place in the target at all."""
    skills = result.target == "agent-skills"
    parts: list[tuple[str, int]] = [
        ("tool" if skills else "skill", len(core.tools if skills else core.skills)),
        ("section", len(core.prompt.sections)),
        ("hook", len(core.hooks)),
        ("limit", len(core.limits)),
        ("test", len(core.tests)),
        ("input", len(core.inputs)),
    ]
    result.lost += [
        Lost("", f"{count} {kind}{'s' if count > 1 else ''} of the harness") for kind, count in parts if count
    ]


def _names(surface: Surface, shown: ShownTools) -> list[str]:
    """What stands behind names that are not their symbol's own."""
    renamed = [
        f"{json.dumps(name, ensure_ascii=False)} is {symbol}"
        for symbol, name in surface.names.items()
        if symbol.split("/")[0] in ("tool", "type", "skill")
        and shown.name(symbol) != symbol.rsplit("/", 1)[-1]
    ]
    return [f"shown names: {', '.join(renamed)}"] if renamed else []
