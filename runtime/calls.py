"""What the model asked for in one output, carried out and answered: one answer to each, in their order."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from harness_dsl.ir.facts import CallFact
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.transcript import (
    Call,
    Event,
    ForeignCall,
    HookNote,
    LoadSkill,
    Malformed,
    ModelEvent,
    Result,
    SkillShown,
)
from runtime.facts import facts
from runtime.faults import Faults
from runtime.hooks import Verdict, satisfied
from runtime.tools import Ran
from runtime.turn import CallRecord, Progress
from runtime.version import Version

Answer = Result | SkillShown


class Answers:
    """The answers to one output. `end` is the verdict of a hook that ended the turn, and `notes` are shown
    after the answers. What is not answered when `close` is called, because the turn ends early, gets a
    `limit` result.
    """

    def __init__(
        self, version: Version, turn: Progress, state: dict[str, object], faults: Faults | None = None
    ) -> None:
        self._version = version
        self._turn = turn
        self._state = state
        self._faults = faults
        self._asked: list[ModelEvent] = []
        self._answers: dict[int, Answer] = {}
        self._places: dict[int, int] = {}
        self.notes: list[HookNote] = []
        self.end: Verdict | None = None

    async def give(self, asked: Sequence[ModelEvent], refusal: str | None) -> None:
        """Answer `asked` (calls, skills to load, malformed pieces); with `refusal` nothing is carried out.

        Calls of effect read that stand side by side run in parallel.
        """
        self._asked = list(asked)
        beside: list[tuple[int, Call]] = []
        for at, event in enumerate(self._asked):
            if isinstance(event, Call) and refusal is None:
                if self._effect(event) != "read":
                    await self._run(beside)
                    beside = []
                beside.append((at, event))
                if self._effect(event) != "read":
                    await self._run(beside)
                    beside = []
                continue
            await self._run(beside)
            beside = []
            self._answers[at] = self._plain(event, refusal)
        await self._run(beside)

    def close(self, reason: str) -> list[Event]:
        """The answers, then the notes. What was not answered fails as `limit` with `reason`.

        Answers to calls come in the order of the calls, so that each can be told by its place; then what is
        said about output that was no call.
        """
        to_calls: list[Event] = []
        others: list[Event] = []
        for at, event in enumerate(self._asked):
            answer = self._answers.get(at) or _failed(event, "limit", reason)
            own = isinstance(event, Call | ForeignCall) or isinstance(answer, SkillShown)
            (to_calls if own else others).append(answer)
        return [*to_calls, *others, *self.notes]

    def _effect(self, call: Call) -> str:
        return self._version.tools.effect(call.tool)

    def _plain(self, event: ModelEvent, refusal: str | None) -> Answer:
        """The answer to what runs no code."""
        counts = self._turn.counts
        if refusal is not None:
            counts.sent_back += 1
            refused = _failed(event, "limit", refusal)
            if isinstance(event, Call):
                self._turn.calls.append(CallRecord(event, refused))
            return refused
        match event:
            case LoadSkill():
                counts.skills += 1
                self._turn.loaded.append(event.skill)
                satisfied(self._turn.hooks, event.skill)
                return SkillShown(skill=event.skill)
            case ForeignCall():
                counts.unknown_calls += 1
                if not self._count_call():
                    return self._over_limit(event)
                return Result(tool=None, failure="unknown_tool", detail=self._foreign_detail(event.name))
            case Malformed():
                counts.malformed += 1
                return Result(tool=None, failure="malformed", detail=event.reason)
        raise ValueError(f"{event.kind} asks for no answer")

    def _foreign_detail(self, name: str) -> str:
        for tool in self._version.surface.distractors:
            if tool.name == name:
                return tool.failure
        return f"there is no tool `{name}`"

    async def _run(self, calls: Sequence[tuple[int, Call]]) -> None:
        """Carry out `calls` side by side, between the hooks before all and after all of them."""
        if self.end is not None:
            return
        records: dict[int, CallRecord] = {}
        allowed: list[tuple[int, Call]] = []
        for at, call in calls:
            refused = await self._refused(call)
            if refused is None:
                allowed.append((at, call))
            else:
                records[at] = refused
            if self.end is not None:
                allowed = []
                break
        for (at, call), ran in zip(allowed, await self._side_by_side(allowed), strict=True):
            records[at] = CallRecord(call, ran.result, ran.seconds, ran.attempts, ran.error)
            if CallFact(call.tool, failure=ran.result.failure).carried_out:
                satisfied(self._turn.hooks, call.tool)
        for at in sorted(records):
            self._turn.calls.append(records[at])
            self._turn.counts.failed_calls += records[at].result.failure is not None
            self._answers[at] = records[at].result
            self._places[at] = len(self._turn.calls) - 1
        for at, _ in allowed:
            await self._after(at)

    async def _side_by_side(self, calls: Sequence[tuple[int, Call]]) -> list[Ran]:
        started = time.perf_counter()
        naming = self._version.protocol.view.naming
        ran = await asyncio.gather(
            *(
                self._version.tools.call(
                    call,
                    self._state,
                    naming,
                    self._turn.done,
                    timeout_s=self._turn.seconds_left(),
                    faults=self._faults,
                )
                for _, call in calls
            )
        )
        self._turn.timings.tools += time.perf_counter() - started
        return list(ran)

    async def _refused(self, call: Call) -> CallRecord | None:
        """What came of `call` if it may not be carried out."""
        if not self._count_call():
            return CallRecord(call, self._over_limit(call))
        verdict = await self._fire("before_call", call, None)
        if not verdict.refused:
            return None
        return CallRecord(call, Result(tool=call.tool, failure="denied"), by=verdict.by)

    async def _after(self, at: int) -> None:
        if self.end is not None:
            return
        place = self._places[at]
        record = self._turn.calls[place]
        verdict = await self._fire("after_call", record.call, record.result)
        if verdict.refused and verdict.end is None:
            withheld = Result(tool=record.call.tool, failure="denied")
            self._turn.calls[place] = replace(record, result=withheld, by=verdict.by)
            self._answers[at] = withheld

    async def _fire(
        self, event: Literal["before_call", "after_call"], call: Call, result: Result | None
    ) -> Verdict:
        started = time.perf_counter()
        verdict = await self._version.hooks.fire(
            event, facts(self._version, self._turn, call=call, result=result), self._turn.hooks
        )
        self._turn.timings.hooks += time.perf_counter() - started
        self._turn.decisions += verdict.decisions
        self._turn.counts.sent_back += verdict.again
        self.notes += verdict.notes
        if verdict.end is not None:
            self.end = verdict
        return verdict

    def _count_call(self) -> bool:
        """Count one more call; False when that is more than the limit."""
        self._turn.counts.calls += 1
        return self._turn.counts.calls <= self._version.limits.tool_calls

    def _over_limit(self, event: Call | ForeignCall) -> Result:
        limit = self._version.limits.tool_calls
        return _failed(event, "limit", f"at most {limit} calls in a turn")


def _failed(event: ModelEvent, failure: str, detail: str) -> Result:
    tool: SemanticId | None = event.tool if isinstance(event, Call) else None
    return Result(tool=tool, failure=failure, detail=detail)
