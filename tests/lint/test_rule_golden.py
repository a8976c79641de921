"""What people read about the bad example of each rule, byte for byte."""

import os

import pytest

from harness_dsl.diagnostics import render
from harness_dsl.diagnostics.codes import CODES
from harness_dsl.lint.rule import Rule
from harness_dsl.lint.rules import every
from tests.conftest import Golden
from tests.lint.running import found_in


@pytest.mark.parametrize("rule", every(), ids=lambda rule: rule.code)
def test_a_finding_reads_as_it_did(rule: Rule, golden: Golden) -> None:
    found, files = found_in(rule.code, "bad")
    shown = [one for one in found if one.severity != "info" or one.code == rule.code]
    golden.check(f"rules/{rule.code}.txt", render.text(shown, files))


def test_no_golden_file_is_left_over(golden: Golden) -> None:
    files = sorted((golden.folder / "rules").iterdir())
    orphans = [file for file in files if file.suffix != ".txt" or file.stem not in CODES]
    if os.environ.get("UPDATE_GOLDEN") == "1":
        for file in orphans:
            file.unlink()
        return
    assert orphans == [], "`make update-golden` removes them"
