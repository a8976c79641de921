"""What a worker that runs tests is told, and what it tells, as JSON lines."""

import json
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

EngineKind = Literal["scripted", "embedded", "sglang"]


@dataclass(frozen=True)
class Plan:
    """The tests of one harness, on itself and on variants of it.

    `variants` rows of `seed` are drawn after the harness itself; `variant` stands for that row alone. `only`
    are titles or ids of tests; None: all. `skip` results are known already. `output`: where the harness under
    `variant` is written, compiled. `memory_mb` bounds what the worker may allocate; None: nothing does.
    """

    harness: str
    variants: int = 0
    variant: int | None = None
    seed: int = 0
    policy: str | None = None
    only: tuple[str, ...] | None = None
    engine: EngineKind = "scripted"
    model: str | None = None
    url: str | None = None
    max_tokens: int = 256
    output: str | None = None
    memory_mb: int | None = None
    skip: int = 0

    @property
    def alone(self) -> bool:
        """Whether one variant is asked for and nothing else."""
        return self.variant is not None

    @property
    def rows(self) -> list[int | None]:
        """The rows to run on, in order; None is the harness itself."""
        return [self.variant] if self.variant is not None else [None, *range(self.variants)]

    def after(self, results: int) -> "Plan":
        """What is left of this plan when it has given so many results."""
        return replace(self, skip=results, output=None)


@dataclass(frozen=True)
class Named:
    """A test by its id and title."""

    id: str
    title: str


@dataclass(frozen=True)
class Loaded:
    """The harness can run. `unknown` are names in `only` that it has no test for."""

    harness: str
    tests: tuple[Named, ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True)
class Shown:
    """From here on, results are about this row, under these digests."""

    row: int | None
    core: str
    surface: str


@dataclass(frozen=True)
class Started:
    """A test has begun."""

    test: Named


@dataclass(frozen=True)
class Outcome:
    """A test is over. `problems` is empty when it passed. `reply` is what the last turn published. `died`: it
    took the worker with it, or was stopped.
    """

    row: int | None
    test: Named
    problems: tuple[str, ...]
    reply: str
    seconds: float
    died: bool = False

    @property
    def passed(self) -> bool:
        return not self.problems


@dataclass(frozen=True)
class Failed:
    """Nothing more can be run, for this reason; `status` is the exit status. `module`: the file is one."""

    message: str
    status: int
    module: bool = False


@dataclass(frozen=True)
class Leaving:
    """The worker ends because a call still runs in it; another one is to go on."""


@dataclass(frozen=True)
class Done:
    """All was run."""


class VariantError(Exception):
    """The checker does not accept a variant, or the policy cannot be used; the message says which and why."""


Event = Loaded | Shown | Started | Outcome | Failed | Leaving | Done
_KINDS: dict[str, type[Event]] = {
    kind.__name__: kind for kind in (Loaded, Shown, Started, Outcome, Failed, Leaving, Done)
}


def plan_text(plan: Plan) -> str:
    """`plan` as one line of JSON."""
    return json.dumps(asdict(plan))


def plan_of(text: str) -> Plan:
    """The inverse of `plan_text`."""
    data = json.loads(text)
    only = data.pop("only")
    return Plan(**data, only=None if only is None else tuple(only))


def event_line(event: Event) -> str:
    """`event` as one line of JSON, pure ASCII."""
    return json.dumps({"kind": type(event).__name__, **asdict(event)}) + "\n"


def event_of(line: str) -> Event:
    """The inverse of `event_line`. Raises `ValueError`, `KeyError` or `TypeError` for anything else."""
    data: dict[str, Any] = json.loads(line)
    kind = _KINDS[data.pop("kind")]
    if "test" in data:
        data["test"] = Named(**data["test"])
    if "tests" in data:
        data["tests"] = tuple(Named(**test) for test in data["tests"])
    for name in ("unknown", "problems"):
        if name in data:
            data[name] = tuple(data[name])
    return kind(**data)
