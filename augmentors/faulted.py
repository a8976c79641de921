"""A recorded conversation as it goes under a plan of faults, where that can be computed without a model.

    call → result                →    call → failure → the same call → result

A model that asks once more gets what it got in the recording, and goes on as it did. Where that is no way
out (a failure that lasts, a tool that must not be called twice, another value than the recorded one, a hook
that would act in between) only a model or a simulator knows how the conversation goes on.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from augmentors.rightness import viewed_inputs
from harness_dsl.ir.core import Core, HookEvent
from harness_dsl.ir.defaults import most_calls, most_outputs
from harness_dsl.ir.evaluate import evaluate, last_turn, truth
from harness_dsl.ir.facts import CallFact
from harness_dsl.ir.fault_plan import FaultPlan
from harness_dsl.ir.fault_results import asked, seen
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.index import index
from harness_dsl.ir.recovering import is_worth_another_call
from harness_dsl.ir.transcript import Call, Event, Generated, Result, Transcript, User


class _NoWay(Exception):
    """How the conversation goes on cannot be computed."""


def under_faults(core: Core, transcript: Transcript, plan: FaultPlan) -> Transcript | None:
    """`transcript`, a conversation under `core`, with calls made once more where `plan` strikes; None: how it
    goes on cannot be computed.
    """
    try:
        events = _Under(core, plan).events(transcript)
    except _NoWay:
        return None
    changed = transcript.model_copy(update={"events": events})
    return changed if _within_limits(core, changed) else None


@dataclass
class _Under:
    """A walk along a conversation. `calls`: how many reached each tool; `given`: what the latest gave that
    asked the same.
    """

    core: Core
    plan: FaultPlan
    calls: Counter[SemanticId] = field(default_factory=Counter)
    given: dict[str, Any] = field(default_factory=dict)

    def events(self, transcript: Transcript) -> tuple[Event, ...]:
        now = transcript.model_copy(update={"events": ()})
        for output, answers in _outputs(transcript.events):
            if output is None:
                now = _with(now, answers)
                continue
            now = _with(now, (output,))
            calls = [event for event in output.events if isinstance(event, Call)]
            answered, again = self._answered(calls, answers)
            now = _with(now, answered)
            if again:
                now = self._asked_again(now, again)
        return now.events

    def _answered(
        self, calls: Sequence[Call], answers: Sequence[Event]
    ) -> tuple[list[Event], list[tuple[Call, Result, Result]]]:
        """`answers` under the plan, and the calls to make again: what they gave, and what they will give."""
        waiting, before = list(calls), dict(self.given)
        shown: list[Event] = []
        again: list[tuple[Call, Result, Result]] = []
        for event in answers:
            result = event if isinstance(event, Result) else None
            call = next((one for one in waiting if result and one.tool == result.tool), None)
            if call is None or result is None:
                shown.append(event)
                continue
            waiting.remove(call)
            met = self._met(call, result, before)
            shown.append(met)
            if met == result:
                continue
            if not is_worth_another_call(index(self.core).tools[call.tool], met):
                raise _NoWay
            again.append((call, met, result))
        return shown, again

    def _asked_again(self, now: Transcript, again: Sequence[tuple[Call, Result, Result]]) -> Transcript:
        """`now` with those calls made once more, all in one output."""
        for call, failed, result in again:
            self._no_hook_acts(now, "after_call", call, failed)
            self._no_hook_acts(now, "before_call", call, None)
            self._no_hook_acts(now, "after_call", call, result)
        now = _with(now, (Generated(events=tuple(call for call, _, _ in again)),))
        before = dict(self.given)
        for call, _, result in again:
            if self._met(call, result, before) != result:
                raise _NoWay
            now = _with(now, (result,))
        return now

    def _met(self, call: Call, true: Result, given: dict[str, Any]) -> Result:
        """What the model reads of a call that gave `true` when it was recorded."""
        tool = index(self.core).tools[call.tool]
        if not CallFact(call.tool, failure=true.failure).carried_out:
            if any(fault.tool == tool.id for fault in self.plan.faults):
                raise _NoWay  # a hook may have withheld what the tool gave: whether it was reached is unknown
            return true
        self.calls[tool.id] += 1
        if tool.effect == "irreversible" and self.calls[tool.id] > 1:
            raise _NoWay  # an equal call is answered without reaching the tool
        fault = self.plan.at(tool.id, self.calls[tool.id])
        key = asked(tool, call.arguments)
        met = true if fault is None else seen(self.core, tool, fault, true, given.get(key))
        if true.failure is None:
            self.given[key] = true.value
        return met

    def _no_hook_acts(self, now: Transcript, event: HookEvent, call: Call, result: Result | None) -> None:
        """Raises `_NoWay` if a hook looks at a call that was not in the recording and acts."""
        fact = CallFact(call.tool, call.arguments, returned=False)
        if result is not None:
            fact = CallFact(call.tool, call.arguments, value=result.value, failure=result.failure)
        facts = replace(last_turn(now, self.core), inputs=viewed_inputs(self.core, now), call=fact)
        for hook in self.core.hooks:
            if hook.event == event and hook.action != "log" and truth(evaluate(hook.condition, facts)):
                raise _NoWay


def _outputs(events: Sequence[Event]) -> Iterator[tuple[Generated | None, list[Event]]]:
    """Each model output with what follows it until the next; what stands before the first, without one."""
    output: Generated | None = None
    after: list[Event] = []
    for event in events:
        if isinstance(event, Generated):
            yield output, after
            output, after = event, []
        else:
            after.append(event)
    yield output, after


def _with(transcript: Transcript, events: Sequence[Event]) -> Transcript:
    return transcript.model_copy(update={"events": (*transcript.events, *events)})


def _within_limits(core: Core, transcript: Transcript) -> bool:
    outputs = calls = 0
    for event in transcript.events:
        if isinstance(event, User):
            outputs = calls = 0
        elif isinstance(event, Generated):
            outputs += 1
            calls += sum(isinstance(one, Call) for one in event.events)
            if outputs > most_outputs(core) or calls > most_calls(core):
                return False
    return True
