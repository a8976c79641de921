"""Every hook of an example acts where it is there to act, and only there."""

from typing import Any

import pytest

from harness_dsl.ir.core import Core
from harness_dsl.ir.evaluate import evaluate, truth
from harness_dsl.ir.facts import CallFact, Facts
from harness_dsl.ir.ids import leaf
from tests.examples.bench import MAIN, WORLD, opened, play, world
from tests.examples.hook_cases import (
    ARRIVED,
    CASES,
    DRAFTED,
    EXAM,
    PYTHON,
    STATISTICS,
    VERIFIED,
    Case,
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_acts_where_it_should(case: Case) -> None:
    played = play(case.example, world(case.example, case.file), case.user, case.outputs)
    assert played.taken(case.hook), played.turn.decisions
    assert case.then(played), (played.turn.published, played.turn.outcome, played.failures)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_keeps_quiet_where_it_should(case: Case) -> None:
    file, user, outputs = case.quiet
    played = play(case.example, world(case.example, file), user, outputs)
    assert any(one.hook == f"hook/{case.hook}" for one in played.turn.decisions), "it was not asked"
    assert not any(one.taken for one in played.turn.decisions if one.action != "log"), played.turn.decisions
    assert not played.taken(case.hook)
    assert played.turn.outcome == "replied" and "denied" not in played.failures


@pytest.mark.parametrize("example", MAIN)
def test_every_hook_is_tried(example: str) -> None:
    declared = {leaf(hook.id) for hook in opened(example).core.hooks}
    assert declared == {case.hook for case in CASES if case.example == example}


EQUIVALENT = {"course_tutor": "attempt_first", "bank_desk": "identity_first"}


@pytest.mark.parametrize("example", EQUIVALENT)
def test_the_python_equivalent_acts_alike(example: str) -> None:
    (case,) = (one for one in CASES if (one.example, one.hook) == (example, EQUIVALENT[example]))
    file, user, outputs = case.quiet
    loud = play(example, world(example, case.file), case.user, case.outputs, case.hook)
    quiet = play(example, world(example, file), user, outputs, case.hook)
    for played, acted in ((loud, True), (quiet, False)):
        (decision, *_) = (one for one in played.turn.decisions if one.hook == f"hook/{case.hook}")
        assert (decision.implementation, decision.error, decision.taken) == (1, "", acted)


def facts_of(example: str, core: Core, file: str) -> list[Facts]:
    """What the hook may look at: a call of each tool, with each exercise or account of the fixture."""
    state = world(example, file)
    names = [*state.get("exercises", {}), "E99", "6222-0001-1001"]
    calls: list[Any] = [None] + [
        CallFact(tool.id, {"exercise": name, "account": name}) for tool in core.tools for name in names
    ]
    return [Facts(inputs={WORLD[example]: state}, call=one) for one in calls]


@pytest.mark.parametrize("example", EQUIVALENT)
def test_the_python_equivalent_says_what_the_condition_says(example: str) -> None:
    loaded = opened(example)
    (hook,) = (one for one in loaded.core.hooks if leaf(one.id) == EQUIVALENT[example])
    (function,) = loaded.hooks(loaded.core)[hook.id]
    files = {"course_tutor": [STATISTICS, PYTHON, EXAM], "bank_desk": [ARRIVED, VERIFIED, DRAFTED]}[example]
    said = set()
    for file in files:
        for facts in facts_of(example, loaded.core, file):
            expected = truth(evaluate(hook.condition, facts))
            assert function(facts) is expected, facts.call
            said.add(expected)
    assert said == {True, False}
