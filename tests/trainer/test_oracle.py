"""The oracle is right everywhere, through the loop that serves; policies that miss the point are right
nowhere.
"""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from augmentors.identifiers import words
from augmentors.policy import Policy
from augmentors.registry import OPERATORS
from augmentors.variants import draw
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import ModelEvent, ReplyText
from harness_dsl.protocol import Protocol
from runtime.engines.base import Engine
from runtime.engines.scripted import ScriptedEngine
from trainer.evaluate.report import ItemResult
from trainer.evaluate.run import EngineFor, run_items
from trainer.evaluate.suites import Item, items
from trainer.simulator.conversation import solve
from trainer.simulator.oracle import footprint, opener
from trainer.simulator.scripted import oracle_engine
from trainer.simulator.tasks import Task, draw_task, kinds_for

EXAMPLES = Path(__file__).parents[2] / "examples" / "live_shop"
EVERYTHING = Policy.default().with_pool("held-out")


def score(asked: Sequence[Item], mini: Any, tokenizer: Any, engine_for: EngineFor) -> list[ItemResult]:
    return asyncio.run(run_items(asked, mini, tokenizer, engine_for))


def oracle(mini: Any, tokenizer: Any, change: Callable[[Core], Any] = lambda core: tuple) -> EngineFor:
    def engine(task: Task, core: Core, surface: Surface) -> Engine:
        return oracle_engine(task, core, surface, tokenizer, mini.run, change(core))

    return engine


def varied(mini: Any, n: int) -> list[Item]:
    """Conversations of three turns under Surfaces of every operator."""
    core, surface, kinds = mini.core, mini.surface, kinds_for(mini.core)
    found = []
    for index in range(n):
        task = draw_task(index, "test", kinds, turns=3)
        variant = draw(core, surface, EVERYTHING, 3, index)
        found.append(Item(task, variant.core, variant.surface))
    return found


@pytest.mark.parametrize("suite", ["own", "variants", "uptake"])
def test_the_oracle_is_right_on_every_item_of_every_suite(suite: Any, mini: Any, tokenizer: Any) -> None:
    results = score(list(items(mini, suite, 40, seed=1)), mini, tokenizer, oracle(mini, tokenizer))
    assert [result.reasons for result in results if not result.right] == []
    assert len({result.kind for result in results}) == len(kinds_for(mini.core))
    assert all(result.before is (True if suite == "uptake" else None) for result in results)


def test_the_oracle_is_right_under_random_surfaces(mini: Any, tokenizer: Any) -> None:
    results = score(varied(mini, 60), mini, tokenizer, oracle(mini, tokenizer))
    assert [result.reasons for result in results if not result.right] == []
    assert len({result.surface_digest for result in results}) > 50


def test_the_oracle_is_right_in_refactored_harnesses(mini: Any, tokenizer: Any) -> None:
    refactorings = [name for name, operator in OPERATORS.items() if operator.kind == "refactoring"]
    policy = Policy.of({**{name: {} for name in refactorings}, "rename": {}, "limits": {}})
    asked = []
    for index in range(16):
        task = draw_task(index, "test", kinds_for(mini.core), turns=3)
        variant = draw(mini.core, mini.surface, policy, 3, index, footprint(mini.core, task))
        assert variant.adapter is not None
        asked.append(Item(task, variant.core, variant.surface, adapter=variant.adapter))
    adapters = {id(item.surface): item.adapter for item in asked}

    def engine(task: Task, core: Core, surface: Surface) -> Engine:
        return oracle_engine(
            task, core, surface, tokenizer, mini.run, aloud=True, adapter=adapters[id(surface)]
        )

    results = score(asked, mini, tokenizer, engine)
    assert [result.reasons for result in results if not result.right] == []
    assert len({result.core_digest for result in results}) > 8


def test_thoughts_name_the_tool_as_it_is_shown_and_are_not_published(mini: Any, tokenizer: Any) -> None:
    def aloud(task: Task, core: Core, surface: Surface) -> Engine:
        return oracle_engine(task, core, surface, tokenizer, mini.run, aloud=True)

    asked = list(items(mini, "variants", 20, seed=8))
    assert all(result.right for result in score(asked, mini, tokenizer, aloud))
    for item in asked:
        protocol = Protocol(item.core, item.surface, tokenizer)
        text = tokenizer.decode(protocol.replay(solve(item.core, item.task, mini.run, aloud=True)).ids)
        thoughts = [piece.split("</think>")[0] for piece in text.split("<think>")[1:]]
        assert len(thoughts) == len(item.task.turns[0].calls)
        prompt = text.split("<|im_end|>")[0]
        assert all(f"{thought.strip()}(" in prompt for thought in thoughts)


def test_a_policy_that_knows_only_the_old_names_fails_every_renamed_call(mini: Any, tokenizer: Any) -> None:
    def old_names(task: Task, core: Core, surface: Surface) -> Engine:
        return oracle_engine(task, core, mini.surface, tokenizer, mini.run)

    asked = [item for item in items(mini, "variants", 60, seed=2) if item.task.tools]
    results = score(asked, mini, tokenizer, old_names)
    assert len(results) > 40 and not any(result.right or result.calls for result in results)


def test_a_policy_that_ignores_the_rule_fails_every_changed_rule(mini: Any, tokenizer: Any) -> None:
    def keeps_the_old_opener(core: Core) -> Callable[[Sequence[ModelEvent]], Sequence[ModelEvent]]:
        def change(events: Sequence[ModelEvent]) -> Sequence[ModelEvent]:
            return [
                ReplyText(text=(str(event.text[0]).replace(opener(core), opener(mini.core)),))
                if isinstance(event, ReplyText)
                else event
                for event in events
            ]

        return change

    results = score(
        list(items(mini, "uptake", 40, seed=3)),
        mini,
        tokenizer,
        oracle(mini, tokenizer, keeps_the_old_opener),
    )
    assert all(result.before and result.calls and not result.right for result in results)
    assert all("broke prompt/system/section/rules/opener" in result.reasons for result in results)


def test_silence_and_prompt_echo_score_nothing(mini: Any, tokenizer: Any) -> None:
    def silent(task: Task, core: Core, surface: Surface) -> Engine:
        return ScriptedEngine(lambda ids: (tokenizer.eos_id,))

    def echo(task: Task, core: Core, surface: Surface) -> Engine:
        return ScriptedEngine(lambda ids: (*ids[:40], tokenizer.eos_id))

    asked = list(items(mini, "own", 20, seed=4))
    for policy in (silent, echo):
        assert not any(result.right for result in score(asked, mini, tokenizer, policy))


def test_items_are_fixed_by_their_seed(mini: Any) -> None:
    first, again, other = (list(items(mini, "variants", 8, seed)) for seed in (5, 5, 6))
    assert first == again != other


def test_unseen_names_share_no_word_with_trained_ones(mini: Any) -> None:
    def words_of(surfaces: Sequence[Surface]) -> set[str]:
        names = [name for s in surfaces for id_, name in s.names.items() if id_.startswith("tool/")]
        return {word for name in names for word in words(name)}

    training = Policy.load(EXAMPLES / "configs" / "hsa.policy.yaml")
    trained = words_of([draw(mini.core, mini.surface, training, 0, row).surface for row in range(300)])
    unseen = words_of([item.surface for item in items(mini, "variants", 100, seed=7)])
    assert len(trained) > 50 and len(unseen) > 25
    # The original Surface is trained on too, and `original` rows keep its names.
    assert unseen.isdisjoint(trained)
