"""The oracle: it solves every task under every Core and Surface, one model output at a time.

It is asked with what happened in the turn so far and answers with semantic events, so the Surface never
matters to it. What it replies is computed from the Core's limits and from the results, never from the
expected facts: a fault in a tool shows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from augmentors.footprint import Footprint
from harness_dsl.ir.core import Core, ExpectFact
from harness_dsl.ir.expressions import Affix, Constant
from harness_dsl.ir.facts import last_turn
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.recovering import is_worth_another_call
from harness_dsl.ir.rules import broken
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
    Transcript,
    User,
)
from harness_dsl.ir.walk import items, subexpressions
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
    core: Core, task: Task, events: Sequence[Event], *, aloud: bool = False, copes: bool = False
) -> tuple[ModelEvent, ...]:
    """The model output that should follow `events`, a transcript of `task` that ends where a model goes on.

    `aloud`: before a call it thinks of the tool's description and name, so that choosing a tool and copying
    its name are two steps. `copes`: failures are expected: it makes a failed call once more where that is of
    use and does no harm, and else says that it cannot tell. So it does where a tool is not there.

    Raises `OracleError` when a call of the task has failed and it does not cope, or the transcript has more
    turns than the task.
    """
    turn, since = current_turn(task, events)
    generated = [event for output in since if isinstance(output, Generated) for event in output.events]
    skill = skill_for(core, turn)
    if skill is not None and not any(
        isinstance(event, LoadSkill) and event.skill == skill for event in generated
    ):
        return (LoadSkill(skill=skill),)
    if not {call.tool for call in turn.calls} <= {tool.id for tool in core.tools}:
        return _said(core, task, _cannot(core, turn), events)
    made = [event for event in generated if isinstance(event, Call)]
    results = [event for event in since if isinstance(event, Result)]
    due = len(made)
    if copes:
        due = sum(result.failure is None for result in results)
        if results and results[-1].failure is not None and not _may_call_again(core, made, results):
            return _said(core, task, _cannot(core, turn), events)
        since = [event for event in since if not isinstance(event, Result) or event.failure is None]
    if due < len(turn.calls):
        wanted = turn.calls[due]
        call = Call(tool=wanted.tool, arguments=dict(wanted.arguments))
        return (thought_of(core, call.tool), call) if aloud else (call,)
    return _said(core, task, reply(core, turn, since), events)


def _said(core: Core, task: Task, text: str, events: Sequence[Event]) -> tuple[ModelEvent, ...]:
    """`text` as the reply, with an end that the rules ask for if it breaks one without."""
    turn = Transcript(core_digest="", inputs=task.inputs, events=tuple(events))
    facts = last_turn(turn, core)
    ends = ["", *dict.fromkeys(_ends(core))]
    kept = (text + end for end in ends if not broken(core, replace(facts, reply=text + end)))
    return (ReplyText(text=(next(kept, text),)),)


def _ends(core: Core) -> Iterator[str]:
    """How rules say that a reply ends."""
    for item in items(core):
        for part in subexpressions(item.check) if item.check is not None else ():
            if isinstance(part, Affix) and part.where == "end" and isinstance(part.text, Constant):
                yield str(part.text.value)


def _may_call_again(core: Core, made: Sequence[Call], results: Sequence[Result]) -> bool:
    """Whether the last call, which failed, should be made once more: not twice, and where it is of use."""
    tool = next(tool for tool in core.tools if tool.id == made[-1].tool)
    is_second = len(made) > 1 and made[-2] == made[-1] and results[-2].failure is not None
    return not is_second and is_worth_another_call(tool, results[-1])


def _cannot(core: Core, turn: Turn) -> str:
    return f"{opener(core)}现在{apology(turn.kind).value}"


def apology(kind: Kind) -> ExpectFact:
    """What the reply to a question of `kind` says when a call that was needed has failed in the end."""
    return ExpectFact(fact="text", value="没办成" if kind in ("apply_coupon", "hold") else "查不到")


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
