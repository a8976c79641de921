"""Whole room conversations by the oracle, as semantic transcripts: the source of training rows."""

import copy
from collections.abc import Callable
from typing import Any

from augmentors.adapters.adapter import Adapter
from harness_dsl.ir.canonical import core_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.transcript import (
    Call,
    Event,
    Generated,
    LoadSkill,
    Published,
    ReplyText,
    Result,
    SkillShown,
    Transcript,
    User,
)
from trainer.simulator.oracle import OracleError, next_output
from trainer.simulator.tasks import Task

RunTool = Callable[[Call, dict[str, Any]], Result]
"""Runs one call, given the values of the harness inputs, which it may change."""

MOST_OUTPUTS = 8
"""More model outputs than this in one turn mean that the oracle runs in a circle."""


def solve(
    core: Core,
    task: Task,
    run: RunTool,
    digest: str = "",
    *,
    aloud: bool = False,
    adapter: Adapter | None = None,
    copes: bool = False,
) -> Transcript:
    """The transcript of the oracle's way through `task`. Raises `OracleError` where there is none.

    `task.inputs` stay as they are; the tools write to a copy. `digest` is the Core's, where it is known.
    `aloud`: the oracle thinks before each call; `copes`: it expects calls to fail (see `next_output`).
    `adapter`: what led to `core`, if it is refactored; the oracle goes its way in the Core that the task and
    the tools are about.
    """
    if adapter is not None:
        told = solve(adapter.before(core), task, run, aloud=aloud, copes=copes)
        return adapter.forward(told).model_copy(update={"core_digest": digest or core_digest(core)})
    inputs = copy.deepcopy(task.inputs)
    events: list[Event] = []
    for turn in task.turns:
        events.append(User(text=turn.text))
        _answer(core, task, run, inputs, events, aloud, copes)
    return Transcript(core_digest=digest or core_digest(core), inputs=task.inputs, events=tuple(events))


def _answer(
    core: Core,
    task: Task,
    run: RunTool,
    inputs: dict[str, Any],
    events: list[Event],
    aloud: bool,
    copes: bool,
) -> None:
    for _ in range(MOST_OUTPUTS):
        output = next_output(core, task, events, aloud=aloud, copes=copes)
        events.append(Generated(events=output))
        for event in output:
            if isinstance(event, LoadSkill):
                events.append(SkillShown(skill=event.skill))
            elif isinstance(event, Call):
                events.append(run(event, inputs))
            elif isinstance(event, ReplyText):
                events.append(Published(text="".join(str(part) for part in event.text)))
                return
    raise OracleError(f"{task.id}: no reply after {MOST_OUTPUTS} outputs")
