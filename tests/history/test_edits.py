"""Edits of all examples, each with the class it must have, from text to verdict."""

from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from harness_dsl.history.comparison import Comparison, compare
from harness_dsl.history.report_text import one
from harness_dsl.ir.diff import Behaviour, Contract, needed_bump
from harness_dsl.ir.diff_levels import Level
from harness_dsl.syntax import fixture_data
from tests.history.editing.edit import Edit, edits_of
from tests.history.editing.workshop import Workshop

SETS: dict[str, tuple[str, str]] = {
    "mini": ("live_shop", "shop_mini.harness"),
    "shop_interface": ("live_shop", "shop.harness"),
    "shop_conduct": ("live_shop", "shop.harness"),
    "shop_imported": ("live_shop", "shop.harness"),
    "compliance": ("live_shop", "common/compliance.harness"),
    "tutor": ("course_tutor", "tutor.harness"),
    "integrity": ("course_tutor", "common/integrity.harness"),
    "bank": ("bank_desk", "desk.harness"),
    "bank_imported": ("bank_desk", "desk.harness"),
}
"""The example and the file in it that the edits of each set are of."""

EDITS = {name: edits_of(name) for name in SETS}
PARSED = cache(fixture_data.parsed)
ALL = [(name, edit) for name, edits in EDITS.items() for edit in edits]


@cache
def workshop(example: str, main: str) -> Workshop:
    return Workshop(Path(mkdtemp(prefix="harnessc-edits-")), example, main)


@pytest.fixture(autouse=True)
def _fixtures_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most edits leave the fixtures alone, and reading YAML takes longer than the rest."""
    monkeypatch.setattr(fixture_data, "parsed", PARSED)


def after(name: str, edits: list[Edit]) -> Comparison:
    shop = workshop(*SETS[name])
    return compare(name, shop.original, shop.edited(edits))


def level(edit: Edit) -> Level:
    return Level(Contract[edit.contract.upper()], Behaviour[edit.behaviour.upper()])


def test_there_are_enough_edits_of_every_class() -> None:
    assert len(ALL) >= 200
    behaviours = Counter(edit.behaviour for _, edit in ALL)
    assert min(behaviours[str(behaviour)] for behaviour in Behaviour) >= 10, behaviours
    contracts = Counter(edit.contract for _, edit in ALL)
    assert min(contracts[str(contract)] for contract in Contract) >= 20, contracts
    for example in {example for example, _ in SETS.values()}:
        seen = {edit.behaviour for name, edit in ALL if SETS[name][0] == example}
        assert seen == {str(behaviour) for behaviour in Behaviour}, example


@pytest.mark.parametrize("name", SETS)
def test_edits_have_their_classes_also_together(name: str) -> None:
    """Edits of different symbols, made at once: each keeps its class, and nothing else is changed. Taken
    back, they are none."""
    shop = workshop(*SETS[name])
    for group in shop.apart(EDITS[name]):
        comparison = after(name, group)
        assert comparison.found is not None
        told = one(comparison)
        for edit in group:
            parts = [located for located in comparison.edits if edit.touches(located.edit.id)]
            got = Level()
            for located in parts:
                got = got.join(Level(located.edit.contract, located.edit.behaviour))
            assert got == level(edit), f"{edit}\n{told}"
            assert not edit.symbol or edit.symbol in [located.edit.id for located in parts], f"{edit}\n{told}"
        stray = [e.edit.id for e in comparison.edits if not any(edit.touches(e.edit.id) for edit in group)]
        assert not stray, told
        whole = Level(comparison.found.contract, comparison.found.behaviour)
        assert whole == Level(max(level(x).contract for x in group), max(level(x).behaviour for x in group))
    assert compare(name, shop.original, shop.edited([])).edits == ()


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", SETS)
def test_each_edit_alone_has_its_class_and_its_place(name: str) -> None:
    for edit in EDITS[name]:
        comparison = after(name, [edit])
        told, found = f"{edit}\n{one(comparison)}", comparison.found
        assert found is not None
        assert Level(found.contract, found.behaviour) == level(edit), told
        assert found.verdict.needed == needed_bump(found.contract, found.behaviour)
        if not edit.symbol:
            assert not comparison.edits, told
            continue
        named = [located for located in comparison.edits if located.edit.id == edit.symbol]
        assert named, told
        assert edit.symbol == "surface" or any(located.old or located.new for located in named), told
