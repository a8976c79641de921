"""Variants drawn with a bank: the harness means the same, rows say which bank, and the checker reads it."""

import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augmentors.certificates import BadRow, Certificate, from_line, to_line
from augmentors.checker import check
from augmentors.compact import from_row, to_row
from augmentors.coverage import Coverage
from augmentors.index import index
from augmentors.policy import Policy, PolicyError
from augmentors.reading import everything_read
from augmentors.rewording.banked import (
    Banked,
    BankError,
    beside,
    by_policy,
    digest_of,
    with_banks,
    with_wordings,
)
from augmentors.rewording.books import book_of
from augmentors.rewording.prose import spell
from augmentors.rewording.rewriter import rewordings
from augmentors.rows import Recipe, make
from augmentors.variants import draw
from augmentors.verifying import Against, Failing, failing
from harness_dsl.ir.canonical import core_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Template
from harness_dsl.ir.walk import texts
from tests.strategies import cores, default_surface, small_shop

CORE, SURFACE = small_shop()
WORDY = Policy.of({"wordings": {}})
ALL = Policy.of(
    {name: {"probability": 0.7} for name in ("rename", "wordings", "language", "reorder", "markup")}
)


def reworded(core: Core, seed: int = 0) -> dict[str, list[Template]]:
    found = {}
    for text in texts(core):
        there = [one.template for one in rewordings(text, seed, 2) if not one.refused]
        fresh = [one for one in there if one not in text.alternatives]
        if fresh:
            found[text.id] = fresh
    return found


def banked(core: Core, seed: int = 0) -> Banked:
    added = reworded(core, seed)
    return Banked(with_wordings(core, added), core, digest_of(added))


BANK = banked(CORE)
RECIPE = Recipe(BANK.core, SURFACE, ALL, 5, bank=BANK)


def verified(lines: list[str], bank: Banked | None, again: bool = True) -> list[Failing]:
    against = Against(CORE, SURFACE, again, bank=bank)
    return [*failing(against, [*enumerate(lines, 1)], Coverage())]


def test_a_bank_changes_no_meaning_and_no_text_that_it_does_not_word() -> None:
    assert BANK.core != CORE and core_digest(BANK.core) == core_digest(CORE)
    added = reworded(CORE)
    for before, after in zip(texts(CORE), texts(BANK.core), strict=True):
        assert after.alternatives == (*before.alternatives, *added.get(before.id, ()))
        assert after is before or before.id in added
    assert BANK.core.hooks is CORE.hooks or any("/message" in id_ for id_ in added)
    assert with_wordings(CORE, {}) is CORE


def test_rows_of_a_bank_and_plain_rows_hold_together() -> None:
    lines = [make(RECIPE, row).line for row in range(12)]
    lines += [make(Recipe(CORE, SURFACE, ALL, 5), row).line for row in range(12)]
    assert verified(lines, BANK) == []
    shown = [json.loads(line).get("wordings_of") for line in lines]
    assert set(shown[:12]) == {BANK.digest} and set(shown[12:]) == {None}
    sent = pickle.loads(pickle.dumps(replace(RECIPE)))
    assert [make(sent, row).line for row in range(12)] == lines[:12], "a worker process draws the same"


def test_banked_wordings_are_really_shown() -> None:
    added, shown = reworded(CORE), set()
    for row in range(20):
        surface = make(Recipe(BANK.core, SURFACE, WORDY, 1, bank=BANK), row).certificate.surface
        shown.update(id_ for id_, one in surface.wordings.items() if one in added.get(id_, ()))
    assert shown == set(added) & index(CORE).texts.keys(), "descriptions of inputs are shown to nobody"


def test_rows_of_another_bank_are_refused_by_name() -> None:
    lines = [make(RECIPE, row).line for row in range(2)]
    (first, _) = verified(lines, None)
    assert first.row is None and f"proof 2: its wordings are of the bank {BANK.digest}" in first.faults[0]
    (first, _) = verified(lines, banked(CORE, 9))
    assert "and those given here are" in first.faults[0]


