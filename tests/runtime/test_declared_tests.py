"""Tests that a harness declares: what passes, what fails and why, and the oracle that plays them."""

import asyncio
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from harness_dsl.ir.core import (
    Core,
    Expectation,
    ExpectCall,
    ExpectFact,
    ExpectPredicate,
    ExpectSkill,
    Given,
    Hook,
    TestCase,
)
from harness_dsl.ir.expressions import Affix, Binary, Constant, LimitValue, Measure, Reply
from harness_dsl.ir.statements import fact_faults
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Text
from harness_dsl.ir.transcript import ModelEvent
from harness_dsl.ir.types import StringType
from harness_dsl.ir.values import check_value
from runtime.byte_tokenizer import byte_tokenizer
from runtime.engines.scripted import ScriptedEngine
from runtime.testing.run import TestResult, run_tests
from runtime.testing.samples import sample
from runtime.version import Versions
from tests.strategies import small_shop, surfaces
from tests.strategies.shop import ROOM

from .shop import QUOTE, SKILL, plain_tools, quote, reply, shop

PRICE_OF_3 = ExpectFact(fact="price", value=Decimal(89), unit="CNY")
CALL_3 = ExpectCall(tool=QUOTE, arguments=(("link_id", 3),))


def case(*expect: Expectation, user: Sequence[str] = ("3号多少钱？",), given: bool = True) -> TestCase:
    room = (Given(input="input/room", value=ROOM),) if given else ()
    return TestCase(id="test/t", title="t", given=room, user=tuple(user), expect=expect)


def result(
    test: TestCase,
    outputs: Sequence[Sequence[ModelEvent]] | None = None,
    *,
    core: Core | None = None,
    tools: Any = None,
    surface: Surface | None = None,
) -> TestResult:
    """The result of `test` on a model that plays `outputs`, or on its oracle."""
    core, surface = core or shop(), surface or Surface()
    versions = Versions(byte_tokenizer(), plain_tools() if tools is None else tools)
    encode = versions.of(core, surface).protocol.encode
    engine = None if outputs is None else ScriptedEngine.playing(outputs, encode)
    (found,) = asyncio.run(run_tests(versions, core, surface, engine=engine, tests=[test]))
    return found


def test_a_model_that_does_what_is_expected_passes() -> None:
    found = result(case(CALL_3, PRICE_OF_3), [(quote(3),), reply("亲，89元")])
    assert found.passed, found.problems
    assert found.reply == "亲，89元"


@pytest.mark.parametrize(
    ("expect", "outputs", "problem"),
    [
        (CALL_3, [reply("89元")], "get_quote(link_id: 3) was not called"),
        (CALL_3, [(quote(5),), reply("89元")], "get_quote(link_id: 3) was not called"),
        (ExpectCall(tool=QUOTE, negated=True), [(quote(5),), reply("好")], "get_quote() was called"),
        (PRICE_OF_3, [reply("好")], "does not state the price 89"),
        (PRICE_OF_3, [reply("原价99元，现在89元")], "states the price 99 too"),
        (ExpectFact(fact="text", value="羊毛"), [reply("棉的")], "does not say '羊毛'"),
        (ExpectSkill(skill=SKILL.skill), [reply("好")], "skill/item_qa was not loaded"),
        (
            ExpectPredicate(predicate=Constant(value=False)),
            [reply("好")],
            "`false` does not hold for the reply",
        ),
    ],
)
def test_what_a_model_does_wrong_is_said(
    expect: Expectation, outputs: Sequence[Sequence[ModelEvent]], problem: str
) -> None:
    found = result(case(expect), outputs)
    (said,) = (one for one in found.problems if "breaks the rule" not in one)
    assert problem in said


def test_a_turn_that_breaks_a_declared_rule_fails_the_test() -> None:
    found = result(case(CALL_3), [(quote(3),), reply("89元")])
    assert found.problems == ("the turn breaks the rule prompt/system/section/rules/opener",)


