"""`lower`: a transcript as OpenAI-style messages under one Surface.

    system     the rendered prompt; `harness` holds the inputs, the digest of the Core and the lineage
    user       the user's text
    assistant  `reasoning_content`, `content`, `tool_calls`: a turn that thinks, replies, calls, in this order
    tool       a result or a loaded skill, answering `tool_call_id`

What these forms cannot say (a hook's note, a published text, output that is malformed or in another order,
a text that would be lifted as something else) stays lossless: the message then carries the event by semantic
ids under the key `harness`, which `without_harness` takes away for readers that know only the OpenAI form.
"""

from collections.abc import Sequence
from typing import Any, assert_never

from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import (
    Call,
    Event,
    ForeignCall,
    Generated,
    HookNote,
    LoadSkill,
    ModelEvent,
    Published,
    ReplyText,
    Result,
    SkillShown,
    Think,
    Transcript,
    User,
)
from harness_dsl.protocol.lifting import Lifter, Message
from harness_dsl.protocol.quick.talk import talks
from harness_dsl.protocol.turns import print_turn
from harness_dsl.protocol.view import View


def lower(transcript: Transcript, core: Core, surface: Surface) -> list[Message]:
    """The messages of `transcript`, without token ids: these belong to the Surface they were made under."""
    return lower_view(transcript, View(core, surface))


def lower_view(transcript: Transcript, view: View) -> list[Message]:
    """As `lower`, with names and prompts that are built already."""
    inputs = transcript.inputs
    sheet = view.sheet(inputs)
    if sheet is None:
        return lowered(transcript, view.quick.system_text(inputs), view)
    talk = talks.known(view.core, transcript)
    messages = talk and talk.messages(sheet, lambda shown: lowered(transcript, "", View(view.core, shown)))
    if messages:
        messages[0]["content"] = sheet.system()
        return messages
    return lowered(transcript, sheet.system(), view)


def lowered(transcript: Transcript, prompt: str, view: View) -> list[Message]:
    """All messages, the first with `prompt`."""
    system: Message = {
        "role": "system",
        "content": prompt,
        "harness": {"core": transcript.core_digest, "inputs": transcript.inputs},
    }
    if transcript.lineage:
        system["harness"]["lineage"] = transcript.lineage
    lifter = Lifter(view)
    lifter.add(system)
    messages = [system]
    for event in transcript.events:
        if isinstance(event, Published):
            extra = messages[-1].setdefault("harness", {})
            extra.setdefault("after", []).append(event.model_dump(mode="json"))
            continue
        if isinstance(event, Generated) and event.ids:
            event = event.model_copy(update={"ids": ()})
        message = _message(event, view, transcript.inputs, lifter)
        # A user's text is never lifted, so that it always comes back as it is.
        if not isinstance(event, User) and lifter.peek(message) != event:
            message["harness"] = {"event": event.model_dump(mode="json")}
        lifter.take(event, message)
        messages.append(message)
    return messages


def without_harness(messages: Sequence[Message]) -> list[Message]:
    """The messages in the plain OpenAI form: what only `lift` reads is left out."""
    return [{key: value for key, value in message.items() if key != "harness"} for message in messages]


def _message(event: Event, view: View, inputs: dict[str, Any], lifter: Lifter) -> Message:
    match event:
        case User():
            return {"role": "user", "content": event.text}
        case Generated():
            return _assistant(event.events, view, lifter)
        case Result():
            return _answer(view.quick.result_text(event), lifter)
        case SkillShown():
            return _answer(view.quick.skill_text(event, inputs), lifter)
        case HookNote():
            return {"role": "user", "content": view.quick.hook(event, inputs).text}
        case Published():
            return {"role": "assistant", "content": event.text}
        case _:
            assert_never(event)


def _answer(content: str, lifter: Lifter) -> Message:
    waiting = lifter.waiting()
    answered = {"tool_call_id": waiting} if waiting else {}
    return {"role": "tool", **answered, "content": content}


def _assistant(events: Sequence[ModelEvent], view: View, lifter: Lifter) -> Message:
    rank = {Think: 0, ReplyText: 1, Call: 2, LoadSkill: 2, ForeignCall: 2}
    ranks = [rank.get(type(event)) for event in events]
    known = [number for number in ranks if number is not None]
    flat = len(known) == len(ranks) and known == sorted(known) and known.count(0) < 2 and known.count(1) < 2
    if not flat:
        return {"role": "assistant", "content": print_turn(events, view.calls, view.mentions).text}
    message: Message = {"role": "assistant", "content": ""}
    calls: list[Message] = []
    for event in events:
        match event:
            case Think():
                message["reasoning_content"] = view.mentions.lower(event.text)
            case ReplyText():
                message["content"] = view.mentions.lower(event.text)
            case Call() | LoadSkill() | ForeignCall():
                name, arguments = view.calls.function(event)
                function = {"name": name, "arguments": arguments}
                calls.append({"id": lifter.call_id(len(calls)), "type": "function", "function": function})
    if calls:
        message["tool_calls"] = calls
    return message
