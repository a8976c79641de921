"""Results of an evaluation: per item, and as shares with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from harness_dsl import __version__
from trainer.evaluate.wilson import wilson

SuiteName = Literal["own", "variants", "uptake"]


class ItemResult(BaseModel):
    """One item. `right` only if calls, reply and final state are; `reasons` say what was not.

    `before` (edit uptake only) is whether the same task was right before the edit.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    kind: str
    user: str
    core_digest: str
    surface_digest: str
    right: bool
    calls: bool
    reply: bool
    reasons: tuple[str, ...]
    output: str
    before: bool | None = None


@dataclass(frozen=True)
class Score:
    """A share of items with its 95 % Wilson interval, all between 0 and 1."""

    suite: str
    right: int
    total: int
    share: float
    low: float
    high: float

    @classmethod
    def of(cls, suite: str, right: int, total: int) -> Score:
        interval = wilson(right, total)
        return cls(suite, right, total, right / total if total else 0.0, interval.low, interval.high)


class SuiteResult(BaseModel):
    """Everything that one suite found about one model; `seconds` is wall time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str = __version__
    suite: SuiteName
    harness: str
    model: str
    core_digest: str
    seed: int
    seconds: float
    items: tuple[ItemResult, ...]

    @property
    def score(self) -> Score:
        return Score.of(self.suite, sum(item.right for item in self.items), len(self.items))

    def part(self, name: Literal["calls", "reply"]) -> Score:
        """The share of items whose calls, or whose reply, were right."""
        return Score.of(name, sum(getattr(item, name) for item in self.items), len(self.items))

    def before(self) -> Score | None:
        """Edit uptake: the share that was right before the edit; None for other suites."""
        paired = [item for item in self.items if item.before is not None]
        return Score.of("before", sum(bool(item.before) for item in paired), len(paired)) if paired else None

    def as_json(self) -> dict[str, object]:
        """JSON data: counts and intervals, then every item."""
        shown: dict[str, object] = {"score": vars(self.score), "calls": vars(self.part("calls"))}
        shown["reply"] = vars(self.part("reply"))
        before = self.before()
        if before is not None:
            shown["before"] = vars(before)
        return {**self.model_dump(mode="json", exclude={"items"}), **shown, "items": item_rows(self.items)}


def item_rows(items: Sequence[ItemResult]) -> list[dict[str, object]]:
    return [item.model_dump(mode="json") for item in items]