def test_an_oracle_does_not_state_what_the_tools_do_not_return() -> None:
    tools = {QUOTE: lambda link_id, quantity: {"amount": 88, "currency": "CNY"}}
    assert not result(case(CALL_3, PRICE_OF_3), tools=tools).passed


def test_a_call_that_a_hook_denied_is_no_call() -> None:
    deny = Hook(
        id="hook/never",
        event="before_call",
        condition=Constant(value=True),
        action="deny",
        message=Text(id="hook/never/message", canonical=(Literally(text="no"),)),
    )
    core = shop().model_copy(update={"hooks": (deny,)})
    found = result(case(CALL_3), [(quote(3),), reply("亲，好")], core=core)
    assert found.problems == (
        "get_quote(link_id: 3) was not called: the call of tool/get_quote was denied by hook/never",
    )


@pytest.mark.parametrize(
    ("event", "action", "why"),
    [
        ("before_turn", "deny", "the turn was denied by hook/never"),
        ("before_turn", "replace", "the turn was replaced by hook/never"),
        ("before_call", "replace", "the call of tool/get_quote was denied by hook/never"),
        ("before_call", "retry", "the call of tool/get_quote was denied by hook/never"),
        ("after_call", "deny", "the result of tool/get_quote was withheld by hook/never"),
    ],
)
def test_a_missing_call_names_the_hook_that_kept_it_away(event: Any, action: Any, why: str) -> None:
    message = Text(id="hook/never/message", canonical=(Literally(text="no"),))
    hook = Hook(
        id="hook/never", event=event, condition=Constant(value=True), action=action, message=message, max=1
    )
    found = result(
        case(CALL_3), [(quote(3),), reply("亲，好")], core=shop().model_copy(update={"hooks": (hook,)})
    )
    assert f"get_quote(link_id: 3) was not called: {why}" in found.problems


def test_a_turn_that_a_hook_silenced_names_it_and_what_did_not_work() -> None:
    hook = Hook(
        id="hook/never",
        event="before_reply",
        condition=Constant(value=False),
        action="retry",
        message=Text(id="hook/never/message", canonical=(Literally(text="no"),)),
        max=1,
        fail="closed",
    )
    core, surface = shop().model_copy(update={"hooks": (hook,)}), Surface(implementations={"hook/never": 1})
    versions = Versions(byte_tokenizer(), plain_tools(), {"hook/never": (lambda facts: 1 / 0,)})
    (found,) = asyncio.run(run_tests(versions, core, surface, tests=[case()]))
    assert "the reply was sent back too often by hook/never, which did not work: " in found.problems[0]
    assert "division by zero" in found.problems[0]


def test_a_turn_without_a_reply_fails_the_test() -> None:
    found = result(case(), [(quote(),)])
    assert not found.passed
    assert "ended without a reply" in found.problems[0]


def test_a_missing_input_fails_the_test() -> None:
    assert result(case(given=False)).problems == ("input `room` is missing",)


def test_a_tool_that_crashes_fails_the_test_and_says_how() -> None:
    found = result(case(CALL_3), tools={QUOTE: lambda link_id, quantity: 1 / 0})
    assert any("ZeroDivisionError" in problem for problem in found.problems)


def test_expectations_are_about_the_last_turn() -> None:
    test = case(ExpectCall(tool=QUOTE, negated=True), user=("3号多少钱？", "谢谢"))
    assert result(test, [(quote(),), reply("亲，89元"), reply("亲，不客气")]).passed


def test_every_test_of_the_shop_passes_on_its_oracle_under_other_surfaces() -> None:
    from hypothesis import given
    from hypothesis import settings as limits

    core, _ = small_shop()
    tools = {QUOTE: lambda link_id, quantity: {"amount": 89, "currency": "CNY"}}

    @limits(max_examples=8)
    @given(surfaces(core))
    def check(surface: Surface) -> None:
        shown = surface.model_copy(update={"implementations": {}})
        found = asyncio.run(run_tests(Versions(byte_tokenizer(), tools), core, shown))
        assert [one.problems for one in found] == [()] * len(core.tests)

    check()


