"""Harnesses without a tool that a task needs: the oracle says so, and what makes an answer up is wrong."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from augmentors.edits.remove_tool import RemoveTool
from augmentors.policy import Policy
from augmentors.variants import draw
from harness_dsl.ir.core import Core
from harness_dsl.ir.fault_plan import FaultPlan
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call, Generated, ModelEvent, ReplyText
from runtime.engines.base import Engine
from trainer.evaluate.report import ItemResult
from trainer.evaluate.run import run_items
from trainer.evaluate.suites import Item
from trainer.harness import open_harness
from trainer.simulator.conversation import solve
from trainer.simulator.faults import under
from trainer.simulator.oracle import footprint
from trainer.simulator.scripted import Change, oracle_engine
from trainer.simulator.tasks import Task, draw_task, kinds_for

SHOP = Path(__file__).parents[2] / "examples" / "live_shop" / "shop.harness"
REMOVING = Policy.of(
    {"remove-tool": {}, "rename": {}, "reorder": {}, "hide": {}, "faults": {"probability": 0.3}}
)


@pytest.fixture(scope="module")
def shop() -> Any:
    return open_harness(SHOP)


def asked(harness: Any, n: int, policy: Policy = REMOVING) -> list[Item]:
    found = []
    for index in range(n):
        task = draw_task(index, "test", kinds_for(harness.core), turns=2)
        needs = footprint(harness.core, task)
        variant = draw(harness.core, harness.surface, policy, 7, index, needs)
        found.append(Item(task, variant.core, variant.surface, faults=variant.faults))
    return found


def score(items: Sequence[Item], harness: Any, tokenizer: Any, change: Change = tuple) -> list[ItemResult]:
    plans = {item.task.id: item.faults for item in items}

    def engine(task: Task, core: Core, surface: Surface) -> Engine:
        return oracle_engine(task, core, surface, tokenizer, harness.run, change, faults=plans[task.id])

    return asyncio.run(run_items(items, harness, tokenizer, engine))


def lacks(item: Item) -> bool:
    return not item.task.tools <= {tool.id for tool in item.core.tools}


@pytest.mark.parametrize("which", ["mini", "shop"])
def test_the_oracle_is_right_without_a_tool(which: str, tokenizer: Any, request: Any) -> None:
    harness = request.getfixturevalue(which)
    items = asked(harness, 12)
    assert [result.reasons for result in score(items, harness, tokenizer) if not result.right] == []
    assert sum(map(lacks, items)) > 2


@pytest.mark.parametrize("which", ["mini", "shop"])
def test_the_oracle_keeps_a_new_rule(which: str, tokenizer: Any, request: Any) -> None:
    harness = request.getfixturevalue(which)
    items = asked(harness, 8, Policy.of({"add-rule": {"pool": "any"}, "remove-tool": {"probability": 0.3}}))
    assert [result.reasons for result in score(items, harness, tokenizer) if not result.right] == []


def test_a_policy_that_does_not_read_the_new_rule_is_wrong(mini: Any, tokenizer: Any) -> None:
    def engine(task: Task, core: Core, surface: Surface) -> Engine:
        return oracle_engine(task, mini.core, mini.surface, tokenizer, mini.run)

    items = asked(mini, 6, Policy.of({"add-rule": {"only": ["thanks_last", "full_stop_last"]}}))
    results = asyncio.run(run_items(items, mini, tokenizer, engine))
    assert all(result.calls and not result.reply for result in results)
    assert all("_last" in "".join(result.reasons) for result in results)


def test_what_is_due_is_computed_from_the_new_core_alone(mini: Any) -> None:
    """No call of the tool, no fact of it; every other turn as before; and nothing moves in the room."""
    for index in range(30):
        task = draw_task(index, "test", kinds_for(mini.core), turns=3)
        core = RemoveTool(tool="tool/check_stock").applied(mini.core)
        due = under(core, task, FaultPlan())
        for before, after in zip(task.turns, due.turns, strict=True):
            if before.kind == "stock":
                assert (after.calls, after.absent) == ((), before.facts)
            else:
                assert after == before
        outputs = (e for e in solve(core, task, mini.run).events if isinstance(e, Generated))
        made = [one for output in outputs for one in output.events if isinstance(one, Call)]
        assert all(call.tool != "tool/check_stock" for call in made)


def test_a_policy_that_makes_an_answer_up_is_wrong(mini: Any, tokenizer: Any) -> None:
    def invents(events: Sequence[ModelEvent]) -> Sequence[ModelEvent]:
        return [
            ReplyText(text=(str(event.text[0]).replace("现在查不到", "8件"),))
            if isinstance(event, ReplyText)
            else event
            for event in events
        ]

    core = RemoveTool(tool="tool/check_stock").applied(mini.core)
    tasks = (draw_task(index, "test", kinds_for(mini.core)) for index in range(60))
    chosen = [task for task in tasks if task.turns[0].kind == "stock"][:6]
    items = [Item(task, core, mini.surface) for task in chosen]
    assert all(result.right for result in score(items, mini, tokenizer))
    results = score(items, mini, tokenizer, invents)
    assert results and all(result.calls and not result.reply for result in results)


def test_a_policy_that_calls_the_tool_that_is_gone_is_wrong(mini: Any, tokenizer: Any) -> None:
    def engine(task: Task, core: Core, surface: Surface) -> Engine:
        return oracle_engine(task, mini.core, mini.surface, tokenizer, mini.run)

    edit = RemoveTool(tool="tool/delivery_days")
    core, surface = edit.applied(mini.core), edit.shown(mini.core, mini.surface)
    tasks = (draw_task(index, "test", kinds_for(mini.core)) for index in range(60))
    items = [Item(task, core, surface) for task in tasks if task.turns[0].kind == "delivery"][:4]
    results = asyncio.run(run_items(items, mini, tokenizer, engine))
    assert results and not any(result.calls or result.right for result in results)
