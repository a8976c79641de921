"""A harness for other systems: what each target takes, what it loses, and how to read its answers."""

import json
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

from harness_dsl.exchange.agent_skills import skill_text
from harness_dsl.exchange.shown_tools import ShownTools, Unsupported
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.types import AnyType, DecimalType
from harness_dsl.ir.walk import types

Target = Literal[
    "openai-tools",
    "openai-strict",
    "anthropic-tools",
    "mcp",
    "gemini",
    "json-schema",
    "python-stubs",
    "agent-skills",
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
    """`document`: JSON data; `text`: for python-stubs, the module; `files`: for agent-skills, text by path.
    With faults they lack what is at fault.

    `decode`: how calls come back, one sentence each; `decoding.Calls` does what they say. `names`: the
    symbol behind each sent name that is not its own; `absent`: what null means, by symbol.
    """

    target: Target
    document: Any = None
    text: str = ""
    files: dict[str, str] = field(default_factory=dict)
    lost: list[Lost] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    decode: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)

    def report(self) -> dict[str, Any]:
        """Everything but the export itself, as JSON data."""
        return {
            "target": self.target,
            "lost": [lost._asdict() for lost in self.lost],
            "faults": [fault._asdict() for fault in self.faults],
            "decode": self.decode,
            "names": self.names,
            "absent": self.absent,
        }


DECODE: dict[Target, str] = {
    "openai-tools": "`function.arguments` is JSON text, keyed by shown names",
    "openai-strict": "`function.arguments` is JSON text, keyed by shown names",
    "anthropic-tools": "`input` of a `tool_use` block is an object, keyed by shown names",
    "mcp": "`params.arguments` of `tools/call` is an object, keyed by shown names",
    "gemini": "`args` of a `functionCall` is an object, keyed by shown names",
    "json-schema": "`NAME.arguments` and `NAME.result` under `$defs` describe the tool shown as NAME",
    "python-stubs": "a call is a Python call of the stub, with declared names and declared values",
    "agent-skills": "a skill is loaded by the name of its folder",
}


def export(core: Core, surface: Surface, target: Target, *, sanitise: bool = False) -> Export:
    """What `target` is given of a harness. Never raises for something that the target cannot take.

    `sanitise`: names that the target refuses are sent as others that it takes, and that is a loss.
    """
    result = Export(target)
    _rest(core, result)
    if sanitise:
        surface = _sanitised(core, surface, result)
    if target == "agent-skills":
        _skills(core, surface, result)
    elif target == "python-stubs":
        _stubs(core, surface, result)
    else:
        _tools(core, surface, result)
    if target != "agent-skills" and any(isinstance(type_, DecimalType) for _, type_ in types(core)):
        result.decode.append("a `decimal` comes as a JSON number: read it exactly, not as a binary fraction")
    return result


def _sanitised(core: Core, surface: Surface, result: Export) -> Surface:
    from harness_dsl.exchange.sanitising import legal_surface
    from harness_dsl.ir.naming import Naming

    legal = legal_surface(core, surface, result.target)
    before, after = Naming(core, surface), Naming(core, legal)
    for symbol in legal.names:
        if before.name(symbol) != after.name(symbol):
            result.lost.append(
                Lost(symbol, f"its name `{before.name(symbol)}`: it is sent as `{after.name(symbol)}`")
            )
    return legal


def _tools(core: Core, surface: Surface, result: Export) -> None:
    from harness_dsl.exchange.targets import Sink, bare, document, entry

    shown = ShownTools(core, surface)
    entries = []
    for tool in shown.tools():
        sink = Sink()
        try:
            entries.append(entry(result.target, shown.show(tool), core, sink))
        except Unsupported as fault:
            result.faults.append(Fault(fault.symbol, fault.reason))
            continue
        result.lost += [Lost(*lost) for lost in sink.lost]
        result.absent |= sink.absent
    result.document = bare(document(result.target, core, entries))
    result.names = _names(surface, shown)
    absent = [f"null for {symbol} means {what}" for symbol, what in result.absent.items()]
    result.decode = [DECODE[result.target], *_renamed(result.names), *absent]


def _stubs(core: Core, surface: Surface, result: Export) -> None:
    from harness_dsl.exchange.stub_module import Stubs
    from harness_dsl.exchange.targets import conduct

    shown = ShownTools(core, surface)
    stubs = Stubs(core, shown)
    for tool in shown.tools():
        try:
            stubs.add(tool)
        except Unsupported as fault:
            result.faults.append(Fault(fault.symbol, fault.reason))
            continue
        keeps = frozenset({"returns", "fails", "python"})
        untyped = isinstance(tool.returns, AnyType)
        result.lost += [Lost(tool.id, what) for what in conduct(tool, untyped, keeps)]
    result.text = stubs.text()
    result.lost += [Lost(symbol, what) for symbol, what in stubs.lost]
    result.names = {name: symbol for name, symbol in stubs.names.items() if name != symbol.split("/")[-1]}
    result.decode = [DECODE["python-stubs"], *_renamed(result.names)]


def _skills(core: Core, surface: Surface, result: Export) -> None:
    shown = ShownTools(core, surface)
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
    result.names = _names(surface, shown)
    result.decode = [DECODE["agent-skills"], *_renamed(result.names)]


def _rest(core: Core, result: Export) -> None:
    """Parts of the harness that have no place in the target at all."""
    skills = result.target == "agent-skills"
    parts: list[tuple[str, int]] = [
        ("tool" if skills else "skill", len(core.tools if skills else core.skills)),
        ("section", len(core.prompt.sections)),
        ("hook", len(core.hooks)),
        ("limit", len(core.limits)),
        ("test", len(core.tests)),
        ("input", 0 if result.target == "python-stubs" else len(core.inputs)),
    ]
    result.lost += [
        Lost("", f"{count} {kind}{'s' if count > 1 else ''} of the harness") for kind, count in parts if count
    ]


def _names(surface: Surface, shown: ShownTools) -> dict[str, str]:
    """What stands behind names that are not their symbol's own."""
    return {
        name: symbol
        for symbol, name in surface.names.items()
        if symbol.split("/")[0] in ("tool", "type", "skill")
        and shown.name(symbol) != symbol.rsplit("/", 1)[-1]
    }


def _renamed(names: dict[str, str]) -> list[str]:
    said = [f"{json.dumps(name, ensure_ascii=False)} is {symbol}" for name, symbol in names.items()]
    return [f"shown names: {', '.join(said)}"] if said else []
