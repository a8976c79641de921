"""Runs the implementations of a hook on events until one of them answers otherwise than the condition."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from harness_dsl.ir.core import Core, Hook
from harness_dsl.ir.facts import Facts
from harness_dsl.ir.ids import SemanticId
from runtime.contracts.answers import TIMEOUT_S, Answer, declared, implemented
from runtime.contracts.shrinking import TRIES, shrunk

_AGAIN = 32
"""So many events are asked once more at the end: an answer must not depend on what was asked before."""

Saw = Callable[[int, int], None]
"""Called with the numbers of implementation and event before each answer."""


@dataclass(frozen=True)
class Disagreement:
    """Implementation `number` of `hook` answered `said` to `event`, where the condition says `expected`."""

    hook: SemanticId
    number: int
    event: Facts
    said: Answer
    expected: Answer


def disagreement(
    core: Core,
    hook: Hook,
    number: int,
    function: Callable[..., Any],
    events: Iterable[Facts],
    timeout_s: float = TIMEOUT_S,
    saw: Saw = lambda number, event: None,
) -> Disagreement | None:
    """The smallest event found on which `function`, implementation `number` of `hook`, answers otherwise."""
    asked: list[Facts] = []
    for at, event in enumerate(events):
        saw(number, at)
        said = implemented(function, event, timeout_s)
        if said != declared(hook, event):
            return _smallest(core, hook, number, function, event, said, timeout_s)
        asked.append(event)
    return _unsteady(hook, number, function, asked, timeout_s)


def _unsteady(
    hook: Hook, number: int, function: Callable[..., Any], asked: Sequence[Facts], timeout_s: float
) -> Disagreement | None:
    """An event that is answered otherwise the second time; asked from the last to the first."""
    for event in islice(reversed(asked), _AGAIN):
        said, expected = implemented(function, event, timeout_s), declared(hook, event)
        if said != expected:
            told = f"{said} when it is asked again"
            return Disagreement(hook.id, number, event, Answer(None, told), expected)
    return None


def _smallest(
    core: Core,
    hook: Hook,
    number: int,
    function: Callable[..., Any],
    event: Facts,
    said: Answer,
    timeout_s: float,
) -> Disagreement:
    """What is slow is not asked again and again; a crash stays a crash, a wrong answer a wrong answer."""
    if said.said is not None or not said.trouble.startswith("no result within"):

        def disagrees(smaller: Facts) -> bool:
            again = implemented(function, smaller, timeout_s)
            return again != declared(hook, smaller) and (again.said is None) == (said.said is None)

        event = shrunk(event, core, disagrees, TRIES)
        said = implemented(function, event, timeout_s)
    return Disagreement(hook.id, number, event, said, declared(hook, event))
