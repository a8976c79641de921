"""What the process that runs the implementations is told, and what it tells, as JSON lines."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from harness_dsl.ir.core import Core, Hook
from harness_dsl.ir.facts import Facts
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Transcript
from runtime.contracts.answers import TIMEOUT_S
from runtime.contracts.events import COUNT, generated
from runtime.contracts.recorded import recorded

MEMORY_MB = 4096


@dataclass(frozen=True)
class Plan:
    """The contract suite of one harness. `transcripts`: a file of JSON lines whose events are asked too.
    `done`: the implementations that need not be asked any more, by hook and number.
    """

    harness: str
    events: int = COUNT
    seed: int = 0
    transcripts: str | None = None
    timeout_s: float = TIMEOUT_S
    done: tuple[tuple[SemanticId, int], ...] = ()

    def jobs(self, core: Core) -> Iterator[tuple[Hook, int]]:
        """The implementations that are left to ask."""
        for hook in core.hooks:
            for number in range(1, len(hook.implementations) + 1):
                if (hook.id, number) not in self.done:
                    yield hook, number

    def without(self, hook: SemanticId, number: int) -> "Plan":
        """This plan when that implementation has been asked."""
        return replace(self, done=(*self.done, (hook, number)))

    def events_of(self, core: Core, surface: Surface, hook: Hook) -> list[Facts]:
        """The events of `hook`: generated ones, then recorded ones. Raises `OSError` and `ValueError`."""
        events = generated(core, hook, self.seed, self.events)
        return [*events, *recorded(core, hook, surface, self._conversations())]

    def _conversations(self) -> Iterator[Transcript]:
        if self.transcripts is None:
            return
        with Path(self.transcripts).open(encoding="utf-8") as lines:
            for line in lines:
                if line.strip():
                    yield Transcript.model_validate_json(line)

    def text(self) -> str:
        """As the worker is given it."""
        return json.dumps(asdict(self))


def plan_of(text: str) -> Plan:
    """The inverse of `Plan.text`."""
    data: dict[str, Any] = json.loads(text)
    return Plan(**{**data, "done": tuple((hook, number) for hook, number in data["done"])})


@dataclass(frozen=True)
class Verdict:
    """Implementation `number` of `hook`, the function `target`, after so many `events`.

    `parted`: the smallest event found on which it answers otherwise, in words; empty: it agrees. Then
    `expected` is what the condition says, and `said` what the function does.
    """

    hook: SemanticId
    number: int
    target: str
    events: int
    parted: str = ""
    expected: str = ""
    said: str = ""

    @property
    def agrees(self) -> bool:
        """Whether it answered every event as the condition does."""
        return not self.parted


@dataclass(frozen=True)
class At:
    """The worker is about to ask this implementation about event number `event`."""

    hook: SemanticId
    number: int
    event: int


@dataclass(frozen=True)
class Failed:
    """Nothing can be asked, because of `message`."""

    message: str


Told = Verdict | At | Failed
_KINDS: dict[str, type[Verdict] | type[At] | type[Failed]] = {
    kind.__name__: kind for kind in (Verdict, At, Failed)
}


def line_of(told: Told) -> str:
    """One JSON line."""
    return json.dumps([type(told).__name__, asdict(told)]) + "\n"


def told_of(line: str) -> Told:
    """The inverse of `line_of`. Raises `ValueError`, `KeyError` or `TypeError` for any other line."""
    kind, data = json.loads(line)
    return _KINDS[kind](**data)