def test_an_oracle_cannot_pass_what_the_harness_makes_impossible() -> None:
    """Broken twins: tests that no run can pass are not passed by the oracle either."""
    contradiction = (CALL_3, ExpectCall(tool=QUOTE, negated=True))
    assert not result(case(*contradiction)).passed
    assert not result(case(PRICE_OF_3, ExpectFact(fact="price", value=Decimal(99)))).passed
    no_calls = shop(limits={"turns": 1})
    assert not result(case(CALL_3, PRICE_OF_3), core=no_calls).passed


def test_the_oracle_says_words_that_rules_and_expectations_name() -> None:
    ends = Affix(where="end", subject=Reply(), text=Constant(value="哦"))
    holds = Affix(where="inside", subject=Reply(), text=LimitValue(limit="limit/banned"))
    short = Binary(operator="<=", left=Measure(function="chars", subject=Reply()), right=Constant(value=20))
    expect = [ExpectPredicate(predicate=p) for p in (ends, holds, short)]
    found = result(case(PRICE_OF_3, CALL_3, *expect))
    assert found.passed, found.problems
    assert found.reply == "亲，加微信，89元哦", "the rule that asks for the opener is kept too"


@pytest.mark.parametrize(
    ("fact", "said", "right"),
    [
        (PRICE_OF_3, "亲，八十九块", True),
        (PRICE_OF_3, "亲，89.00元", True),
        (PRICE_OF_3, "890元", False),
        (PRICE_OF_3, "89件", False),
        (ExpectFact(fact="number", value=Decimal(8)), "还有8件", True),
        (ExpectFact(fact="number", value=Decimal(8)), "还有18件", False),
        (ExpectFact(fact="price", value=Decimal(89), unit="USD"), "89 USD", False),
    ],
)
def test_facts_are_typed_and_no_substrings(fact: ExpectFact, said: str, right: bool) -> None:
    assert (list(fact_faults(fact, said)) == []) == right


def test_samples_are_of_their_type() -> None:
    from hypothesis import given

    from tests.strategies import cores

    @given(cores())
    def check(core: Core) -> None:
        for tool in core.tools:
            for param in tool.params:
                problem = check_value(sample(param.type, core), param.type, core)
                assert problem is None or "matching" in problem

    check()


@pytest.mark.parametrize(
    "type_",
    [
        StringType(pattern=r"^[A-Z]{2}-\d{3}$"),
        StringType(pattern=r"^(tea|coffee)$", min_length=4),
        StringType(pattern=r"^(tea|mate)$", min_length=4),
        StringType(pattern=r"^[^a-z\s]+$"),
        StringType(pattern=r"^\S+@\S+\.(com|org)$", max_length=12),
        StringType(pattern=r"^[a-f0-9]+$", min_length=10),
        StringType(pattern=r"ab$", min_length=5),
        StringType(pattern=r"^ab", min_length=5),
        StringType(pattern=r"^[\u4e00-\u9fff]{2,4}$"),
        StringType(pattern=r"^a?b*c+?.[^x]$"),
        StringType(format="email"),
        StringType(format="hostname"),
        StringType(format="uri"),
        StringType(format="uuid"),
        StringType(min_length=3),
        StringType(max_length=0),
    ],
)
def test_a_sample_of_a_text_fits_its_pattern_or_format(type_: StringType) -> None:
    assert check_value(sample(type_, shop()), type_, shop()) is None


def test_no_sample_is_found_where_there_is_none() -> None:
    impossible = StringType(pattern=r"^a+$", max_length=0)
    assert check_value(sample(impossible, shop()), impossible, shop()) is not None
