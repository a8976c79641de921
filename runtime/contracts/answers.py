"""What the declared condition and its implementations answer to one event."""

import asyncio
import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness_dsl.ir.core import Hook
from harness_dsl.ir.evaluate import evaluate, truth
from harness_dsl.ir.facts import Facts
from runtime.threads import Crashed, TimedOut, run_bounded

TIMEOUT_S = 1.0
"""As for hooks that run: an implementation that takes longer would not be answered for."""

_PATIENCE = 3
"""So often is asked what takes longer: another process may have held up the machine."""


@dataclass(frozen=True)
class Answer:
    """`said`: whether the condition holds; None where there is no such answer, and `trouble` says why."""

    said: bool | None
    trouble: str = ""

    def __str__(self) -> str:
        if self.said is None:
            return self.trouble
        return "it holds" if self.said else "it does not hold"


def declared(hook: Hook, facts: Facts) -> Answer:
    """What the condition of `hook` says, which never fails."""
    return Answer(truth(evaluate(hook.condition, facts)))


def implemented(function: Callable[..., Any], facts: Facts, timeout_s: float = TIMEOUT_S) -> Answer:
    """What `function` says; a crash, silence or anything but a bool is no answer."""
    return asyncio.run(_asked(function, facts, timeout_s))


async def _asked(function: Callable[..., Any], facts: Facts, timeout_s: float) -> Answer:
    said: Any = None
    for left in reversed(range(_PATIENCE)):
        try:
            said = await run_bounded(function, {"facts": copy.deepcopy(facts)}, timeout_s)
            break
        except (TimedOut, Crashed) as error:
            if left == 0 or isinstance(error, Crashed):
                return Answer(None, str(error))
    if not isinstance(said, bool):
        return Answer(None, f"it gave {type(said).__name__} instead of a bool")
    return Answer(said)
