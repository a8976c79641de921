"""What a turn yields, and what it remembers while it runs."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.transcript import Call, Event, Result
from runtime.hooks import Decision, TurnHooks
from runtime.tools import TurnCalls

Outcome = Literal["replied", "denied", "replaced", "silenced", "limit", "engine_error"]


@dataclass
class Counts:
    """Of one turn. `new_tokens` were produced; `cached_tokens` of the `prompt_tokens` were not prefilled."""

    generations: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    new_tokens: int = 0
    calls: int = 0
    unknown_calls: int = 0
    failed_calls: int = 0
    skills: int = 0
    malformed: int = 0
    sent_back: int = 0


@dataclass
class Timings:
    """Seconds of one turn; tools that ran side by side count each."""

    total: float = 0.0
    engine: float = 0.0
    tools: float = 0.0
    hooks: float = 0.0


@dataclass(frozen=True)
class CallRecord:
    """A call and what came of it. `error` is for operators. `by`: the hook that denied it, or its result."""

    call: Call
    result: Result
    seconds: float = 0.0
    attempts: int = 0
    error: str = ""
    by: SemanticId | None = None


@dataclass(frozen=True)
class Turn:
    """A turn that is over. `published` is what the audience gets; "" is silence.

    `outcome`: replied; denied, replaced or silenced by hook `by`; `limit`: a limit, named in `reason`, was
    reached without a reply; `engine_error`: the engine failed, as `reason` says. `events` are those of this
    turn.
    """

    published: str
    outcome: Outcome
    reason: str
    by: SemanticId | None
    events: tuple[Event, ...]
    calls: tuple[CallRecord, ...]
    decisions: tuple[Decision, ...]
    timings: Timings
    counts: Counts
    version: str
    core_digest: str
    surface_digest: str
    tool_version: str


@dataclass
class Progress:
    """The running turn: `viewer` is the viewer's text, `inputs` the input values as this turn sees them."""

    viewer: str
    inputs: Mapping[str, Any]
    wall_ms: int | None
    started: float = field(default_factory=time.perf_counter)
    counts: Counts = field(default_factory=Counts)
    timings: Timings = field(default_factory=Timings)
    calls: list[CallRecord] = field(default_factory=list)
    loaded: list[SemanticId] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    hooks: TurnHooks = field(default_factory=TurnHooks)
    done: TurnCalls = field(default_factory=TurnCalls)

    def seconds_left(self) -> float | None:
        """Seconds until the wall-clock limit, never negative; None without one."""
        if self.wall_ms is None:
            return None
        return max(0.0, self.wall_ms / 1000 - (time.perf_counter() - self.started))
