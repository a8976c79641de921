"""A conversation in a room: its transcript, its tokens, and the version of the harness that it runs on."""

import asyncio
import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.fault_plan import FaultPlan
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Event, Generated, Transcript
from harness_dsl.ir.types import StringType
from harness_dsl.ir.values import check_value
from harness_dsl.protocol import Tokens
from runtime.engines.base import Engine, Sampling
from runtime.faults import Faults
from runtime.moves import Moves
from runtime.version import Version, Versions


class InputError(ValueError):
    """Inputs that do not fit the harness; `problems` has one sentence for each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


@dataclass
class Session:
    """One conversation. `tokens` show the first `shown` events of `transcript`; the others are shown to the
    model when it goes on, in one piece, just as `Protocol.replay` would.

    `given` are the inputs as the caller gave them, and `state` is what tools work on: copies of the inputs,
    made when a harness that has them was first run. `following` is the version that the next turn begins
    with, if one was swapped in. `faults` are what its calls meet on purpose.
    """

    id: str
    engine: Engine
    versions: Versions
    version: Version
    sampling: Sampling
    transcript: Transcript
    tokens: Tokens
    given: Mapping[str, Any]
    state: dict[str, Any]
    shown: int = 0
    generations: int = 0
    output_start: int = 0
    following: Version | None = None
    faults: Faults | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def record(self, *events: Event) -> None:
        """Append `events` to the transcript."""
        self.transcript = self.transcript.model_copy(update={"events": (*self.transcript.events, *events)})

    def prompt(self) -> Tokens:
        """The tokens that the model is to continue."""
        waiting = self.transcript.events[self.shown :]
        return self.version.protocol.extend(self.tokens, waiting) if waiting else self.tokens

    def generated(self, prompt: Tokens, event: Generated) -> None:
        """The model continued `prompt` with `event`."""
        self.output_start = len(prompt.ids)
        self.tokens = self.version.protocol.extend(prompt, event)
        self.record(event)
        self.shown = len(self.transcript.events)
        self.generations += 1

    def advance(self) -> None:
        """Go over to the version that was swapped in: the conversation is shown anew under it."""
        if self.following is None:
            return
        version = self.following
        inputs = checked_inputs(version.core, self.given)
        moves = Moves(version.core)
        # Ids that were produced under other names are no output under these.
        events = tuple(
            moves.event(event.model_copy(update={"ids": ()}) if isinstance(event, Generated) else event)
            for event in self.transcript.events
        )
        transcript = Transcript(core_digest=version.core_digest, inputs=inputs, events=events)
        before = transcript.model_copy(update={"events": events[: self.shown]})
        self.tokens = version.protocol.rebase(self.tokens, before)
        self.state = {**copy.deepcopy(inputs), **self.state}
        self.transcript, self.version, self.following = transcript, version, None


def open_session(
    versions: Versions,
    engine: Engine,
    core: Core,
    surface: Surface,
    inputs: Mapping[str, Any],
    *,
    id: str = "session",
    sampling: Sampling | None = None,
    faults: FaultPlan | None = None,
) -> Session:
    """A new conversation under `core` and `surface`, whose calls meet `faults`.

    An untrusted text input that is not given holds the viewer's text of the current turn. `sampling` gives
    temperature, top_p, seed and the longest output; its stop ids are the protocol's.
    Raises `InputError` for inputs that do not fit, and `ValueError` as `Versions.of` does.
    """
    given = copy.deepcopy(dict(inputs))
    values = checked_inputs(core, given)
    version = versions.of(core, surface)
    return Session(
        id=id,
        engine=engine,
        versions=versions,
        version=version,
        sampling=sampling or Sampling(max_tokens=512),
        transcript=Transcript(core_digest=version.core_digest, inputs=values),
        tokens=version.protocol.open(values),
        given=given,
        state=copy.deepcopy(values),
        faults=Faults(faults) if faults is not None else None,
    )


def swap(session: Session, core: Core, surface: Surface) -> None:
    """Let the next turn of `session` run on `core` and `surface`; a turn in flight ends on what it began
    with.

    Raises `InputError` when the inputs that the session was given do not fit `core`, and `ValueError` as
    `Versions.of` does; then the session goes on as it was.
    """
    checked_inputs(core, session.given)
    session.following = session.versions.of(core, surface)


def checked_inputs(core: Core, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """`inputs` by declared identifier, with an empty text for each viewer text that is not given.

    Raises `InputError` for one that is unknown, missing or not of its type.
    """
    declared = {leaf(input_.id): input_ for input_ in core.inputs}
    problems = [f"there is no input `{name}`" for name in inputs if name not in declared]
    values = dict(inputs)
    for name, input_ in declared.items():
        if name in inputs:
            problem = check_value(inputs[name], input_.type, core)
            if problem is not None:
                problems.append(f"input `{name}`: {problem}")
        elif input_.untrusted and isinstance(input_.type, StringType):
            values[name] = ""
        else:
            problems.append(f"input `{name}` is missing")
    if problems:
        raise InputError(problems)
    return values
