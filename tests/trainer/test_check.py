"""The check of a turn: what is missing, contradicted, called too much or left broken is named."""

from decimal import Decimal
from typing import Any

import pytest

from harness_dsl.ir.core import ExpectFact
from harness_dsl.ir.statements import fact_faults
from harness_dsl.ir.transcript import (
    Call,
    Event,
    ForeignCall,
    Generated,
    Malformed,
    Published,
    ReplyText,
    Result,
)
from trainer.simulator.check import Verdict, check_turn
from trainer.simulator.tasks import Task, Turn, draw_task

PRICE = ExpectFact(fact="price", value=Decimal(89), unit="CNY")
LEFT = ExpectFact(fact="number", value=Decimal(12), unit="件")
COTTON = ExpectFact(fact="text", value="纯棉")


@pytest.mark.parametrize(
    ("fact", "said", "wrong"),
    [
        (PRICE, "亲，89元", False),
        (PRICE, "亲，八十九块", False),
        (PRICE, "亲，89", True),
        (PRICE, "亲，98元", True),
        (PRICE, "亲，89元，平时129元", True),
        (PRICE, "亲，189元", True),
        (LEFT, "亲，12件", False),
        (LEFT, "亲，112件", True),
        (LEFT, "亲，12件，3天到", True),
        (COTTON, "亲，纯棉", False),
        (COTTON, "亲，纯棉，不是羊毛", True),
        (COTTON, "亲，羊毛", True),
    ],
)
def test_a_fact_is_stated_alone_or_not_at_all(fact: ExpectFact, said: str, wrong: bool) -> None:
    assert bool(list(fact_faults(fact, said, rivals=("羊毛", "真丝")))) is wrong


@pytest.fixture
def task() -> Task:
    return draw_task(0, "test", ["price"])


def events(turn: Turn, reply: str, *output: Any, value: Any = None) -> tuple[Event, ...]:
    call = turn.calls[0]
    made = output or (Call(tool=call.tool, arguments=dict(call.arguments)),)
    amount = turn.facts[0].value if value is None else value
    result = Result(tool="tool/get_quote", value={"amount": int(amount)})
    return (
        Generated(events=made),
        *(result for part in made if isinstance(part, Call)),
        Generated(events=(ReplyText(text=(reply,)),)),
        Published(text=reply),
    )


def verdict(mini: Any, task: Task, *more: Any, reply: str | None = None, value: Any = None) -> Verdict:
    turn = task.turns[0]
    said = f"亲，{turn.facts[0].value}元" if reply is None else reply
    return check_turn(mini.core, turn, events(turn, said, *more, value=value), task.inputs)


def test_the_right_turn_is_right(mini: Any, task: Task) -> None:
    assert verdict(mini, task) == Verdict()


@pytest.mark.parametrize("wrong", ["argument", "tool", "twice", "none", "foreign", "malformed"])
def test_any_other_call_is_wrong(wrong: str, mini: Any, task: Task) -> None:
    due = Call(tool=task.turns[0].calls[0].tool, arguments=dict(task.turns[0].calls[0].arguments))
    output: dict[str, tuple[Any, ...]] = {
        "argument": (due.model_copy(update={"arguments": {"link_id": 100}}),),
        "tool": (due.model_copy(update={"tool": "tool/check_stock"}),),
        "twice": (due, due),
        "none": (ReplyText(text=("亲",)),),
        "foreign": (ForeignCall(name="old_quote", arguments="{}"), due),
        "malformed": (Malformed(text="{", reason="no JSON"), due),
    }
    found = verdict(mini, task, *output[wrong])
    assert not found.calls and not found.right and found.reasons


def test_a_reply_that_breaks_a_rule_is_wrong(mini: Any, task: Task) -> None:
    amount = task.turns[0].facts[0].value
    found = verdict(mini, task, reply=f"老板，{amount}元")
    assert found.calls and not found.reply
    assert found.reasons == ("broke prompt/system/section/rules/opener",)


def test_a_price_that_no_result_gave_is_wrong(mini: Any, task: Task) -> None:
    found = verdict(mini, task, value=1)
    assert found.calls and found.reasons == ("broke prompt/system/section/rules/quoted",)


def test_silence_is_wrong(mini: Any, task: Task) -> None:
    assert verdict(mini, task, reply="").reasons == ("nothing was published",)


def test_a_room_that_was_left_otherwise_is_wrong() -> None:
    assert Verdict().with_room({"stock": 1}, {"stock": 1}).right
    assert not Verdict().with_room({"stock": 2}, {"stock": 1}).right
