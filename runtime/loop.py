"""The one agent loop: it serves, evaluates and rolls out.

viewer's text → before_turn hooks → model → calls and skills, answered → model → … → reply checks → published.

A reply goes out when a reply skill was loaded in this turn (if the harness shows any), it keeps the limits,
and no hook objects. Whatever is wrong with an output goes back to the model as a result that it can read, and
takes one of the turn's outputs. Thinking is never published.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from harness_dsl import __version__
from harness_dsl.ir.ids import LOAD_SKILL, SemanticId
from harness_dsl.ir.transcript import (
    Call,
    ForeignCall,
    Generated,
    LoadSkill,
    Malformed,
    ModelEvent,
    Published,
    ReplyText,
    Result,
    Truncated,
    User,
)
from harness_dsl.protocol.markers import encodable
from runtime.calls import Answers
from runtime.engines.base import EngineError, Generation, Sampling
from runtime.facts import facts, turn_inputs
from runtime.hooks import Verdict
from runtime.session import InputError, Session, open_session, swap
from runtime.turn import Outcome, Progress, Turn
from runtime.version import Versions

__all__ = ["InputError", "Session", "Turn", "Versions", "open_session", "run_turn", "swap"]


async def run_turn(session: Session, text: str) -> Turn:
    """Answer the viewer's `text`. Turns of one session run one after another.

    Half of a surrogate pair in `text`, which has no UTF-8 form, counts as U+FFFD. Failures of engine, tools
    and hooks are in the `Turn`; a cancelled turn leaves a transcript that can go on.
    """
    async with session.lock:
        session.advance()
        return await _Loop(session, text).run()


@dataclass(frozen=True)
class _End:
    outcome: Outcome
    published: str = ""
    by: SemanticId | None = None
    reason: str = ""


class _Loop:
    """One turn of `session`."""

    def __init__(self, session: Session, text: str) -> None:
        self._session = session
        self._version = session.version
        self._text = text = encodable(text)
        inputs = turn_inputs(self._version.core, session.transcript.inputs, session.state, text)
        self._turn = Progress(viewer=text, inputs=inputs, wall_ms=self._version.limits.wall_ms)

    async def run(self) -> Turn:
        first = len(self._session.transcript.events)
        try:
            end = await self._until_end()
        except asyncio.CancelledError:
            self._session.record(Published(text=""))
            raise
        self._session.record(Published(text=end.published, by=end.by))
        turn = self._turn
        turn.timings.total = time.perf_counter() - turn.started
        return Turn(
            published=end.published,
            outcome=end.outcome,
            reason=end.reason,
            by=end.by,
            events=self._session.transcript.events[first:],
            calls=tuple(turn.calls),
            decisions=tuple(turn.decisions),
            timings=turn.timings,
            counts=turn.counts,
            version=self._version.core.version,
            core_digest=self._version.core_digest,
            surface_digest=self._version.surface_digest,
            tool_version=__version__,
        )

    async def _until_end(self) -> _End:
        self._session.record(User(text=self._text))
        verdict = await self._fire("before_turn", "")
        self._session.record(*verdict.notes)
        if verdict.end is not None:
            return self._ended(verdict)
        for left in reversed(range(self._version.limits.turns)):
            if self._turn.seconds_left() == 0:
                return _End("limit", reason="wall_ms")
            try:
                output = await self._generate()
            except TimeoutError:
                return _End("limit", reason="wall_ms")
            except EngineError as error:
                return _End("engine_error", reason=str(error))
            end = await self._react(output, last=left == 0)
            if end is not None:
                return end
        return _End("limit", reason="turns")

    async def _generate(self) -> Generated:
        """One model output. Raises `TimeoutError` at the wall-clock limit, else `EngineError`."""
        prompt = self._session.prompt()
        started = time.perf_counter()
        try:
            async with asyncio.timeout(self._turn.seconds_left()):
                generation = await self._ask(prompt.ids)
        finally:
            self._turn.timings.engine += time.perf_counter() - started
        counts = self._turn.counts
        counts.generations += 1
        counts.prompt_tokens += len(prompt.ids)
        counts.cached_tokens += generation.cached_tokens
        counts.new_tokens += len(generation.ids)
        output = Generated(events=self._version.protocol.parse(generation.ids), ids=generation.ids)
        self._session.generated(prompt, output)
        return output

    async def _ask(self, ids: Sequence[int]) -> Generation:
        """What the engine answers; whatever it does wrong is an `EngineError`."""
        engine = self._session.engine
        try:
            generation = await engine.generate(ids, self._sampling(), session=self._session.id)
            sound = bool(generation.ids) and all(type(id_) is int and id_ >= 0 for id_ in generation.ids)
        except (EngineError, TimeoutError):
            raise
        except Exception as error:
            raise EngineError(engine.name, f"{type(error).__name__}: {error}") from error
        if not sound:
            raise EngineError(engine.name, "the output is no list of ids", retryable=True)
        return generation

    def _sampling(self) -> Sampling:
        own = self._session.sampling
        longest = self._version.limits.output_tokens
        return replace(
            own,
            max_tokens=own.max_tokens if longest is None else min(own.max_tokens, longest),
            stop_ids=self._version.protocol.stop_ids,
            grammar=self._version.grammar,
            # One seed for all outputs of a conversation would repeat the same draws in each.
            seed=None if own.seed is None else own.seed + self._session.generations,
        )

    async def _react(self, output: Generated, *, last: bool) -> _End | None:
        """Answer what `output` asks for, or publish its reply; None: the model goes on."""
        asked = [e for e in output.events if isinstance(e, Call | LoadSkill | ForeignCall | Malformed)]
        segments = self._segments(output)
        refusal = self._over("think_tokens", segments.count("think"))
        if asked:
            return await self._answer(asked, "no output is left in this turn" if last else refusal)
        reply = "\n".join(
            self._version.protocol.view.mentions.lower(event.text)
            for event in output.events
            if isinstance(event, ReplyText)
        ).strip()
        problem = refusal or self._reply_problem(output.events, reply, segments)
        if problem is not None:
            failure = "malformed" if not reply and refusal is None else "limit"
            self._send_back(failure, problem)
            return None
        if not self._may_reply():
            name = self._version.protocol.view.naming.name(LOAD_SKILL)
            self._send_back("denied", f"load a skill with `{name}` before you reply")
            return None
        return await self._publish(reply)

    async def _answer(self, asked: Sequence[ModelEvent], refusal: str | None) -> _End | None:
        answers = Answers(self._version, self._turn, self._session.state, self._session.faults)
        try:
            await answers.give(asked, refusal)
        finally:
            # Also when the turn is cancelled: every call in the transcript has its result.
            self._session.record(*answers.close("the turn has ended"))
        return None if answers.end is None else self._ended(answers.end)

    def _reply_problem(self, events: Sequence[ModelEvent], reply: str, segments: Sequence[str]) -> str | None:
        if any(isinstance(event, Truncated) for event in events):
            return "the output was cut because it is too long"
        if not reply:
            self._turn.counts.malformed += 1
            return "there is no reply"
        return self._over("reply_chars", len(reply)) or self._over("reply_tokens", segments.count("reply"))

    def _over(self, name: str, size: int) -> str | None:
        """What to tell the model when `size` is over the limit `name`."""
        limit = getattr(self._version.limits, name)
        if limit is None or size <= limit:
            return None
        what, unit = name.split("_")
        unit = {"chars": "characters"}.get(unit, unit)
        return f"the {'thinking' if what == 'think' else what} has {size} {unit}, at most {limit} are allowed"

    def _segments(self, output: Generated) -> list[str]:
        """The segment of each id of `output`; empty where no limit asks for it."""
        limits = self._version.limits
        if limits.think_tokens is None and limits.reply_tokens is None:
            return []
        start, found = self._session.output_start, list[str]()
        # From the end: the conversation before this output may be long.
        for span in reversed(self._session.tokens.spans):
            if span.end <= start:
                break
            found += [span.segment] * (span.end - max(span.start, start))
        return found

    def _send_back(self, failure: str, detail: str) -> None:
        self._turn.counts.sent_back += 1
        self._session.record(Result(tool=None, failure=failure, detail=detail))

    def _may_reply(self) -> bool:
        skills = self._version.reply_skills
        return not skills or not skills.isdisjoint(self._turn.loaded)

    async def _publish(self, reply: str) -> _End | None:
        verdict = await self._fire("before_reply", reply)
        self._session.record(*verdict.notes)
        if verdict.end is not None:
            return self._ended(verdict)
        if verdict.again:
            self._turn.counts.sent_back += 1
            return None
        return _End("replied", reply)

    async def _fire(self, event: Literal["before_turn", "before_reply"], reply: str) -> Verdict:
        started = time.perf_counter()
        known = facts(self._version, self._turn, reply=reply)
        verdict = await self._version.hooks.fire(event, known, self._turn.hooks)
        self._turn.timings.hooks += time.perf_counter() - started
        self._turn.decisions += verdict.decisions
        return verdict

    def _ended(self, verdict: Verdict) -> _End:
        """The end that a hook asks for. A hook without a message publishes silence."""
        if verdict.end == "silence" or verdict.by is None:
            return _End("silenced", by=verdict.by, reason="a hook sent the model back too often")
        hook = next(hook for hook in self._version.core.hooks if hook.id == verdict.by)
        text = ""
        if hook.message is not None:
            text = self._version.protocol.view.renderer.published(hook.id, self._turn.inputs).text
        return _End("replaced" if verdict.end == "replace" else "denied", text, verdict.by)
