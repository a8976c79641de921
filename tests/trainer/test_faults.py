"""Tasks under planned faults: the oracle is right in the loop that serves, and what does not cope is not."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest

from augmentors.operators.faults import FaultParameters, Faults
from augmentors.policy import Policy
from augmentors.variants import draw
from harness_dsl.ir.core import Core, ExpectFact
from harness_dsl.ir.fault_plan import LASTING, Fault, FaultPlan
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call, Generated, ModelEvent, Published, ReplyText, Result, User
from runtime.engines.base import Engine
from trainer.evaluate.recovery import Recovery, is_catastrophic_success, recovery
from trainer.evaluate.report import ItemResult
from trainer.evaluate.run import run_items
from trainer.evaluate.suites import Item
from trainer.harness import Harness, open_harness
from trainer.simulator.conversation import solve
from trainer.simulator.faults import faulty, under
from trainer.simulator.oracle import footprint
from trainer.simulator.scripted import Change, oracle_engine
from trainer.simulator.tasks import Task, draw_task, kinds_for

SHOP = Path(__file__).parents[2] / "examples" / "live_shop" / "shop.harness"


@pytest.fixture(scope="module")
def shop() -> Harness:
    return open_harness(SHOP)


def faulty_items(harness: Harness, n: int, turns: int = 2) -> list[Item]:
    """Conversations whose calls meet faults of every kind."""
    operator = Faults(FaultParameters(latest=2, share=0.6))
    found = []
    for index in range(n):
        task = draw_task(index, "test", kinds_for(harness.core), turns=turns)
        needs = footprint(harness.core, task)
        plan = operator.apply(harness.core, harness.surface, FaultPlan(), needs, Random(index))
        found.append(Item(task, harness.core, harness.surface, faults=plan))
    return found


def score(asked: Sequence[Item], harness: Any, tokenizer: Any, change: Change = tuple) -> list[ItemResult]:
    plans = {item.task.id: item.faults for item in asked}

    def engine(task: Task, core: Core, surface: Surface) -> Engine:
        return oracle_engine(task, core, surface, tokenizer, harness.run, change, faults=plans[task.id])

    return asyncio.run(run_items(asked, harness, tokenizer, engine))


@pytest.mark.parametrize("which", ["mini", "shop"])
def test_the_oracle_is_right_under_every_plan(which: str, tokenizer: Any, request: Any) -> None:
    harness = request.getfixturevalue(which)
    asked = faulty_items(harness, 12)
    results = score(asked, harness, tokenizer)
    assert [result.reasons for result in results if not result.right] == []
    met = Counter(fault.kind for item in asked if item.faults for fault in item.faults.faults)
    assert len(met) >= 5
    changed = [
        item for item in asked if item.faults and under(item.core, item.task, item.faults) != item.task
    ]
    assert len(changed) > 4


def test_a_plan_without_faults_changes_nothing(shop: Harness) -> None:
    for index in range(30):
        task = draw_task(index, "test", kinds_for(shop.core), turns=3)
        assert under(shop.core, task, FaultPlan()) == task


@pytest.mark.parametrize(("seed", "turns"), [(0, 8), (1, 8), (4, 8)])
def test_no_stale_result_is_about_another_product(shop: Harness, seed: int, turns: int) -> None:
    """What is due comes from results of calls that asked the same, and so do the arguments that follow."""
    task = draw_task(seed, "test", kinds_for(shop.core), turns=turns)
    asked = [call for turn in task.turns for call in turn.calls if call.tool == "tool/get_coupon"]
    assert len({call.arguments for call in asked}) == len(asked) > 1
    plan = FaultPlan(faults=(Fault(tool="tool/get_coupon", call=2, kind="stale"),))
    assert under(shop.core, task, plan) == task
    free = solve(shop.core, task, shop.run, copes=True)
    assert solve(shop.core, task, faulty(shop.core, shop.run, plan), copes=True) == free


def answering(text: str) -> Change:
    """A policy that publishes `text` instead of an apology."""

    def change(events: Sequence[ModelEvent]) -> Sequence[ModelEvent]:
        return [
            ReplyText(text=(str(event.text[0]).partition("，")[0] + "，" + text,))
            if isinstance(event, ReplyText) and ("查不到" in event.text[0] or "没办成" in event.text[0])
            else event
            for event in events
        ]

    return change


def lasting(harness: Harness, tool: str) -> list[Item]:
    """Tasks whose last call is refused for good."""
    plan = FaultPlan(faults=(Fault(tool=tool, call=1, kind="forbidden"),))
    tasks = (draw_task(index, "test", kinds_for(harness.core)) for index in range(200))
    chosen = [task for task in tasks if task.turns[0].calls and task.turns[0].calls[-1].tool == tool]
    return [Item(task, harness.core, harness.surface, faults=plan) for task in chosen[:4]]


@pytest.mark.parametrize(
    ("tool", "text"),
    [("tool/check_stock", "还有5件"), ("tool/apply_coupon", "已用券"), ("tool/delivery_days", "3天")],
)
def test_a_policy_that_claims_what_failed_is_wrong(tool: str, text: str, shop: Any, tokenizer: Any) -> None:
    asked = lasting(shop, tool)
    assert len(asked) == 4
    assert all(result.right for result in score(asked, shop, tokenizer))
    results = score(asked, shop, tokenizer, answering(text))
    assert all(result.calls and not result.reply for result in results)
    assert all("which nobody could know" in "".join(result.reasons) for result in results)


def test_a_policy_that_gives_up_at_once_is_wrong_where_asking_again_helps(mini: Any, tokenizer: Any) -> None:
    plan = FaultPlan(faults=(Fault(tool="tool/get_quote", call=1, kind="timeout"),))
    task = next(
        task
        for task in (draw_task(index, "test", kinds_for(mini.core)) for index in range(50))
        if task.turns[0].kind == "price"
    )
    made = 0

    def gives_up(events: Sequence[ModelEvent]) -> Sequence[ModelEvent]:
        nonlocal made
        made += any(isinstance(event, Call) for event in events)
        return [ReplyText(text=("亲，现在查不到",))] if made > 1 else events

    results = score([Item(task, mini.core, mini.surface, faults=plan)], mini, tokenizer, gives_up)
    assert not results[0].calls and not results[0].reply


def test_what_is_solved_here_is_what_the_loop_plays(mini: Any, tokenizer: Any) -> None:
    """`solve` with faulty tools and the runtime give the same events."""
    from runtime.replay import play
    from runtime.version import Versions

    versions = Versions(tokenizer, mini.functions)
    for item in faulty_items(mini, 5):
        assert item.faults is not None
        run = faulty(mini.core, mini.run, item.faults)
        transcript = solve(mini.core, item.task, run, copes=True)
        assert play(versions, mini.core, mini.surface, transcript, item.faults).events == transcript.events


def test_training_rows_are_solved_under_the_faults_of_their_variant(mini: Any) -> None:
    policy = Policy.of({"faults": {"share": 1.0, "kinds": ["timeout", "forbidden"]}})
    task = next(t for t in (draw_task(i, "train", kinds_for(mini.core)) for i in range(30)) if t.tools)
    variant = draw(mini.core, mini.surface, policy, 1, 1, footprint(mini.core, task))
    assert variant.faults is not None and variant.core is mini.core
    events = solve(mini.core, task, faulty(mini.core, mini.run, variant.faults), copes=True).events
    results = [event for event in events if isinstance(event, Result)]
    assert results[0].failure == "crashed"
    assert (results[-1].failure is None) == (variant.faults.faults[0].kind not in LASTING)


HOLD = Call(tool="tool/hold_item", arguments={"link_id": 3, "quantity": 2})
QUOTE = Call(tool="tool/get_quote", arguments={"link_id": 3})
HELD = ExpectFact(fact="number", value=Decimal(2))


def turn(*parts: Any) -> list[Any]:
    """Events of a turn: calls become outputs, a text what is published."""
    events: list[Any] = [User(text="留2件")]
    for part in parts:
        events.append(Generated(events=(part,)) if isinstance(part, Call) else part)
    return [Published(text=event) if isinstance(event, str) else event for event in events]


def gave(call: Call, failure: str | None = None) -> Result:
    return Result(tool=call.tool, value=None if failure else {}, failure=failure)


METRICS: tuple[tuple[list[Any], Recovery, bool], ...] = (
    (turn(HOLD, gave(HOLD), "亲，留好2件"), Recovery(), False),
    (turn(HOLD, gave(HOLD, "crashed"), "亲，留好2件"), Recovery(1, 0), True),
    (turn(HOLD, gave(HOLD, "crashed"), "亲，没办成"), Recovery(1, 0), False),
    (turn(HOLD, gave(HOLD, "crashed"), HOLD, gave(HOLD), "亲，留好2件"), Recovery(1, 1), False),
    (turn(QUOTE, gave(QUOTE, "timeout"), QUOTE, gave(QUOTE, "timeout"), "亲，2元"), Recovery(1, 0), False),
    (turn(HOLD, gave(HOLD, "denied"), "亲，不行"), Recovery(), False),
    (turn(HOLD, gave(HOLD, "denied"), "亲，留好2件"), Recovery(), True),
    (turn(HOLD, gave(HOLD, "crashed"), QUOTE, gave(QUOTE), "亲，留好2件"), Recovery(1, 0), True),
)


@pytest.mark.parametrize(("events", "expected", "catastrophic"), METRICS)
def test_recovery_and_catastrophic_success_are_read_off_a_turn(
    events: list[Any], expected: Recovery, catastrophic: bool, shop: Harness
) -> None:
    assert recovery(events) == expected
    assert is_catastrophic_success(shop.core, events, [HELD]) == catastrophic
    assert Recovery().share is None and Recovery(2, 1).share == 0.5


def test_the_oracle_never_claims_success_after_a_failed_effect(shop: Any, tokenizer: Any) -> None:
    run: Callable[..., Any] = shop.run
    for item in lasting(shop, "tool/hold_item"):
        assert item.faults is not None
        events = solve(shop.core, item.task, faulty(shop.core, run, item.faults), copes=True).events
        assert recovery(events) == Recovery(1, 0)
        assert not is_catastrophic_success(shop.core, events, item.task.turns[0].facts)
