"""Whether a turn met the expectations of a test."""

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from harness_dsl.ir.core import (
    Core,
    Expectation,
    ExpectCall,
    ExpectFact,
    ExpectPredicate,
    ExpectSkill,
    TestCase,
)
from harness_dsl.ir.evaluate import Facts, evaluate, last_turn, same, text_of, truth
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.rules import broken
from harness_dsl.ir.spelling import spell_expression
from harness_dsl.ir.statements import fact_faults
from harness_dsl.ir.transcript import Transcript


def failures(
    test: TestCase, core: Core, transcript: Transcript, published: str
) -> list[tuple[Expectation, str]]:
    """What the last turn of `transcript`, which published `published`, did not do as `test` expects: each
    problem behind the expectation that it is one with.
    """
    facts = replace(last_turn(transcript, core), reply=published)
    return [(expected, problem) for expected in test.expect for problem in _problems(expected, facts)]


def broken_rules(core: Core, transcript: Transcript, published: str) -> list[str]:
    """The declared rules that the last turn of `transcript` breaks, whatever the test expects."""
    facts = replace(last_turn(transcript, core), reply=published)
    return [f"the turn breaks the rule {rule}" for rule in broken(core, facts)]


def _problems(expectation: Expectation, facts: Facts) -> Iterator[str]:
    match expectation:
        case ExpectSkill():
            if (expectation.skill in facts.loaded) == expectation.negated:
                yield f"{expectation.skill} was {'loaded' if expectation.negated else 'not loaded'}"
        case ExpectCall():
            if _called(expectation, facts) == expectation.negated:
                yield f"{_call_text(expectation)} was {'called' if expectation.negated else 'not called'}"
        case ExpectFact():
            yield from fact_faults(expectation, facts.reply or "")
        case ExpectPredicate():
            if not truth(evaluate(expectation.predicate, facts)):
                condition = spell_expression(expectation.predicate)
                yield f"`{condition}` does not hold for the reply {facts.reply!r}"
        case _:
            assert_never(expectation)


def _called(expectation: ExpectCall, facts: Facts) -> bool:
    """Whether one call has all the expected arguments; arguments that are not named are free."""
    return any(
        call.tool == expectation.tool
        and call.carried_out
        and all(
            name in call.arguments and same(call.arguments[name], value)
            for name, value in expectation.arguments
        )
        for call in facts.calls
    )


def _call_text(expectation: ExpectCall) -> str:
    arguments = ", ".join(f"{name}: {text_of(value)}" for name, value in expectation.arguments)
    return f"{leaf(expectation.tool)}({arguments})"
