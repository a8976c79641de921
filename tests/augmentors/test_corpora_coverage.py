"""Rows of real harnesses hold, and every operator reaches every symbol that it applies to."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from augmentors.coverage import Coverage
from augmentors.policy import Policy
from augmentors.rows import Recipe, drawn
from augmentors.samples import sample_talks
from augmentors.uncovered import never
from tests.strategies import small_shop

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    """The benchmark, which measures the same at full size."""
    spec = importlib.util.spec_from_file_location(
        "augment_corpora", ROOT / "benchmarks" / "augment_corpora.py"
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def counted(policy: Policy, rows: int, every_task: bool = True) -> tuple[Recipe, Coverage]:
    core, surface = small_shop()
    talks = tuple(sample_talks(core))
    recipe = Recipe(core, surface, policy, 0, talks if every_task else talks[:1])
    coverage = Coverage()
    for row in range(rows):
        coverage.add(drawn(recipe, row).certificate)
    return recipe, coverage


def test_rows_of_a_small_shop_hold_and_reach_most_symbols(bench: ModuleType) -> None:
    from harness_dsl.syntax.opening import open_harness

    opened = open_harness(ROOT / "examples" / "live_shop" / "shop_mini.harness")
    found = bench.measure(opened.core, opened.surface, 80)
    assert found["accepted"] == found["rows"] > 0
    assert found["covered"] > 2 * len(found["never"]), found["never"]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_every_operator_reaches_every_symbol_of_all_corpora_and_examples(
    bench: ModuleType, corpora: Path
) -> None:
    for name, (core, surface) in bench.harnesses(corpora, []):
        found = bench.measure(core, surface, 4000)
        assert found["accepted"] == found["rows"] > 0, name
        assert found["never"] == [], name


def test_what_chance_left_out_is_said_to_be_left_out_by_chance() -> None:
    recipe, coverage = counted(Policy.of({"rename": {"share": 0.2}}), 1)
    left = never(recipe, coverage)
    assert left and all(one.operator == "rename" for one in left)
    chance = [one for one in left if one.reason.startswith("by chance: alone it is changed in row ")]
    assert chance, left
    recipe, coverage = counted(Policy.of({"rename": {"share": 0.2}}), 60)
    assert never(recipe, coverage) == []


def test_what_every_task_needs_is_said_to_be_needed() -> None:
    recipe, coverage = counted(Policy.of({"hide": {}}), 40, every_task=False)
    needed = recipe.conversations[0].events[1].events[0].tool  # type: ignore[union-attr]  # its only call
    assert {one.symbol: one.reason for one in never(recipe, coverage)}[needed] == "every task needs it"
    recipe, coverage = counted(Policy.of({"hide": {}}), 60)
    assert never(recipe, coverage) == []


def test_an_operator_that_reaches_less_than_it_says_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin: it claims a skill that it never touches."""
    from augmentors.operators.markup import Markup

    said = Markup.symbols
    monkeypatch.setattr(
        Markup, "symbols", lambda self, core, surface: (*said(self, core, surface), "skill/item_qa")
    )
    recipe, coverage = counted(Policy.of({"markup": {}}), 30)
    (left,) = never(recipe, coverage)
    assert left.symbol == "skill/item_qa" and left.reason.startswith("in none of the 30 rows")
