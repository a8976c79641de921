"""The call syntax Hermes JSON: one JSON object with `name` and `arguments` between `<tool_call>` and
`</tool_call>`.

Reading never evaluates anything and never raises: what is no call is a `Malformed` with the reason, and a
call of a name that shows no tool is a `ForeignCall` that keeps its arguments as text.
"""

from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import LOAD_SKILL, LOAD_SKILL_PARAM, SemanticId, kind
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call, ForeignCall, LoadSkill, Malformed
from harness_dsl.ir.types import Type
from harness_dsl.protocol.json_text import BadJson, Slice, dump, load_object
from harness_dsl.protocol.markers import CALL_CLOSE, CALL_OPEN, escaped
from harness_dsl.protocol.values import UnknownName, Values, ordered

AnyCall = Call | LoadSkill | ForeignCall


class HermesCalls:
    """Prints and reads the body of a call under one Surface."""

    def __init__(self, core: Core, surface: Surface, naming: Naming, values: Values) -> None:
        self._naming = naming
        self._values = values
        self._hidden = frozenset(surface.hidden)
        self._surface = surface
        self._params = _params(core)

    def print(self, event: AnyCall) -> str:
        """The body between the markers, one line. A marker's text in an argument is escaped as JSON."""
        name, arguments = self.function(event)
        if not isinstance(event, ForeignCall):
            arguments = escaped(arguments)
        return f'{{"name": {escaped(dump(name))}, "arguments": {arguments}}}'

    def function(self, event: AnyCall) -> tuple[str, str]:
        """The shown name and the JSON text of the arguments."""
        match event:
            case ForeignCall():
                return event.name, event.arguments
            case LoadSkill():
                arguments: dict[str, Any] = {
                    self._naming.name(LOAD_SKILL_PARAM): self._naming.name(event.skill)
                }
                return self._naming.name(LOAD_SKILL), dump(arguments)
            case Call():
                members = self._members(event.tool)
                return self._naming.name(event.tool), dump(
                    self._values.record(event.arguments, members, reading=False)
                )

    def read(self, body: str) -> AnyCall | Malformed:
        """The event that the text between the markers is; a `Malformed` keeps the whole block."""
        try:
            slices = load_object(body.strip())
        except BadJson as error:
            return self.malformed(body, str(error))
        if unknown := sorted(set(slices) - {"name", "arguments"}):
            return self.malformed(body, f"a call has no `{unknown[0]}`")
        name, arguments = slices.get("name"), slices.get("arguments")
        if name is None or not isinstance(name.value, str):
            return self.malformed(body, "the call has no name")
        if arguments is None:
            return self.malformed(body, "the call has no arguments")
        if not isinstance(arguments.value, dict):
            return self.malformed(body, "the arguments are no JSON object")
        return self.call(name.value, arguments, body)

    def call(self, name: str, arguments: Slice, body: str) -> AnyCall | Malformed:
        """The call of `name`; `body` is what a `Malformed` keeps."""
        symbol = self._naming.symbol("tool", name)
        if symbol is None or kind(symbol) == "foreign" or symbol in self._hidden:
            return ForeignCall(name=name, arguments=arguments.text)
        if symbol == LOAD_SKILL:
            return self._load(arguments.value, body)
        try:
            read = self._values.record(arguments.value, self._members(symbol), reading=True)
        except UnknownName as error:
            return self.malformed(body, f"in the arguments of `{name}`: {error}")
        return Call(tool=symbol, arguments=read)

    def _members(self, tool: SemanticId) -> list[tuple[SemanticId, Type]]:
        """The parameters of a tool in shown order; none of a tool that the Core does not have."""
        types = self._params.get(tool, {})
        return [(id_, types[id_]) for id_ in ordered(self._surface, tool, tuple(types))]

    def _load(self, arguments: dict[str, Any], body: str) -> LoadSkill | Malformed:
        param = self._naming.name(LOAD_SKILL_PARAM)
        if set(arguments) != {param}:
            return self.malformed(body, f"loading a skill takes `{param}` alone")
        shown = arguments[param]
        skill = self._naming.symbol("skill", shown) if isinstance(shown, str) else None
        if skill is None or skill in self._hidden:
            return self.malformed(body, f"there is no skill {dump(shown)}")
        return LoadSkill(skill=skill)

    def malformed(self, body: str, reason: str) -> Malformed:
        return Malformed(text=f"{CALL_OPEN}{body}{CALL_CLOSE}", reason=reason)


@remembered
def _params(core: Core) -> dict[SemanticId, dict[SemanticId, Type]]:
    return {tool.id: {param.id: param.type for param in tool.params} for tool in core.tools}
