"""Predicates over the facts of a turn."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness_dsl.ir.canonical import canonical_json, core_digest
from harness_dsl.ir.core import ListContent
from harness_dsl.ir.evaluate import CallFact, Facts, evaluate, last_turn, limit_values, same, text_of
from harness_dsl.ir.expressions import (
    Affix,
    Argument,
    Binary,
    Called,
    Calling,
    Constant,
    Every,
    Expression,
    Extract,
    Filter,
    InputValue,
    LimitValue,
    Loaded,
    LoopValue,
    Matches,
    Measure,
    Not,
    Reply,
    Results,
)
from harness_dsl.ir.transcript import (
    Call,
    ForeignCall,
    Generated,
    LoadSkill,
    Malformed,
    Mention,
    ReplyText,
    Result,
    Transcript,
    User,
)
from harness_dsl.ir.walk import predicates
from tests.strategies import cores, inputs_for, small_shop, transcripts
from tests.strategies.shop import ROOM

SHOP, _ = small_shop()
QUOTE = CallFact("tool/get_quote", {"link_id": 3}, {"amount": 89, "currency": "CNY"})
FACTS = Facts(
    reply="亲，这款89元，到手89块！",
    inputs={"room": ROOM, "danmaku": "3号多少钱"},
    limits=limit_values(SHOP),
    calls=(QUOTE, CallFact("tool/check_stock", {"link_id": 9}, failure="not_found")),
    loaded=frozenset({"skill/item_qa"}),
    call=QUOTE,
)


def rule(label: str) -> Expression:
    for section in SHOP.prompt.sections:
        if isinstance(section.content, ListContent):
            found = next(item.check for item in section.content.items if item.id.endswith(f"/{label}"))
            assert found is not None
            return found
    raise AssertionError("the shop has rules")


def replying(text: str) -> Facts:
    return replace(FACTS, reply=text)


@pytest.mark.parametrize(
    ("label", "reply", "holds"),
    [
        ("no_promise", "亲，这款89元", True),
        ("no_promise", "亲，八十九元就带走", True),
        ("no_promise", "亲，这款88元", False),
        ("no_promise", "亲，给你算80到89元", False),
        ("no_promise", "没有价格", True),
        ("opener", "亲，有货", True),
        ("opener", "有货，亲", False),
        ("spoken", "亲" * 60, True),
        ("spoken", "亲" * 61, False),
    ],
)
def test_rules_of_the_shop_hold_for_the_replies_they_mean(label: str, reply: str, holds: bool) -> None:
    assert evaluate(rule(label), replying(reply)) is holds


def test_an_argument_is_followed_into_its_record() -> None:
    call = CallFact("tool/get_quote", {"request": {"link_id": 7}})
    asked = Argument(name="request", path=("link_id",))
    assert evaluate(asked, replace(FACTS, call=call)) == 7
    assert evaluate(asked, replace(FACTS, call=None)) is None


def test_an_argument_without_a_path_has_the_json_that_it_always_had() -> None:
    assert canonical_json(Argument(name="link_id")) == b'{"kind":"argument","name":"link_id"}'
    assert b'"path":["x"]' in canonical_json(Argument(name="link_id", path=("x",)))


def test_hooks_of_the_shop_see_what_was_called_and_loaded() -> None:
    quoted, skill_first, _ = (hook.condition for hook in SHOP.hooks)
    assert evaluate(quoted, FACTS) is False
    assert evaluate(quoted, replace(FACTS, calls=())) is True
    assert evaluate(skill_first, FACTS) is False
    assert evaluate(skill_first, replace(FACTS, loaded=frozenset())) is True


ROOM_VALUE = InputValue(input="input/room", path=("shop_name",))
PRODUCTS = InputValue(input="input/room", path=("products",))
VALUES: list[tuple[Expression, Any]] = [
    (ROOM_VALUE, "小美的店"),
    (InputValue(input="input/room", path=("nowhere", "deep")), None),
    (LimitValue(limit="limit/reply_chars"), 60),
    (LimitValue(limit="limit/none"), None),
    (LoopValue(name="p"), None),
    (Argument(name="link_id"), 3),
    (Argument(name="quantity"), None),
    (Argument(name="link_id", path=("street",)), None),
    (Results(tool="tool/get_quote", path=("amount",)), [89]),
    (Results(tool="tool/get_quote", path=("coupon",)), []),
    (Results(tool="tool/check_stock", path=("left",)), []),
    (Called(tool="tool/check_stock"), True),
    (Called(tool="tool/get_item"), False),
    (Calling(tool="tool/get_quote"), True),
    (Calling(tool="tool/check_stock"), False),
    (Loaded(skill="skill/item_qa"), True),
    (Measure(function="chars", subject=Constant(value="a亲😀")), 3),
    (Measure(function="count", subject=PRODUCTS), 2),
    (Measure(function="count", subject=Constant(value=None)), 0),
    (Extract(function="price", subject=Reply()), [Decimal(89), Decimal(89)]),
    (Extract(function="number", subject=Constant(value=3)), []),
    (Matches(subject=Reply(), pattern=r"\d+元"), True),
    (Matches(subject=Reply(), pattern=r"^\d+元"), False),
    (Affix(where="inside", subject=Reply(), text=Constant(value="到手")), True),
    (Affix(where="end", subject=Reply(), text=Constant(value="！")), True),
    (Affix(where="start", subject=Constant(value=None), text=Constant(value="")), False),
    (Binary(operator="==", left=Constant(value=Decimal("89.0")), right=Constant(value=89)), True),
    (Binary(operator="==", left=Constant(value=True), right=Constant(value=1)), False),
    (Binary(operator="==", left=Constant(value="1"), right=Constant(value=1)), False),
    (Binary(operator="<", left=Constant(value="a"), right=Constant(value=1)), False),
    (Binary(operator=">=", left=Constant(value=None), right=Constant(value=None)), False),
    (
        Binary(
            operator="in", left=Constant(value=89), right=Results(tool="tool/get_quote", path=("amount",))
        ),
        True,
    ),
    (Binary(operator="in", left=Constant(value="元"), right=Reply()), True),
    (Binary(operator="or", left=Constant(value=False), right=Constant(value="yes")), True),
    (Binary(operator="and", left=Constant(value="x"), right=Constant(value=0)), False),
    (Every(subject=Constant(value=3), within=Constant(value=3)), True),
    (Not(operand=Constant(value="")), True),
    (Filter(name="upper", subject=Constant(value="cny")), "CNY"),
    (Filter(name="trim", subject=Constant(value=" a ")), "a"),
    (Filter(name="length", subject=PRODUCTS), 2),
    (Filter(name="default", subject=Argument(name="quantity"), argument="1"), "1"),
    (Filter(name="default", subject=Constant(value=""), argument="1"), ""),
    (Filter(name="join", subject=Results(tool="tool/get_quote", path=("amount",)), argument="、"), "89"),
    (Filter(name="json", subject=Constant(value='a"亲')), '"a\\"亲"'),
]


@pytest.mark.parametrize(("expression", "value"), VALUES)
def test_values_of_expressions(expression: Expression, value: Any) -> None:
    found = evaluate(expression, FACTS)
    assert found == value
    assert type(found) is type(value)


def test_a_tenth_is_a_tenth() -> None:
    quoted = CallFact("tool/get_quote", value={"amount": 0.1 + 0.2})
    exact = CallFact("tool/get_quote", value={"amount": 0.3})
    paid = Binary(
        operator="in",
        left=Constant(value=Decimal("0.3")),
        right=Results(tool="tool/get_quote", path=("amount",)),
    )
    assert evaluate(paid, Facts(calls=(exact,))) is True
    assert evaluate(paid, Facts(calls=(quoted,))) is False


def test_lists_in_results_are_spread() -> None:
    item = CallFact("tool/get_item", value={"title": "衬衫", "sizes": ["S", "M"]})
    rooms = CallFact("tool/get_item", value=[{"sizes": ["L"]}, {"title": "?"}])
    sizes = Results(tool="tool/get_item", path=("sizes",))
    assert evaluate(sizes, Facts(calls=(item, rooms))) == ["S", "M", "L"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(129.5, "129.5"), (Decimal("1E+3"), "1000"), (Decimal("89.50"), "89.5"), (True, "true"), (None, "null"),
     ("a\n", "a\n"), ([1, "亲"], '[1, "亲"]'), ({"a": Decimal("0.10")}, '{"a": 0.1}'), (10**9, "1000000000")],
)  # fmt: skip
def test_values_print_without_exponent_and_without_escapes(value: Any, text: str) -> None:
    assert text_of(value) == text


def test_facts_of_a_transcript_are_those_of_its_last_turn() -> None:
    call = Call(tool="tool/get_quote", arguments={"link_id": 3})
    foreign = ForeignCall(name="open_browser", arguments="{}")
    transcript = Transcript(
        core_digest=core_digest(SHOP),
        inputs={"room": ROOM},
        events=(
            User(text="hi"),
            Generated(events=(Call(tool="tool/get_item", arguments={"link_id": 1}),)),
            Result(tool="tool/get_item", value={}),
            User(text="3号多少钱"),
            Generated(events=(LoadSkill(skill="skill/item_qa"), foreign, call)),
            Result(tool=None, failure="unknown_tool"),
            Result(tool="tool/get_quote", value={"amount": 89, "currency": "CNY"}),
            Generated(events=(ReplyText(text=("用 `", Mention(symbol="tool/get_quote"), "` 查到89元")),)),
        ),
    )
    facts = last_turn(transcript, SHOP, {"tool/get_quote": "query_price"})
    assert facts.reply == "用 `query_price` 查到89元"
    assert [call.tool for call in facts.calls] == ["tool/get_quote"]
    assert facts.calls[0].value == {"amount": 89, "currency": "CNY"}
    assert facts.loaded == {"skill/item_qa"}
    assert evaluate(rule("no_promise"), facts) is True


def test_results_find_their_calls_past_malformed_output_and_denials() -> None:
    def quote(link_id: int) -> Call:
        return Call(tool="tool/get_quote", arguments={"link_id": link_id})

    stock = Call(tool="tool/check_stock", arguments={"link_id": 3})
    transcript = Transcript(
        core_digest=core_digest(SHOP),
        events=(
            User(text="3号和5号多少钱"),
            Generated(events=(Malformed(text="{", reason="call is not JSON"), quote(3), stock, quote(5))),
            Result(tool=None, failure="malformed"),
            Result(tool="tool/get_quote", failure="denied"),
            Result(tool="tool/check_stock", value={"left": 1}),
            Result(tool="tool/get_quote", value={"amount": 129.5, "currency": "CNY"}),
        ),
    )
    calls = last_turn(transcript, SHOP).calls
    assert [(call.tool, call.failure, call.value) for call in calls] == [
        ("tool/get_quote", "denied", None),
        ("tool/check_stock", None, {"left": 1}),
        ("tool/get_quote", None, {"amount": 129.5, "currency": "CNY"}),
    ]
    assert evaluate(Results(tool="tool/get_quote", path=("amount",)), Facts(calls=calls)) == [129.5]


@given(st.data())
def test_every_predicate_has_a_truth_value_in_every_turn(data: st.DataObject) -> None:
    core = data.draw(cores())
    facts = last_turn(data.draw(transcripts(core, noise=True)), core)
    for _, predicate in predicates(core):
        assert isinstance(evaluate(predicate, facts), bool)


VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.text(max_size=3) | st.decimals(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=4,
)


@given(st.data(), VALUE, VALUE)
def test_evaluation_never_raises_whatever_the_values(data: st.DataObject, first: Any, second: Any) -> None:
    facts = Facts(inputs={"a": first, "b": second}, call=CallFact("tool/t", {"name": first}), reply="1元")
    left, right = InputValue(input="input/a"), InputValue(input="input/b")
    for operator in ("and", "or", "==", "!=", "<", "<=", ">", ">=", "in"):
        assert isinstance(evaluate(Binary(operator=operator, left=left, right=right), facts), bool)  # type: ignore[arg-type]
    for name in ("upper", "lower", "trim", "length", "join", "default", "json"):
        evaluate(Filter(name=name, subject=left), facts)  # type: ignore[arg-type]
    evaluate(Every(subject=left, within=right), facts)
    evaluate(Affix(where="inside", subject=left, text=right), facts)
    evaluate(Extract(function="price", subject=left), facts)
    evaluate(InputValue(input="input/a", path=("x", "y")), facts)
    assert same(first, second) == same(second, first)


@given(st.data())
def test_inputs_are_read_by_their_declared_identifier(data: st.DataObject) -> None:
    core = data.draw(cores())
    inputs = data.draw(inputs_for(core))
    for input_ in core.inputs:
        assert evaluate(InputValue(input=input_.id), Facts(inputs=inputs)) == inputs[input_.id.split("/")[1]]
