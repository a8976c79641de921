"""Whether a turn went right: exact calls, the facts and no other, and every rule that has a predicate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.evaluate import last_turn
from harness_dsl.ir.rules import broken
from harness_dsl.ir.statements import fact_faults, invented
from harness_dsl.ir.transcript import (
    Call,
    Event,
    ForeignCall,
    Generated,
    Malformed,
    Published,
    Transcript,
    Truncated,
)
from trainer.simulator.tasks import Turn


@dataclass(frozen=True)
class Verdict:
    """`calls`: exactly the calls that were due, in order, and no output that is none. `reply`: something
    was published, and it states the facts, nothing that contradicts them, and keeps the rules. `state`: the
    room is as it should be.

    `reasons` name everything that was wrong.
    """

    calls: bool = True
    reply: bool = True
    state: bool = True
    reasons: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        return self.calls and self.reply and self.state

    @classmethod
    def all_of(cls, verdicts: Sequence[Verdict]) -> Verdict:
        """Right in each part only if all of `verdicts` are."""
        return cls(
            calls=all(verdict.calls for verdict in verdicts),
            reply=all(verdict.reply for verdict in verdicts),
            state=all(verdict.state for verdict in verdicts),
            reasons=tuple(reason for verdict in verdicts for reason in verdict.reasons),
        )

    def with_room(self, room: Any, wanted: Any) -> Verdict:
        """This verdict, with `state` wrong as well if `room` is not as `wanted`."""
        if room == wanted:
            return self
        return replace(self, state=False, reasons=(*self.reasons, "the room is not as it should be"))


def check_turn(core: Core, wanted: Turn, events: Sequence[Event], inputs: Mapping[str, Any]) -> Verdict:
    """The verdict on `events`, those of one turn of a conversation under `core` that began with `inputs`."""
    about_calls = tuple(_call_faults(wanted, events))
    published = [event.text for event in events if isinstance(event, Published)]
    said = published[-1] if published else ""
    about_reply = tuple(_reply_faults(core, wanted, said, events, inputs))
    return Verdict(not about_calls, not about_reply, reasons=(*about_calls, *about_reply))


def _call_faults(wanted: Turn, events: Sequence[Event]) -> Iterator[str]:
    made = [event for output in events if isinstance(output, Generated) for event in output.events]
    for event in made:
        if isinstance(event, ForeignCall):
            yield f"called {event.name}, which is no tool of the harness"
        elif isinstance(event, Malformed):
            yield f"malformed output: {event.reason}"
        elif isinstance(event, Truncated):
            yield "an output was cut because it was too long"
    calls = [(event.tool, dict(event.arguments)) for event in made if isinstance(event, Call)]
    due = [(call.tool, dict(call.arguments)) for call in wanted.calls]
    if calls != due:
        yield f"calls {_shown(calls)}, due were {_shown(due)}"


def _reply_faults(
    core: Core, wanted: Turn, said: str, events: Sequence[Event], inputs: Mapping[str, Any]
) -> Iterator[str]:
    if not said:
        yield "nothing was published"
        return
    for fact in wanted.facts:
        yield from fact_faults(fact, said, wanted.rivals)
    for fact in wanted.absent:
        yield from invented(fact, said)
    turn = Transcript(core_digest="", inputs=dict(inputs), events=tuple(events))
    facts = replace(last_turn(turn, core), reply=said)
    yield from (f"broke {rule}" for rule in broken(core, facts))


def _shown(calls: Sequence[tuple[str, dict[str, Any]]]) -> str:
    return ", ".join(f"{tool.rpartition('/')[2]}{arguments}" for tool, arguments in calls) or "none"
