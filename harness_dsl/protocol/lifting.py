"""`lift`: OpenAI-style messages under one Surface as a transcript by semantic ids; the inverse of `lower`.

Messages of other programs are taken too, as far as they can be understood: arguments as an object instead of
text, content in parts, calls and thinking inside the content. What is passed over is said in the report.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from harness_dsl.ir.canonical import core_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import (
    Call,
    Event,
    ForeignCall,
    Generated,
    LoadSkill,
    Mention,
    ModelEvent,
    Prose,
    ReplyText,
    Result,
    SkillShown,
    Think,
    Transcript,
    User,
)
from harness_dsl.protocol.json_text import BadJson, Slice, dump, load
from harness_dsl.protocol.markers import MARKERS
from harness_dsl.protocol.turns import read_text
from harness_dsl.protocol.values import UnknownName
from harness_dsl.protocol.view import View

Message = dict[str, Any]
_EVENT: TypeAdapter[Event] = TypeAdapter(Event)


@dataclass(frozen=True, slots=True)
class LiftReport:
    """How much of free text was understood.

    `mentions` counts names found in it, `unresolved` lists identifiers in it that are no current name,
    `notes` says what was passed over or guessed, one phrase each.
    """

    mentions: int = 0
    unresolved: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def unresolved_share(self) -> float:
        """Unresolved identifiers among all identifiers; 0 for a text without any."""
        return len(self.unresolved) / max(1, self.mentions + len(self.unresolved))


@dataclass(frozen=True, slots=True)
class Lifted:
    transcript: Transcript
    report: LiftReport


def lift(messages: Sequence[Mapping[str, Any]], core: Core, surface: Surface) -> Lifted:
    """The transcript that `messages` show under `surface`. Never raises on what messages say."""
    lifter = Lifter(View(core, surface))
    for message in messages:
        lifter.add(message)
    return lifter.lifted()


class Lifter:
    """Lifts messages one by one; knows which calls still wait for their answer."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._events: list[Event] = []
        self._digest: str | None = None
        self._inputs: dict[str, Any] = {}
        self._lineage: dict[str, str] = {}
        self._waiting: dict[str, ModelEvent] = {}
        self._calls = 0
        self._notes: list[str] = []

    def waiting(self) -> str | None:
        """The id of the first call that is not answered yet."""
        return next(iter(self._waiting), None)

    def call_id(self, offset: int) -> str:
        """The id of the call that comes `offset` after the next one."""
        return f"call_{self._calls + offset + 1}"

    def peek(self, message: Message) -> Event | None:
        """The event that `message` would be lifted to."""
        notes = len(self._notes)
        event = self._flat(message)
        del self._notes[notes:]
        return event

    def open(self, core: str, inputs: Mapping[str, Any], lineage: Mapping[str, str]) -> None:
        """Begin as a system message of the harness with digest `core` does."""
        self._open({"core": core, "inputs": inputs, "lineage": lineage})

    def add(self, message: Mapping[str, Any]) -> tuple[Event, ...]:
        """Take the next message; the events that it is lifted to."""
        begun = len(self._events)
        harness = message.get("harness")
        harness = harness if isinstance(harness, Mapping) else {}
        if message.get("role") == "system" and not self._events and self._digest is None:
            self._open(harness)
        elif "event" in harness:
            self.take(self._recorded(harness["event"]), message)
        else:
            self.take(self._flat(message), message)
        after = harness.get("after")
        for event in after if isinstance(after, list) else []:
            if recorded := self._recorded(event):
                self._events.append(recorded)
        return tuple(self._events[begun:])

    def lifted(self) -> Lifted:
        digest = self._digest or core_digest(self._view.core)
        transcript = Transcript(
            core_digest=digest, inputs=self._inputs, events=tuple(self._events), lineage=self._lineage
        )
        mentions = 0
        unresolved: list[str] = []
        for prose in _prose(self._events):
            mentions += sum(isinstance(part, Mention) for part in prose)
            unresolved += self._view.mentions.lift(self._view.mentions.lower(prose)).unresolved
        shared = sum(map(self._view.mentions.is_shared, unresolved))
        self._notes += ["a name that several symbols share is left as it is"] * shared
        return Lifted(transcript, LiftReport(mentions, tuple(unresolved), tuple(self._notes)))

    def _open(self, harness: Mapping[str, Any]) -> None:
        digest, inputs = harness.get("core"), harness.get("inputs")
        self._digest = digest if isinstance(digest, str) else core_digest(self._view.core)
        self._inputs = dict(inputs) if isinstance(inputs, Mapping) else {}
        lineage = harness.get("lineage")
        if isinstance(lineage, Mapping):
            self._lineage = {str(key): str(value) for key, value in lineage.items()}

    def _recorded(self, data: Any) -> Event | None:
        try:
            return _EVENT.validate_python(data)
        except ValidationError:
            self._notes.append("an event under `harness` is of no known form")
            return None

    def take(self, event: Event | None, message: Mapping[str, Any]) -> None:
        """Take the event that `message` is lifted to."""
        if event is None:
            return
        self._events.append(event)
        if isinstance(event, Generated):
            self._waiting = {}
            ids = [call.get("id") for call in _tool_calls(message)]
            calls = [item for item in event.events if isinstance(item, Call | LoadSkill | ForeignCall)]
            for index, call in enumerate(calls):
                given = ids[index] if index < len(ids) else None
                self._waiting[given if isinstance(given, str) else self.call_id(index)] = call
            self._calls += len(calls)
        elif isinstance(event, Result | SkillShown):
            answered = message.get("tool_call_id")
            self._waiting.pop(answered if isinstance(answered, str) else "", None)

    def _flat(self, message: Mapping[str, Any]) -> Event | None:
        match message.get("role"):
            case "user":
                return User(text=self._content(message))
            case "assistant":
                return Generated(events=self._model_events(message))
            case "tool":
                return self._answer(message)
            case role:
                self._notes.append(f"a message of role {dump(str(role))} is passed over")
                return None

    def _content(self, message: Mapping[str, Any]) -> str:
        content = message.get("content")
        if isinstance(content, str):
            return content
        if isinstance(content, list):
            texts = [part.get("text") for part in content if isinstance(part, Mapping)]
            if len(texts) < len(content) or not all(isinstance(text, str) for text in texts):
                self._notes.append("a part of a content is no text and is passed over")
            return "".join(text for text in texts if isinstance(text, str))
        if content is not None:
            self._notes.append("a content is neither text nor parts and is passed over")
        return ""

    def _model_events(self, message: Mapping[str, Any]) -> tuple[ModelEvent, ...]:
        view = self._view
        content = self._content(message)
        events: list[ModelEvent] = []
        thinking = message.get("reasoning_content")
        if isinstance(thinking, str):
            events.append(Think(text=view.mentions.lift(thinking).prose))
        if any(marker in content for marker in MARKERS):
            events += read_text(content, view.calls, view.mentions)
        elif content:
            events.append(ReplyText(text=view.mentions.lift(content).prose))
        return (*events, *(self._call(call) for call in _tool_calls(message)))

    def _call(self, call: Mapping[str, Any]) -> ModelEvent:
        calls = self._view.calls
        function = call.get("function")
        function = function if isinstance(function, Mapping) else {}
        name, arguments = function.get("name"), function.get("arguments")
        text = arguments if isinstance(arguments, str) else dump(arguments)
        body = f'\n{{"name": {dump(str(name))}, "arguments": {text}}}\n'
        if not isinstance(name, str):
            return calls.malformed(body, "the call has no name")
        try:
            value = load(text)
        except BadJson as error:
            return calls.malformed(body, str(error))
        if not isinstance(value, dict):
            return calls.malformed(body, "the arguments are no JSON object")
        return calls.call(name, Slice(value, text), body)

    def _answer(self, message: Mapping[str, Any]) -> Event:
        content = self._content(message)
        call = self._waiting.get(str(message.get("tool_call_id")))
        if isinstance(call, LoadSkill):
            failure = self._failure(content)
            if failure is None:
                return SkillShown(skill=call.skill)
            return failure
        tool = call.tool if isinstance(call, Call) else None
        if call is None:
            self._notes.append("a tool message answers no call")
        failure = self._failure(content)
        if failure is not None:
            return failure.model_copy(update={"tool": tool})
        try:
            value = load(content)
        except BadJson:
            return Result(tool=tool, value=content)
        returns = self._view.returns.get(tool or "")
        if returns is None:
            return Result(tool=tool, value=value)
        try:
            return Result(tool=tool, value=self._view.values.read(value, returns))
        except UnknownName as error:
            self._notes.append(f"a result is kept as shown: {error}")
            return Result(tool=tool, value=value)

    def _failure(self, content: str) -> Result | None:
        """The failed result that `content` is, as `{"error": …}` or `{"error": …, "detail": …}`."""
        try:
            value = load(content)
        except BadJson:
            return None
        if not isinstance(value, dict) or not {"error"} <= set(value) <= {"error", "detail"}:
            return None
        if not all(isinstance(item, str) for item in value.values()):
            return None
        return Result(tool=None, failure=value["error"], detail=value.get("detail", ""))


def _tool_calls(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    calls = message.get("tool_calls")
    return [call for call in calls if isinstance(call, Mapping)] if isinstance(calls, list) else []


def _prose(events: Sequence[Event]) -> list[Prose]:
    return [
        item.text
        for event in events
        if isinstance(event, Generated)
        for item in event.events
        if isinstance(item, Think | ReplyText)
    ]
