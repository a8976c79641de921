"""The items of each suite: which task, shown by which Core and Surface. Fixed by their seed, before any
training.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from augmentors.adapters.adapter import Adapter
from augmentors.policy import Policy
from augmentors.variants import draw
from harness_dsl.ir.core import Core
from harness_dsl.ir.fault_plan import FaultPlan
from harness_dsl.ir.surface import Surface
from trainer.evaluate.report import SuiteName
from trainer.harness import Harness, HarnessError
from trainer.simulator.oracle import footprint
from trainer.simulator.tasks import Task, draw_task, kinds_for
from trainer.simulator.vocabulary import Split

UNSEEN_NAMES = Policy.of(
    {
        "rename": {"pool": "held-out", "declared": 0.0, "styles": ["snake"], "pinyin": 0.0, "longer": 0.1},
        "reorder": {"probability": 0.6},
    }
)
"""Harness-Variant QA: every tool and parameter has a name from the held-out pool, which training never
draws from. Result keys, which no documentation describes, take held-out names of near meaning or declared
ones.
"""

UNSEEN_WORDS = Policy.of({"limits": {"pool": "held-out"}})
"""Edit uptake: a limit is moved to a legal value that training never draws."""


@dataclass(frozen=True)
class Item:
    """One task under one harness state. `before` is the state before the edit, for edit uptake. `adapter`:
    what led to `core`, if it is refactored. `faults` are what calls meet; what is right follows from them.
    """

    task: Task
    core: Core
    surface: Surface
    before: tuple[Core, Surface] | None = None
    adapter: Adapter | None = None
    faults: FaultPlan | None = None


def items(
    harness: Harness, suite: SuiteName, n: int, seed: int, split: Split = "test", policy: Policy | None = None
) -> Iterator[Item]:
    """`n` items. `policy` replaces that of the suite; it draws from the held-out pools whatever it says.

    Raises `HarnessError` for a harness that the suite has nothing to ask about.
    """
    kinds = kinds_for(harness.core)
    if kinds == ("small_talk",):
        raise HarnessError("the simulator has no question for any tool of this harness")
    for index in range(n):
        task = draw_task(_number(seed, index), split, kinds)
        yield _item(harness, suite, task, seed, index, policy)


def _item(
    harness: Harness, suite: SuiteName, task: Task, seed: int, index: int, policy: Policy | None
) -> Item:
    core, surface = harness.core, harness.surface
    needs = footprint(core, task)
    match suite:
        case "own":
            return Item(task, core, surface)
        case "variants":
            changes = (policy or UNSEEN_NAMES).with_pool("held-out")
            variant = draw(core, surface, changes, _salted(seed), index, needs)
            return Item(task, variant.core, variant.surface, adapter=variant.adapter, faults=variant.faults)
        case "uptake":
            variant = draw(core, surface, UNSEEN_WORDS, _salted(seed), index, needs)
            if variant.is_original:
                raise HarnessError(
                    "no limit of this harness has a held-out value that a rule shows and checks"
                )
            return Item(task, variant.core, variant.surface, before=(core, surface))
        case _:
            assert_never(suite)


def _number(seed: int, index: int) -> int:
    return seed * 1_000_000 + index


def _salted(seed: int) -> int:
    """A seed for variants that no training run uses by accident."""
    return int.from_bytes(hashlib.sha256(f"evaluation/{seed}".encode()).digest()[:6])