def test_a_long_row_of_a_bank_is_held_against_it() -> None:
    certificate = make(Recipe(BANK.core, SURFACE, WORDY, 1, bank=BANK), 0).certificate
    line = to_line(certificate)
    assert from_line(line) == certificate
    assert verified([line], BANK) == []
    assert "which is not given here" in verified([line], None)[0].faults[0]


def test_a_wording_that_is_in_no_bank_is_refused() -> None:
    """The broken twin: the claim that a wording is reviewed, when nobody has seen it."""
    certificate = make(Recipe(BANK.core, SURFACE, WORDY, 1, bank=BANK), 0).certificate
    findings = check(CORE, SURFACE, certificate, everything_read)
    assert findings and {finding.proof for finding in findings} == {2}
    assert "none that its author or a bank declares" in str(findings[0])
    assert check(BANK.core, SURFACE, certificate, everything_read) == []


@given(cores(), st.integers(0, 99))
@settings(max_examples=8)
def test_rows_of_generated_harnesses_with_banks_survive(core: Core, seed: int) -> None:
    bank, surface = banked(core, seed), default_surface(core)
    book = book_of(core, surface, bank)
    for row in range(2):
        drawn = draw(bank.core, surface, ALL, seed, row).certificate
        certificate = drawn.model_copy(update={"bank": bank.digest})
        assert check(bank.core, surface, certificate, everything_read) == []
        survives(certificate, surface, bank)
    with pytest.raises(BadRow):
        from_row(json.loads(to_row(certificate, book)) | {"wordings_of": "other"}, book)


def survives(certificate: Certificate, surface: Surface, bank: Banked) -> None:
    book = book_of(bank.plain, surface, bank)
    assert from_row(json.loads(to_row(certificate, book)), book) == certificate


def bank_file(folder: Path, core: Core, state: str = "accepted", name: str = "shop.wordings.yaml") -> Path:
    lines = ["bank: 1", "texts:"]
    for id_, wordings in reworded(core).items():
        canonical = next(text.canonical for text in texts(core) if text.id == id_)
        lines += [
            f"  {id_}:",
            f"    canonical: {json.dumps(spell(canonical), ensure_ascii=False)}",
            "    wordings:",
        ]
        for one in wordings:
            lines += [
                f"      - text: {json.dumps(spell(one), ensure_ascii=False)}",
                f"        state: {state}",
            ]
    path = folder / name
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_banks_are_read_from_files(tmp_path: Path) -> None:
    path = bank_file(tmp_path, CORE)
    assert with_banks(CORE, [path]) == BANK
    assert beside(tmp_path / "shop.harness") == path == beside(tmp_path / "shop.json")
    with pytest.raises(BankError, match="HD728"):
        with_banks(CORE, [path, bank_file(tmp_path, CORE, name="again.wordings.yaml")])
    proposed = bank_file(tmp_path, CORE, "proposed")
    with pytest.raises(BankError, match="no wording is accepted yet"):
        with_banks(CORE, [proposed])
    assert with_banks(CORE, [proposed], include_proposed=True) == BANK
    with pytest.raises(BankError, match="no such file") as error:
        with_banks(CORE, [tmp_path / "none.yaml"])
    assert error.value.status == 2


def test_a_policy_names_banks_from_its_folder(tmp_path: Path) -> None:
    bank_file(tmp_path, CORE)
    path = tmp_path / "p.yaml"
    path.write_text("operators: {wordings: {}}\nbanks: [shop.wordings.yaml]\n")
    policy = Policy.load(path)
    assert by_policy(CORE, policy) == BANK == by_policy(CORE, policy.with_pool("held-out"))
    assert by_policy(CORE, Policy.default()) is None
    path.write_text("operators: {reorder: {}}\nbanks: [shop.wordings.yaml]\n")
    with pytest.raises(BankError, match="neither `wordings` nor `language`"):
        by_policy(CORE, Policy.load(path))
    path.write_text("include_proposed: true")
    with pytest.raises(BankError, match="no bank is named"):
        by_policy(CORE, Policy.load(path))
    for text in ("banks: shop.yaml", "banks: [1]", "include_proposed: 1", "bank: [a]"):
        path.write_text(text)
        with pytest.raises(PolicyError):
            Policy.load(path)
