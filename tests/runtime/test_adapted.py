"""Refactored harnesses in the loop: the original tools carry their calls out, and all goes as it did."""

import asyncio
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from augmentors.adapters.adapter import Adapter
from augmentors.adapters.group_parameters import GroupParameters
from augmentors.adapters.refactorings import shape
from augmentors.policy import Policy
from augmentors.registry import OPERATORS
from augmentors.rows import drawn
from harness_dsl.cli.main import main
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call, Event, Published, Transcript
from runtime.byte_tokenizer import byte_tokenizer
from runtime.replay import Played, play
from runtime.tools import Toolbox, TurnCalls
from runtime.version import Versions
from tests.runtime.recorded import EXAMPLES, example, recipe, recorded, written_to

SHOP = "live_shop/shop.harness"
NAMES = (SHOP, "bank_desk/desk.harness", "course_tutor/tutor.harness")
REFACTORING = [name for name, operator in OPERATORS.items() if operator.kind == "refactoring"]
POLICY = Policy.of({**{name: {} for name in REFACTORING}, "rename": {}, "reorder": {}})


@cache
def versions(name: str) -> Versions:
    harness = example(name)
    return Versions(byte_tokenizer(), harness.tools, harness.hooks, token_limits=False, patience=10)


def comparable(events: tuple[Event, ...]) -> list[Any]:
    """All that happened, but what hooks publish, which is worded by the Surface."""
    return [
        event.model_copy(update={"text": ""}) if isinstance(event, Published) and event.by else event
        for event in events
    ]


def back(adapter: Adapter, played: Played) -> list[Any]:
    """What was played, as it is in the harness that was refactored."""
    return comparable(adapter.back(Transcript(core_digest="", events=played.events)).events)


@pytest.mark.parametrize("name", NAMES)
def test_a_refactored_harness_is_run_by_the_tools_of_the_original(name: str) -> None:
    harness, rows = example(name), recipe(name, POLICY)
    for number, conversation in [*enumerate(recorded(name))][::6]:
        variant = drawn(rows, number)
        assert variant.adapter is not None
        versions(name).adapt(variant.adapter)
        there = variant.adapter.forward(conversation)
        played = play(versions(name), variant.core, variant.surface, there)
        before = play(versions(name), harness.core, harness.surface, conversation)
        assert back(variant.adapter, played) == comparable(before.events)
        assert played.state == before.state


def test_a_moved_rule_leaves_the_tools_to_themselves() -> None:
    harness, rows = example(SHOP), recipe(SHOP, Policy.of({"move-rule": {}}))
    variant = drawn(rows, 0)
    assert variant.adapter is not None and variant.core != harness.core
    made = Versions(byte_tokenizer(), harness.tools, harness.hooks)
    made.adapt(variant.adapter)
    assert made.of(harness.core, harness.surface).tools.missing == ()
    assert made.of(variant.core, variant.surface).tools.missing == ()


def test_without_its_adapter_a_refactored_harness_has_no_tools_to_run() -> None:
    harness = example(SHOP)
    grouped = GroupParameters(
        tool="tool/get_item", params=("tool/get_item/param/link_id",), into="request", type="Asked"
    )
    after = shape(harness.core, harness.surface, (grouped,))
    with pytest.raises(ValueError, match="request"):
        Versions(byte_tokenizer(), harness.tools, harness.hooks).of(after.core, after.surface)


def test_what_is_wrong_with_a_call_is_said_in_the_shape_that_the_model_knows() -> None:
    harness = example(SHOP)
    grouped = GroupParameters(
        tool="tool/get_item", params=("tool/get_item/param/link_id",), into="request", type="Asked"
    )
    after = shape(harness.core, harness.surface, (grouped,))
    adapted = versions(SHOP)
    adapted.adapt(after.adapter)
    toolbox: Toolbox = adapted.of(after.core, after.surface).tools
    assert toolbox.missing == ()

    def detail(arguments: dict[str, Any]) -> str:
        call = Call(tool="tool/get_item", arguments=arguments)
        naming = Naming(after.core, Surface())
        ran = asyncio.run(toolbox.call(call, recorded(SHOP)[0].inputs, naming, TurnCalls()))
        assert ran.result.failure == "bad_arguments"
        return ran.result.detail

    assert "unknown parameter `link_id`, known: `request`" in detail({"link_id": 3})
    assert "`request.link_id`" in detail({"request": {"link_id": "3"}})


def test_rows_of_a_refactored_harness_are_played_by_verify(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, count = written_to(tmp_path, recipe(SHOP, POLICY, with_messages=True), range(3))
    told = tmp_path / "told.jsonl"
    told.write_text("".join(f"{one.model_dump_json()}\n" for one in recorded(SHOP)), "utf-8")
    asked = ["verify", str(rows), "--harness", str(EXAMPLES / SHOP), "--replay", "--transcripts", str(told)]
    assert main(asked) == 0
    assert f"{count} of {count} rows hold" in capsys.readouterr().err


def test_declared_tests_hold_on_refactored_variants(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = tmp_path / "shapes.yaml"
    policy.write_text("operators:\n" + "".join(f"  {name}: {{}}\n" for name in REFACTORING), "utf-8")
    asked = ["test", str(EXAMPLES / SHOP), "--variants", "1", "--policy", str(policy), "--only", "coupon"]
    assert main(asked) == 0
    assert "on variants" in capsys.readouterr().out
