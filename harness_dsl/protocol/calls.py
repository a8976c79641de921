"""What a call means, whichever syntax writes it: names, arguments and skills under one Surface.

A syntax is a subclass in a `syntax_*` file: it prints calls as the text between the markers `<tool_call>` and
`</tool_call>`, and reads that text. Reading never evaluates anything and never raises: what is no call is a
`Malformed` with the reason, and a call of a name that shows no tool is a `ForeignCall` that keeps its
arguments as JSON text.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import LOAD_SKILL, LOAD_SKILL_PARAM, SemanticId, kind
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import CallSyntax, Surface
from harness_dsl.ir.transcript import Call, ForeignCall, LoadSkill, Malformed, ModelEvent
from harness_dsl.ir.types import StringType, Type
from harness_dsl.protocol.json_text import BadJson, Slice, dump, load
from harness_dsl.protocol.markers import CALL_CLOSE, CALL_OPEN, escaped
from harness_dsl.protocol.values import UnknownName, Values, ordered

AnyCall = Call | LoadSkill | ForeignCall


class BadCall(Exception):
    """The text between the markers is no call; the message says why in a phrase."""


@dataclass(frozen=True, slots=True)
class Written:
    """A call as a model writes it: a shown name, and the arguments with their JSON text."""

    name: str
    arguments: Slice


class Calls(ABC):
    """Prints and reads calls under one Surface. `together`: calls side by side share one pair of markers."""

    name: ClassVar[CallSyntax]
    together: ClassVar[bool] = False
    example: ClassVar[str]
    """What stands between the markers, to tell a model how to call."""

    def __init__(self, core: Core, surface: Surface, naming: Naming, values: Values) -> None:
        self._naming = naming
        self._values = values
        self._hidden = frozenset(surface.hidden)
        self._surface = surface
        self._params = _params(core)

    @abstractmethod
    def print(self, event: AnyCall) -> str:
        """One call as text, in which no argument can be taken for a marker."""

    @abstractmethod
    def written(self, body: str) -> Sequence[Written]:
        """The calls in the text between the markers, one or more. Raises `BadCall` and `BadJson`."""

    def together_as(self, printed: Sequence[str]) -> str:
        """Several printed calls as what stands between one pair of markers."""
        return "\n".join(printed)

    def bodies(self, events: Iterable[AnyCall]) -> list[str]:
        """What stands between each pair of markers, for calls side by side."""
        printed = [self.print(event) for event in events]
        return [self.together_as(printed)] if self.together else [self.together_as([one]) for one in printed]

    def read(self, body: str) -> tuple[ModelEvent, ...]:
        """The events that the text between the markers is. If any of it is no call, nothing of it is: one
        `Malformed` keeps the whole block.
        """
        try:
            calls = self.written(body)
        except (BadCall, BadJson) as error:
            return (self.malformed(body, str(error)),)
        events = [self.call(call.name, call.arguments, body) for call in calls]
        broken = [event for event in events if isinstance(event, Malformed)]
        return (broken[0],) if broken else tuple(events)

    def shown(self, event: Call | LoadSkill) -> tuple[str, dict[str, Any]]:
        """The shown name and the arguments as the Surface shows them."""
        if isinstance(event, LoadSkill):
            skill = self._naming.name(event.skill)
            return self._naming.name(LOAD_SKILL), {self._naming.name(LOAD_SKILL_PARAM): skill}
        members = self._members(event.tool)
        return self._naming.name(event.tool), self._values.record(event.arguments, members, reading=False)

    def function(self, event: AnyCall) -> tuple[str, str]:
        """The shown name and the JSON text of the arguments."""
        if isinstance(event, ForeignCall):
            return event.name, event.arguments
        name, arguments = self.shown(event)
        return name, dump(arguments)

    def arguments(self, event: AnyCall) -> tuple[str, dict[str, Any] | None]:
        """The shown name and the arguments as data; None: a foreign call whose arguments are no object."""
        if not isinstance(event, ForeignCall):
            return self.shown(event)
        try:
            value = load(event.arguments)
        except BadJson:
            value = None
        return event.name, value if isinstance(value, dict) else None

    def types(self, name: str) -> dict[str, Type]:
        """The types of the parameters of what is shown as `name`, by their shown names; none if foreign."""
        symbol = self._naming.symbol("tool", name)
        if symbol == LOAD_SKILL:
            return {self._naming.name(LOAD_SKILL_PARAM): StringType()}
        if symbol is None or symbol in self._hidden:
            return {}
        return {self._naming.name(id_): type_ for id_, type_ in self._members(symbol)}

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

    def malformed(self, body: str, reason: str) -> Malformed:
        """The block with `body` as an event."""
        return Malformed(text=f"{CALL_OPEN}{body}{CALL_CLOSE}", reason=reason)

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


def called(name: str, arguments: dict[str, Any]) -> Written:
    """A call that was not read from JSON. No text in its JSON can be taken for a marker."""
    return Written(name, Slice(arguments, escaped(dump(arguments))))


@remembered
def _params(core: Core) -> dict[SemanticId, dict[SemanticId, Type]]:
    return {tool.id: {param.id: param.type for param in tool.params} for tool in core.tools}
