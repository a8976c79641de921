"""A line of a log as a transcript of a harness, or every reason why it is none."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from augmentors.logs.belonging import Belonging, Terms
from augmentors.logs.doubts import doubts
from augmentors.logs.flow import Flow, flow
from augmentors.logs.kinds import Refusal
from augmentors.logs.places import Pointer, place
from augmentors.logs.shapes import Found, Message, Told, told
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.naming import symbols
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import (
    Call,
    Event,
    ForeignCall,
    Generated,
    HookNote,
    LoadSkill,
    Malformed,
    Mention,
    Published,
    ReplyText,
    Result,
    SkillShown,
    Think,
    Transcript,
)
from harness_dsl.protocol.json_text import BadJson, load
from harness_dsl.protocol.lifting import Lifter, LiftReport

FEW = 3
"""Fewer different unknown names than these say nothing: no conversation is refused for them."""


@dataclass(frozen=True)
class Taken:
    """A line that was lifted. `shape`: the form that it was written in."""

    transcript: Transcript
    report: LiftReport
    shape: str


@dataclass(frozen=True)
class Refused:
    """A line that was not. `report` says what was understood, where it came so far."""

    reasons: tuple[Refusal, ...]
    report: LiftReport | None = None


class Lifting:
    """Lifts lines of logs under one harness."""

    def __init__(self, core: Core, surface: Surface, terms: Terms | None = None) -> None:
        self._terms = terms or Terms()
        self._belonging = Belonging(core, surface, self._terms)
        self._core = core
        self._known = {*symbols(core), *(hook.id for hook in core.hooks)}

    def line(self, data: bytes, ended: bool = True) -> Taken | Refused:
        """The conversation in a line; `ended`: a line feed stood behind it. Never raises."""
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            return Refused((_not_utf8(data, error),))
        try:
            value = load(text)
        except BadJson as error:
            return Refused((_no_json(text, str(error), ended),))
        return self._value(value, text)

    def _value(self, value: Any, text: str) -> Taken | Refused:
        if isinstance(value, dict) and isinstance(value.get("text"), str) and "reasons" in value:
            # A line that was written aside whole: it is looked at as it stood in its file.
            return self.line(value["text"].encode("utf-8", "surrogateescape"))
        conversation = told(value)
        if isinstance(conversation, Found):
            return Refused((_placed(conversation, text),))
        if not conversation.messages and conversation.wrong:
            return Refused(tuple(_placed(one, text) for one in conversation.wrong))
        conversation.lineage |= _origin(value, self._terms.lineage)
        inputs = self._belonging.inputs(conversation)
        ordered = flow(conversation)
        # What follows from a part that could not be read is not said as well.
        wrong = conversation.wrong or ordered.wrong
        wrong = [*wrong, *self._belonging.wrong(conversation, inputs)]
        wrong += self._calls(ordered)
        if wrong:
            return Refused(tuple(_placed(one, text) for one in wrong))
        return self._lifted(conversation, ordered, inputs, text)

    def _calls(self, ordered: Flow) -> Iterator[Found]:
        """What is wrong with single calls of messages that were not recorded by this tool."""
        for message, at in zip(ordered.messages, ordered.places, strict=True):
            if "event" in message.get("harness", ()):
                continue
            for number, call in enumerate(message.get("tool_calls", ())):
                yield from self._call(call["function"], (*at, "tool_calls", number, "function"))

    def _call(self, function: Message, at: Pointer) -> Iterator[Found]:
        name, arguments = function["name"], function.get("arguments")
        if not (self._terms.keep_unknown_calls or self._belonging.is_own(name)):
            said = f"the harness has no tool `{name}`{self._belonging.close(name)}"
            yield Found("unknown-tool", said, (*at, "name"))
        if isinstance(arguments, dict):
            return
        try:
            value = load(arguments) if isinstance(arguments, str) else arguments
        except BadJson as error:
            yield Found("arguments-no-json", f"of the arguments of `{name}`: {error}", (*at, "arguments"))
            return
        if not isinstance(value, dict):
            yield Found("arguments-no-json", f"the arguments of `{name}` are no object", (*at, "arguments"))

    def _lifted(
        self, conversation: Told, ordered: Flow, inputs: Mapping[str, Any], text: str
    ) -> Taken | Refused:
        lifter = Lifter(self._belonging.view)
        lifter.open(self._belonging.core_digest, inputs, conversation.lineage)
        wrong: list[Found] = []
        for message, at in zip(ordered.messages, ordered.places, strict=True):
            if message["role"] == "system":
                continue
            recorded = "event" in message.get("harness", ())
            wrong += self._events(lifter.add(message), at, recorded)
        lifted = lifter.lifted()
        share, unknown = lifted.report.unresolved_share, dict.fromkeys(lifted.report.unresolved)
        if not wrong and len(unknown) >= FEW and share > self._terms.limit:
            names = ", ".join(f"`{name}`" for name in [*unknown][:FEW])
            said = f"{share:.0%} of the names in prose are no names of the harness: {names}"
            wrong.append(Found("unresolved-mentions", said))
        if wrong:
            return Refused(tuple(_placed(one, text) for one in wrong), lifted.report)
        doubtful = doubts(lifted.transcript, self._core, self._belonging.view)
        report = replace(lifted.report, notes=(*lifted.report.notes, *doubtful))
        return Taken(lifted.transcript, report, conversation.shape)

    def _events(self, events: tuple[Event, ...], at: Pointer, recorded: bool) -> Iterator[Found]:
        """What must not be in what a message was lifted to."""
        if recorded and not events:
            yield Found("unknown-symbol", "an event under `harness` is of no known form", (*at, "harness"))
        for event in events:
            for id_ in _ids(event):
                if id_ not in self._known:
                    yield Found("unknown-symbol", f"an event speaks of `{id_}`, which is not there", at)
            for item in event.events if isinstance(event, Generated) and not recorded else ():
                if isinstance(item, Malformed):
                    unfit = "in the arguments of" in item.reason or "skill" in item.reason
                    yield Found("unfit-arguments" if unfit else "malformed-call", item.reason, at)
                elif isinstance(item, ForeignCall) and not self._terms.keep_unknown_calls:
                    yield Found("unknown-tool", f"the harness has no tool `{item.name}`", at)


def _origin(value: Any, keys: Iterable[str]) -> dict[str, str]:
    """What stands under `keys` in a line; what does not is left out."""
    found = {}
    for key in keys:
        inner = value
        for step in key.split("."):
            inner = inner.get(step) if isinstance(inner, dict) else None
        if isinstance(inner, str | int):
            found[key.rpartition(".")[2]] = str(inner)
    return found


def _ids(event: Event) -> Iterator[SemanticId]:
    """The symbols that an event refers to."""
    match event:
        case Generated():
            for item in event.events:
                match item:
                    case Call():
                        yield item.tool
                    case LoadSkill():
                        yield item.skill
                    case Think() | ReplyText():
                        yield from (part.symbol for part in item.text if isinstance(part, Mention))
                    case _:
                        continue
        case Result(tool=str(tool)):
            yield tool
        case SkillShown():
            yield event.skill
        case HookNote():
            yield event.hook
        case Published(by=str(by)):
            yield by
        case _:
            return


def _placed(found: Found, text: str) -> Refusal:
    start, end = place(text, found.at)
    return Refusal(found.kind, found.message, start + 1, end - start)


def _not_utf8(data: bytes, error: UnicodeDecodeError) -> Refusal:
    guess = ""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:64]:
        guess = ": it looks like UTF-16"
    elif data[:2] == b"\x1f\x8b":
        guess = ": it looks like gzip"
    column = len(data[: error.start].decode("utf-8", "replace")) + 1
    return Refusal("undecodable-line", f"byte {data[error.start]:#04x} is not UTF-8{guess}", column, 1)


def _no_json(text: str, said: str, ended: bool) -> Refusal:
    """Where the JSON ends, if it ends somewhere: a key that stands twice is nowhere."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        at_end = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        if at_end and not ended:
            return Refusal("cut-off-line", "the file ends inside this line", len(text.rstrip()), 1)
        if at_end and text.strip() in ("[", "{"):
            said = "this is JSON of several lines"
            return Refusal("no-json", said, 1, 1)
        return Refusal("no-json", f"{error.msg[:1].lower()}{error.msg[1:]}", error.pos + 1, 1)
    except (ValueError, RecursionError):
        pass
    return Refusal("no-json", said, 1, 1)
