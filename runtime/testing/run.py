"""Every test of a harness, each in a conversation of its own."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness_dsl.ir.core import Core, Expectation, ExpectCall, TestCase
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.surface import Surface
from runtime.engines.base import Engine, Sampling
from runtime.engines.scripted import ScriptedEngine
from runtime.loop import InputError, Session, Turn, open_session, run_turn
from runtime.testing.expectations import broken_rules, failures
from runtime.testing.oracle import next_output, unmade
from runtime.testing.reasons import Place, because, ended
from runtime.version import Versions


@dataclass(frozen=True)
class TestResult:
    """`problems` is empty when the test passed. `reply` is what the last turn published."""

    __test__ = False

    id: str
    title: str
    problems: tuple[str, ...]
    reply: str
    seconds: float

    @property
    def passed(self) -> bool:
        return not self.problems


async def run_tests(
    versions: Versions,
    core: Core,
    surface: Surface,
    *,
    engine: Engine | None = None,
    sampling: Sampling | None = None,
    tests: Sequence[TestCase] | None = None,
) -> list[TestResult]:
    """The results of `tests` (default: all of `core`) on `engine`, or each on its own oracle where it is
    None.

    Raises `ValueError` as `Versions.of` does.
    """
    versions.of(core, surface)
    chosen = core.tests if tests is None else tests
    return [
        await run_test(test, versions, core, surface, engine=engine, sampling=sampling) for test in chosen
    ]


async def run_test(
    test: TestCase,
    versions: Versions,
    core: Core,
    surface: Surface,
    *,
    engine: Engine | None = None,
    sampling: Sampling | None = None,
    session: str | None = None,
    place: Place = lambda _: None,
) -> TestResult:
    """The result of one test; `session` (default: its id) is the name under which an engine keeps its cache.
    `place` says where hooks stand.

    Raises `ValueError` as `Versions.of` does.
    """
    started = time.perf_counter()
    inputs: dict[str, Any] = {leaf(given.input): given.value for given in test.given}
    opened: list[Session] = []
    try:
        conversation = open_session(
            versions,
            engine or _oracle(test, opened),
            core,
            surface,
            inputs,
            id=session or test.id,
            sampling=sampling,
        )
    except InputError as error:
        return TestResult(test.id, test.title, tuple(error.problems), "", 0.0)
    opened.append(conversation)
    turns = [await run_turn(conversation, text) for text in test.user]
    said = turns[-1].published
    problems = _stuck(turns, place)
    for expected, problem in failures(test, core, conversation.transcript, said):
        made_up = _made_up(expected, core) if engine is None else ""
        problems.append(problem + because(expected, turns[-1], place) + made_up)
    by_hook = "".join(f": {cause}" for cause in ended(turns[-1], place))
    problems += [problem + by_hook for problem in broken_rules(core, conversation.transcript, said)]
    seconds = time.perf_counter() - started
    return TestResult(test.id, test.title, tuple(problems), turns[-1].published, seconds)


def _oracle(test: TestCase, opened: list[Session]) -> ScriptedEngine:
    """An engine that does what `test` expects in the session that will be the first of `opened`."""

    def play(_: Sequence[int]) -> Sequence[int]:
        session = opened[0]
        return session.version.protocol.encode(next_output(test, session.version, session.transcript))

    return ScriptedEngine(play)


def _made_up(expected: Expectation, core: Core) -> str:
    """What the oracle of a test has to say of the arguments that `expected` leaves free."""
    if not isinstance(expected, ExpectCall) or expected.negated:
        return ""
    names = " and ".join(f"`{name}`" for name in unmade(expected, core))
    return f"; the oracle finds no value for {names}: say it in the expectation" if names else ""


def _stuck(turns: Sequence[Turn], place: Place) -> list[str]:
    """Turns that ended without the model's or a hook's word, and tools that do not work."""
    problems = [
        ": ".join(
            [f"turn {number} ended without a reply", f"{turn.outcome}, {turn.reason}", *ended(turn, place)]
        )
        for number, turn in enumerate(turns, 1)
        if turn.outcome in ("limit", "engine_error", "silenced")
    ]
    problems += [
        f"{record.call.tool} does not work: {record.error}"
        for turn in turns
        for record in turn.calls
        if record.error and record.result.failure == "crashed"
    ]
    return problems
