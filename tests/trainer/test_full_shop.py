"""The oracle and the full shop: skills, hooks and tools that write, through the loop that serves."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from augmentors.policy import Policy
from augmentors.variants import draw
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from runtime.engines.base import Engine
from trainer.evaluate.run import run_items
from trainer.evaluate.suites import Item, items
from trainer.harness import open_harness
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
