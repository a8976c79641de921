"""Whether a recorded conversation is still right when the Core changes: by predicates, never guessed."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from harness_dsl.ir.core import Core, HookEvent
from harness_dsl.ir.defaults import most_calls, most_outputs
from harness_dsl.ir.evaluate import evaluate, truth
from harness_dsl.ir.expressions import LimitValue
from harness_dsl.ir.facts import CallFact, Facts, last_turn, limit_values, spoken
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.index import index
from harness_dsl.ir.rules import broken
from harness_dsl.ir.texts import If, Interpolation, Reference, Text
from harness_dsl.ir.transcript import (
    Call,
    Event,
    Generated,
    LoadSkill,
    Mention,
    Published,
    ReplyText,
    Result,
    Think,
    Transcript,
    User,
)
from harness_dsl.ir.types import StringType
from harness_dsl.ir.walk import parts, subexpressions


def is_right_under(core: Core, new: Core, conversation: Transcript) -> bool:
    """Whether `conversation`, one under `core`, goes as it does under `new` as well: it uses nothing that is
    gone, keeps the limits, breaks no further rule, and every hook decides and says what it did.
    """
    if new is core or not conversation.events:
        return True
    if not set(_used(conversation)) <= _ids(new) or not _keeps_limits(core, new, conversation):
        return False
    if not _published_alike(core, new, conversation):
        return False
    return all(_same(core, new, event, facts) for event, facts in moments(core, conversation))


def moments(core: Core, conversation: Transcript) -> Iterator[tuple[HookEvent, Facts]]:
    """Where hooks look at `conversation`, and what they see there."""
    seen: list[Event] = []
    for event in conversation.events:
        seen.append(event)
        now = conversation.model_copy(update={"events": tuple(seen)})
        facts = replace(last_turn(now, core), inputs=viewed_inputs(core, now))
        match event:
            case User():
                yield "before_turn", replace(facts, reply="")
            case Generated():
                for call in (one for one in event.events if isinstance(one, Call)):
                    yield "before_call", replace(facts, call=_fact(call, None))
                if any(isinstance(one, ReplyText) for one in event.events):
                    yield "before_reply", facts
            case Result(tool=str()):
                answered = _answered(now)
                if answered is not None:
                    yield "after_call", replace(facts, call=_fact(answered, event))
            case _:
                pass


def viewed_inputs(core: Core, conversation: Transcript) -> dict[str, Any]:
    """The inputs of the last turn: a text of the viewer that is not given is what the viewer has said."""
    said = [event.text for event in conversation.events if isinstance(event, User)]
    texts = [
        leaf(input_.id)
        for input_ in core.inputs
        if input_.untrusted
        and isinstance(input_.type, StringType)
        and not conversation.inputs.get(leaf(input_.id))
    ]
    return {**conversation.inputs, **dict.fromkeys(texts, said[-1] if said else "")}


def _published_alike(core: Core, new: Core, conversation: Transcript) -> bool:
    """Whether no message that a hook published prints a limit that has another value now."""
    moved = {id_ for id_, value in limit_values(core).items() if limit_values(new).get(id_) != value}
    by = {event.by for event in conversation.events if isinstance(event, Published)}
    said = [hook.message for hook in core.hooks if hook.id in by and hook.message is not None]
    return not any(id_ in moved for message in said for id_ in _printed_limits(message))


def _printed_limits(text: Text) -> Iterator[SemanticId]:
    """The limits whose values a wording of `text` shows, among other symbols."""
    for wording in (text.canonical, *text.alternatives):
        for part in parts(wording):
            if isinstance(part, Reference):
                yield part.target
                continue
            if isinstance(part, Interpolation):
                values = subexpressions(part.value)
            elif isinstance(part, If):
                values = subexpressions(part.condition)
            else:
                continue
            yield from (value.limit for value in values if isinstance(value, LimitValue))


def _same(core: Core, new: Core, event: HookEvent, facts: Facts) -> bool:
    """Whether hooks decide alike at a moment, and rules that held for a reply hold."""
    changed = replace(facts, limits=limit_values(new))
    conditions = {hook.id: hook.condition for hook in new.hooks}
    for hook in core.hooks:
        if hook.event == event:
            now = hook.id in conditions and truth(evaluate(conditions[hook.id], changed))
            if now != truth(evaluate(hook.condition, facts)):
                return False
    return event != "before_reply" or set(broken(new, changed)) <= set(broken(core, facts))


def _fact(call: Call, result: Result | None) -> CallFact:
    if result is None:
        return CallFact(call.tool, call.arguments, returned=False)
    return CallFact(call.tool, call.arguments, value=result.value, failure=result.failure)


def _answered(conversation: Transcript) -> Call | None:
    """The call that the last event of `conversation`, a result, answers: the first of its tool that waits."""
    waiting: list[Call] = []
    answered: Call | None = None
    for event in conversation.events:
        if isinstance(event, Generated):
            waiting = [one for one in event.events if isinstance(one, Call)]
        elif isinstance(event, Result):
            answered = next((call for call in waiting if call.tool == event.tool), None)
            if answered is not None:
                waiting.remove(answered)
    return answered


def _used(conversation: Transcript) -> Iterator[SemanticId]:
    """The tools and skills that the model uses or speaks of, and whose parts it does."""
    for output in conversation.events:
        for event in output.events if isinstance(output, Generated) else ():
            match event:
                case Call():
                    yield event.tool
                case LoadSkill():
                    yield event.skill
                case Think() | ReplyText():
                    for part in event.text:
                        if isinstance(part, Mention) and part.symbol.split("/")[0] in ("tool", "skill"):
                            yield "/".join(part.symbol.split("/")[:2])
                case _:
                    pass


def _ids(core: Core) -> set[SemanticId]:
    return {*index(core).tools, *index(core).skills}


def _keeps_limits(core: Core, new: Core, conversation: Transcript) -> bool:
    """Whether every turn keeps the limits of `new` that the runtime enforces, but for those in time."""
    outputs = calls = 0
    for event in conversation.events:
        if isinstance(event, User):
            outputs = calls = 0
        elif isinstance(event, Generated):
            outputs += 1
            calls += sum(isinstance(one, Call) for one in event.events)
            if outputs > most_outputs(new) or calls > most_calls(new) or not _fits(core, new, event):
                return False
    return True


def _fits(core: Core, new: Core, output: Generated) -> bool:
    """Whether thinking and reply are short enough for limits that are lower than those they were recorded
    under. A token has at least one byte of the text.
    """
    reply = "\n".join(spoken(one.text, {}) for one in output.events if isinstance(one, ReplyText))
    thinking = "".join(spoken(one.text, {}) for one in output.events if isinstance(one, Think))
    sizes = {
        "limit/reply_chars": len(reply.strip()),
        "limit/reply_tokens": len(reply.encode()),
        "limit/think_tokens": len(thinking.encode()),
    }
    for id_, size in sizes.items():
        before, now = index(core).limits.get(id_), index(new).limits.get(id_)
        if now is None or isinstance(now.value, str):
            continue
        is_lower = before is None or isinstance(before.value, str) or now.value < before.value
        if is_lower and size > now.value:
            return False
    return True
