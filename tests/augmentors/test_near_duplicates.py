"""Near duplicates resemble tools that the task does not need, fail when called, and take two numbers."""

import json
from pathlib import Path

import pytest

from augmentors.checker import check
from augmentors.codebook import codebook
from augmentors.compact import from_row, to_row
from augmentors.footprint import Footprint
from augmentors.near_duplicates import RECIPES, look, near_duplicate, recipes, resembled
from augmentors.policy import Policy
from augmentors.reading import everything_read
from augmentors.variants import draw
from harness_dsl.ir.texts import Reference
from harness_dsl.ir.transcript import ForeignCall
from harness_dsl.protocol.view import View
from harness_dsl.syntax.opening import open_harness
from tests.strategies import small_shop

DESK = open_harness(Path(__file__).parents[2] / "examples" / "bank_desk" / "desk.harness")
POLICY = Policy.of({"rename": {}, "near-duplicates": {"most": 4}, "reorder": {}, "tool-docs": {}})
NEEDED = Footprint.of(["tool/get_balance", "tool/verify_identity"])


@pytest.mark.parametrize("pool", ["train", "held-out"])
def test_rows_of_the_bank_desk_hold_and_name_them_by_two_numbers(pool: str) -> None:
    core, surface = DESK.core, DESK.surface
    book, policy = codebook(core, surface), POLICY.with_pool("train" if pool == "train" else "held-out")
    met = set()
    for row in range(12):
        variant = draw(core, surface, policy, 0, row, NEEDED)
        assert check(core, surface, variant.certificate, everything_read) == []
        assert variant.certificate.level == "task-relative"
        line = json.loads(to_row(variant.certificate, book))
        assert all(isinstance(entry, list) and len(entry) == 2 for entry in line["distractors"])
        assert from_row(line, book) == variant.certificate
        met |= {resembled(tool) for tool in variant.surface.distractors}
    assert len(met) > 4
    assert met.isdisjoint(NEEDED.symbols)


def test_a_near_duplicate_of_what_is_needed_is_refused() -> None:
    core, surface = small_shop()
    variant = draw(core, surface, Policy.of({"near-duplicates": {}}), 1, 0, Footprint.of(["tool/get_quote"]))
    assert check(core, surface, variant.certificate) == []
    (original,) = {resembled(tool) for tool in variant.surface.distractors[:1]}
    claimed = variant.certificate.model_copy(update={"footprint": Footprint.of([str(original)])})
    assert any("too close to" in str(finding) for finding in check(core, surface, claimed))


def test_it_reads_like_its_tool_and_is_called_in_vain() -> None:
    core, surface = DESK.core, DESK.surface
    tool = next(tool for tool in core.tools if tool.id == "tool/get_rate")
    old = near_duplicate(core, surface, tool, 0)
    assert (old.name, old.description) == ("old_get_rate", "查现在的汇率。旧接口，已停用。")
    assert set(old.parameters["properties"]) == {"base", "quote"} and old.parameters["required"] == ["base"]
    view = View(core, surface.model_copy(update={"distractors": (old,)}))
    event = view.calls.call("old_get_rate", *called({"base": "USD"}))
    assert isinstance(event, ForeignCall)
    assert old.failure == "`old_get_rate` 不可用"


def called(arguments: dict[str, str]) -> tuple[object, str]:
    from harness_dsl.protocol.json_text import Slice

    text = json.dumps(arguments)
    return Slice(arguments, text), text


def test_recipes_of_the_pools_share_no_word() -> None:
    sides = [
        {word for recipe in RECIPES if recipe.pool == pool for word in (recipe.before, recipe.behind)} - {""}
        for pool in ("train", "held-out")
    ]
    assert sides[0] and sides[1] and not sides[0] & sides[1]


def test_a_tool_whose_words_name_others_has_none() -> None:
    core, surface = small_shop()
    first, *others = core.tools
    words = (*first.description.canonical, Reference(target="tool/get_quote"))
    naming = first.model_copy(
        update={"description": first.description.model_copy(update={"canonical": words})}
    )
    number, *_ = recipes("train")
    named = {tool.id for tool in (naming, *others) if look(surface, tool, number)}
    assert named == {tool.id for tool in others}
