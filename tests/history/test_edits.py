"""Edits of the examples, each with the class it must have, from text to verdict."""

from functools import cache
from pathlib import Path

import pytest

from harness_dsl.history.comparison import Comparison, Status, compare
from harness_dsl.history.report_text import one
from harness_dsl.ir.diff import needed_bump
from harness_dsl.syntax.compile import compile_text
from harness_dsl.syntax.opening import Opened
from tests.history.edits import MINI, SHOP, Edit

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "live_shop"
CASES = [
    pytest.param(name, edit, id=f"{name}-{number}")
    for name, edits in (("shop_mini", MINI), ("shop", SHOP))
    for number, edit in enumerate(edits, 1)
]


def opened(name: str, text: str) -> Opened:
    path = FOLDER / f"{name}.harness"
    compiled = compile_text(text, path)
    assert compiled.core is not None and compiled.surface is not None, compiled.diagnostics
    return Opened(str(path), compiled.core, compiled.surface, compiled.spans, compiled.files)


@cache
def original(name: str) -> tuple[str, Opened]:
    text = (FOLDER / f"{name}.harness").read_text("utf-8")
    return text, opened(name, text)


def edited(name: str, edit: Edit) -> Comparison:
    text, old = original(name)
    assert text.count(edit.old) == 1
    return compare(name, old, opened(name, text.replace(edit.old, edit.new)))


def test_there_are_enough_edits() -> None:
    assert len(CASES) >= 60
    assert {case.values[1].behaviour for case in CASES} == {
        "none", "surface", "wording", "capability", "policy", "safety",
    }  # fmt: skip
    assert {case.values[1].contract for case in CASES} == {"none", "widening", "narrowing"}


@pytest.mark.parametrize(("name", "edit"), CASES)
def test_an_edit_has_its_class_and_its_place(name: str, edit: Edit) -> None:
    comparison = edited(name, edit)
    found = comparison.found
    assert found is not None
    assert (str(found.contract), str(found.behaviour)) == (edit.contract, edit.behaviour), one(comparison)
    assert found.verdict.needed == needed_bump(found.contract, found.behaviour)
    if not edit.symbol:
        assert comparison.status == Status.SAME
        return
    named = [located for located in comparison.edits if located.edit.id == edit.symbol]
    assert named, one(comparison)
    if edit.symbol != "surface":
        assert any(located.old or located.new for located in named)


@pytest.mark.parametrize("edit", [MINI[6], MINI[12], MINI[24], MINI[27]], ids=lambda edit: edit.symbol)
def test_an_edit_taken_back_is_no_edit(edit: Edit) -> None:
    text, old = original("shop_mini")
    there = text.replace(edit.old, edit.new)
    back = opened("shop_mini", there.replace(edit.new, edit.old))
    comparison = compare("shop_mini", old, back)
    assert (comparison.status, comparison.edits) == (Status.SAME, ())
    assert edited("shop_mini", edit).status == Status.CHANGED
