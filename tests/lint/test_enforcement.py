"""Every principle of the language has a rule; every known kind of fault has a rule or a named test."""

import os
import re
from pathlib import Path

import pytest

from harness_dsl.lint.enforced import FAULTS, PRINCIPLES
from harness_dsl.lint.enforcement import enforcers, named_tests, page
from harness_dsl.lint.reference import markdown

TESTS = Path(__file__).resolve().parents[1]
DOCS = TESTS.parent / "docs"


@pytest.mark.golden
def test_the_page_is_up_to_date() -> None:
    shown = page()
    if os.environ.get("UPDATE_GOLDEN") == "1":
        (DOCS / "enforcement.md").write_text(shown, "utf-8")
    assert (DOCS / "enforcement.md").read_text("utf-8") == shown, "run `make update-golden`"


def test_every_principle_has_a_rule() -> None:
    by_key = enforcers()
    assert [key for key in PRINCIPLES if not by_key[key]] == []


def test_every_fault_has_a_named_test() -> None:
    tests = named_tests(TESTS)
    assert [key for key, fault in FAULTS.items() if fault.number not in tests] == []


def test_numbers_are_those_of_the_lists() -> None:
    assert [principle.number for principle in PRINCIPLES.values()] == list(range(1, 13))
    assert [fault.number for fault in FAULTS.values()] == [*range(1, 36), *range(38, 42)]


def test_the_language_reference_has_the_principles_by_these_names() -> None:
    text = (DOCS / "language.md").read_text("utf-8")
    section = text.split("\n## Principles\n")[1].split("\n## ")[0]
    named = re.findall(r"^(\d+)\. \*\*(.+?)\.\*\*", section, re.MULTILINE)
    assert named == [(str(one.number), one.title) for one in PRINCIPLES.values()]


def test_links_lead_to_headings() -> None:
    headings = re.findall(r"^### (.*)$", markdown(), re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    linked = set(re.findall(r"diagnostics\.md#([^)]+)", page()))
    assert linked and linked <= anchors
