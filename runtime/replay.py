"""Playing a conversation again: the model's outputs as they were, everything else as it happens now.

The loop, tools and hooks are the ones that serve. The outputs are spoken in the names of the Surface that the
conversation is played under, so that two Surfaces of one Core can be compared.
"""

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.fault_plan import FaultPlan
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Event, Generated, Transcript, User
from runtime.engines.base import EngineError, Sampling
from runtime.engines.scripted import ScriptedEngine
from runtime.loop import Session, open_session, run_turn
from runtime.version import Versions

LONGEST_OUTPUT = 1 << 20
"""An output that is played is not cut, however long it was."""


@dataclass(frozen=True)
class Played:
    """What happened: events without token ids, and the values that tools work on at the end, by input."""

    events: tuple[Event, ...]
    state: Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """One user turn of a conversation: its text, and the outputs that the model gave in it."""

    text: str
    outputs: tuple[Generated, ...]


def asked(transcript: Transcript) -> tuple[Asked, ...]:
    """The user turns of `transcript`."""
    turns: list[Asked] = []
    for event in transcript.events:
        if isinstance(event, User):
            turns.append(Asked(event.text, ()))
        elif isinstance(event, Generated) and turns:
            turns[-1] = Asked(turns[-1].text, (*turns[-1].outputs, event))
    return tuple(turns)


def play(
    versions: Versions,
    core: Core,
    surface: Surface,
    transcript: Transcript,
    faults: FaultPlan | None = None,
) -> Played:
    """What happens when the user says in `transcript` what they said, and the model answers as it did, while
    calls meet `faults`.

    Raises `ValueError` (`InputError` among them) for a conversation that the harness cannot open, or an
    output that cannot be spoken under `surface`.
    """
    return asyncio.run(_play(versions, core, surface, transcript, faults))


async def _play(
    versions: Versions, core: Core, surface: Surface, transcript: Transcript, faults: FaultPlan | None
) -> Played:
    protocol = versions.of(core, surface).protocol
    waiting: deque[Sequence[int]] = deque()

    def next_output(_: Sequence[int]) -> Sequence[int]:
        if not waiting:
            raise EngineError("replay", "the conversation has no further output in this turn")
        return waiting.popleft()

    session: Session = open_session(
        versions,
        ScriptedEngine(next_output),
        core,
        surface,
        transcript.inputs,
        sampling=Sampling(max_tokens=LONGEST_OUTPUT),
        faults=faults,
    )
    for turn in asked(transcript):
        waiting.clear()
        waiting.extend(protocol.encode(output.events) for output in turn.outputs)
        await run_turn(session, turn.text)
    return Played(tuple(map(_without_ids, session.transcript.events)), session.state)


def _without_ids(event: Event) -> Event:
    return event.model_copy(update={"ids": ()}) if isinstance(event, Generated) else event
