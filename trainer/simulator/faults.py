"""Tasks under planned faults, or without one of their tools: what must follow then is computed anew.

A call that fails and may be over is made once more if that does no harm. If it fails again, or may not be
repeated, or if there is no tool for it, the reply says so and states nothing that only this call could tell.
"""

import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from harness_dsl.ir.core import Core, ExpectCall, ExpectFact, Tool
from harness_dsl.ir.fault_plan import FaultPlan
from harness_dsl.ir.fault_results import CRASHED, asked, failed, is_hidden, seen
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.index import index
from harness_dsl.ir.recovering import is_worth_another_call
from harness_dsl.ir.transcript import Call, Result
from runtime.faults import Faults
from trainer.simulator.conversation import RunTool
from trainer.simulator.oracle import apology
from trainer.simulator.shop_model import due_facts, given
from trainer.simulator.tasks import Task, Turn
from trainer.simulator.world import Room


def faulty(core: Core, run: RunTool, plan: FaultPlan) -> RunTool:
    """`run` whose calls meet `plan` in one conversation, as they would in the loop."""
    faults, tools = Faults(plan), index(core).tools

    def meet(call: Call, state: dict[str, Any]) -> Result:
        tool = tools[call.tool]
        meeting = faults.next(tool, call.arguments)
        fault = meeting.fault
        if fault is not None and not is_hidden(tool, fault):
            refused = failed(tool, fault.kind)
            if refused is not None:
                return refused
        true = run(call, state)
        if true.failure is None:
            faults.remember(meeting, true.value)
        return true if fault is None else seen(core, tool, fault, true, meeting.previous)

    return meet


def under(core: Core, task: Task, plan: FaultPlan) -> Task:
    """`task` with the calls, facts and final room that are right when its calls meet `plan` under `core`,
    which may lack tools that the task was drawn for.
    """
    walk = _Walk(core, plan, copy.deepcopy(task.inputs["room"]))
    turns = tuple(map(walk.turn, task.turns))
    return replace(task, turns=turns, final_room=walk.room)


@dataclass
class _Walk:
    """A conversation as it must go. `calls`: how many were made of each tool; `latest`: what each call gave
    last, by what it asked.
    """

    core: Core
    plan: FaultPlan
    room: Room
    calls: Counter[SemanticId] = field(default_factory=Counter)
    latest: dict[str, dict[str, Any]] = field(default_factory=dict)

    def turn(self, turn: Turn) -> Turn:
        """`turn` with what is due in it."""
        made: list[ExpectCall] = []
        values: dict[str, Any] = {}
        if not index(self.core).tools.keys() >= {call.tool for call in turn.calls}:
            return replace(turn, calls=(), facts=(apology(turn.kind),), rivals=(), absent=turn.facts)
        for call in turn.calls:
            outcome = self._call(call, made)
            if isinstance(outcome, Result):
                return replace(
                    turn, calls=tuple(made), facts=(apology(turn.kind),), rivals=(), absent=turn.facts
                )
            values.update(outcome)
        facts = due_facts(turn.kind, values)
        rivals = _rivals(facts, self.room) if turn.rivals else ()
        return replace(turn, calls=tuple(made), facts=facts, rivals=rivals)

    def _call(self, call: ExpectCall, made: list[ExpectCall]) -> Mapping[str, Any] | Result:
        """What `call` gives in the end, or how it fails; every attempt at it is added to `made`."""
        tool = index(self.core).tools[call.tool]
        made.append(call)
        outcome = self._meet(tool, dict(call.arguments))
        if isinstance(outcome, Result) and is_worth_another_call(tool, outcome):
            made.append(call)
            outcome = self._meet(tool, dict(call.arguments))
        return outcome

    def _meet(self, tool: Tool, arguments: Mapping[str, Any]) -> Mapping[str, Any] | Result:
        self.calls[tool.id] += 1
        fault = self.plan.at(tool.id, self.calls[tool.id])
        if fault is not None and not is_hidden(tool, fault):
            refused = failed(tool, fault.kind)
            if refused is not None:
                return refused
        key = asked(tool, arguments)
        previous = self.latest.get(key)
        values = given(tool.id, arguments, self.room)
        self.latest[key] = values
        if fault is None or is_hidden(tool, fault):
            return values
        if fault.kind == "stale":
            return values if previous is None else previous
        # Every tool of a shop gives a record: what is garbled, cut, drifted or empty is none.
        return Result(tool=tool.id, failure="crashed", detail=CRASHED)


def _rivals(facts: Sequence[ExpectFact], room: Room) -> tuple[str, ...]:
    """Materials of other products, which a reply must not name."""
    said = str(facts[0].value)
    return tuple(one["material"] for one in room["products"] if one["material"] not in said)
