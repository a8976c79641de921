"""The oracle: it solves every task under every Core and Surface, one model output at a time.

It is asked with what happened in the turn so far and answers with semantic events, so the Surface never
matters to it. What it replies is computed from the Core's limits and from the results, never from the
expected facts: a fault in a tool shows.
"""

from collections.abc import Sequence
from typing import Any

from augmentors.footprint import Footprint
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.texts import Literally, Reference
from harness_dsl.ir.transcript import (
    Call,
    Event,
    Generated,
    LoadSkill,
    Mention,
    ModelEvent,
    ReplyText,
    Result,
    Think,
    User,
)
from trainer.simulator.tasks import Task, Turn
from trainer.simulator.wordings import Kind

OPENER: SemanticId = "limit/opener"

_BODY: dict[Kind, str] = {
    "price": "{amount}元",
    "stock": "{left}件",
    "material": "{material}",
    "coupon": "可减{off}",
    "delivery": "{days}天",
    "apply_coupon": "已用券",
    "hold": "留好{held}件",
    "small_talk": "欢迎",
}


class OracleError(Exception):
    """The oracle met something that its task does not allow for; the message says what."""


def next_output(
    core: Core, task: Task, events: Sequence[Event], *, aloud: bool = False
) -> tuple[ModelEvent, ...]:
    """The model output that should follow `events`, a transcript of `task` that ends where a model goes on.

    `aloud`: before a call it thinks of the tool's description and name, so that choosing a tool and copying
    its name are two steps.

    Raises `OracleError` when a call of the task has failed or the transcript has more turns than the task.
    """
    turn, since = current_turn(task, events)
    generated = [event for output in since if isinstance(output, Generated) for event in output.events]
    skill = skill_for(core, turn)
    if skill is not None and not any(
        isinstance(event, LoadSkill) and event.skill == skill for event in generated
    ):
        return (LoadSkill(skill=skill),)
    made = [event for event in generated if isinstance(event, Call)]
    if len(made) < len(turn.calls):
        wanted = turn.calls[len(made)]
        call = Call(tool=wanted.tool, arguments=dict(wanted.arguments))
        return (thought_of(core, call.tool), call) if aloud else (call,)
    return (ReplyText(text=(reply(core, turn, since),)),)


def current_turn(task: Task, events: Sequence[Event]) -> tuple[Turn, Sequence[Event]]:
    """The turn of `task` that `events` are in, and the events since its user text."""
    starts = [index for index, event in enumerate(events) if isinstance(event, User)]
    if not 0 < len(starts) <= len(task.turns):
        raise OracleError(f"{task.id} has {len(task.turns)} turns, the transcript {len(starts)}")
    return task.turns[len(starts) - 1], events[starts[-1] + 1 :]


def skill_for(core: Core, turn: Turn) -> SemanticId | None:
    """The reply skill with the fewest other tools that has all tools of `turn`; None if the harness has no
    reply skill.
    """
    needed = {call.tool for call in turn.calls}
    fitting = [skill for skill in core.skills if skill.role == "reply" and needed <= set(skill.uses)]
    if not fitting:
        fitting = [skill for skill in core.skills if skill.role == "reply"]
    return min(fitting, key=lambda skill: (len(skill.uses), skill.id)).id if fitting else None


def footprint(core: Core, task: Task) -> Footprint:
    """What a variant must leave to `task`: the tools it needs and the skills that the oracle loads."""
    skills = (skill_for(core, turn) for turn in task.turns)
    return Footprint.of([*task.tools, *(skill for skill in skills if skill is not None)])


def reply(core: Core, turn: Turn, since: Sequence[Event]) -> str:
    """The reply of `turn` given its results: opener, then the fact with its unit."""
    values: dict[str, Any] = {}
    for event in since:
        if not isinstance(event, Result):
            continue
        if event.failure is not None:
            raise OracleError(f"{event.tool} failed with {event.failure}: {event.detail}")
        values.update(event.value)
    return opener(core) + _BODY[turn.kind].format(**values)


def thought_of(core: Core, tool: SemanticId) -> Think:
    """The entry of `tool` as the prompt shows it under its canonical wording: description, then name."""
    description = next(node.description for node in core.tools if node.id == tool)
    said: list[str | Mention] = []
    for part in description.canonical:
        if isinstance(part, Reference):
            said.append(Mention(symbol=part.target))
        elif isinstance(part, Literally):
            said.append(part.text)
    return Think(text=(*said, "\n", Mention(symbol=tool)))


def opener(core: Core) -> str:
    """What every reply of `core` begins with, comma included; empty if the harness has no such limit."""
    words = [str(limit.value) for limit in core.limits if limit.id == OPENER]
    return f"{words[0]}，" if words else ""
