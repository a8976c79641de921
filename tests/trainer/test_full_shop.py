"""The oracle and the full shop: skills, hooks and tools that write, through the loop that serves."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from augmentors.footprint import Footprint
from augmentors.policy import Policy
from augmentors.variants import draw
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from runtime.engines.base import Engine
from trainer.evaluate.run import run_items
from trainer.evaluate.suites import Item, items
from trainer.harness import open_harness
from trainer.simulator.conversation import solve
from trainer.simulator.oracle import footprint
from trainer.simulator.scripted import oracle_engine
from trainer.simulator.tasks import Task, draw_task, kinds_for

SHOP = Path(__file__).parents[2] / "examples" / "live_shop" / "shop.harness"


@pytest.fixture(scope="module")
def shop() -> Any:
    return open_harness(SHOP)


def reasons(asked: list[Item], shop: Any, tokenizer: Any) -> list[tuple[str, ...]]:
    def engine(task: Task, core: Core, surface: Surface) -> Engine:
        return oracle_engine(task, core, surface, tokenizer, shop.run)

    results = asyncio.run(run_items(asked, shop, tokenizer, engine))
    return [result.reasons for result in results if not result.right]


def test_every_kind_of_question_is_asked(shop: Any) -> None:
    assert {"apply_coupon", "hold", "delivery", "small_talk"} <= set(kinds_for(shop.core))


@pytest.mark.parametrize("suite", ["own", "uptake"])
def test_the_oracle_is_right(suite: Any, shop: Any, tokenizer: Any) -> None:
    assert reasons(list(items(shop, suite, 24, seed=1)), shop, tokenizer) == []


def test_a_task_needs_what_its_oracle_uses(shop: Any) -> None:
    for index in range(20):
        task = draw_task(index, "train", kinds_for(shop.core), turns=3)
        used = Footprint.used_by(solve(shop.core, task, shop.run))
        assert footprint(shop.core, task) == used
        assert any(id_.startswith("skill/") for id_ in used.symbols)


def test_the_oracle_is_right_where_all_that_a_task_does_not_need_is_hidden(shop: Any, tokenizer: Any) -> None:
    policy = Policy.of({"hide": {"share": 1.0}})
    asked = list(items(shop, "variants", 16, seed=1, policy=policy))
    assert any(id_.startswith("skill/") for item in asked for id_ in item.surface.hidden)
    assert reasons(asked, shop, tokenizer) == []


def test_the_oracle_is_right_under_random_surfaces_and_leaves_the_room_as_it_should_be(
    shop: Any, tokenizer: Any
) -> None:
    asked = []
    for index in range(10):
        task = draw_task(index, "test", kinds_for(shop.core), turns=4)
        variant = draw(shop.core, shop.surface, Policy.default(), 3, index)
        asked.append(Item(task, variant.core, variant.surface))
    assert any(item.task.final_room != item.task.inputs["room"] for item in asked)
    assert reasons(asked, shop, tokenizer) == []
