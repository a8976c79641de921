"""What people read: diagnostics as text and as JSON, byte for byte."""

import json
import os
from pathlib import Path

import pytest

from harness_dsl.diagnostics import render
from harness_dsl.diagnostics.codes import CODES
from tests.language.helpers import check
from tests.language.test_recovery import TEN

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "language"
CASES = sorted(path.name for path in GOLDEN.glob("*.harness"))


def compare(name: str, shown: str) -> None:
    path = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN") == "1":
        path.write_text(shown, "utf-8")
    assert path.read_text("utf-8") == shown


@pytest.mark.parametrize("case", CASES)
def test_diagnostics_read_as_they_did(case: str) -> None:
    text = (GOLDEN / case).read_text("utf-8")
    compare(case.replace(".harness", ".txt"), render.text(check(text), {"x.harness": text}))


def test_ten_mistakes_read_as_they_did() -> None:
    compare("ten_mistakes.txt", render.text(check(TEN), {"x.harness": TEN}))


def test_json_reads_as_it_did() -> None:
    shown = render.json_text(check(TEN), {"x.harness": TEN})
    assert all(entry["code"] in CODES for entry in json.loads(shown))
    compare("ten_mistakes.json", shown + "\n")


def test_the_caret_stands_under_wide_characters() -> None:
    text = 'harness x "1.0.0"\n\nprompt system {\n  section p """你好 {{ 店铺 }}。"""\n}\n'
    shown = render.text(check(text), {"x.harness": text}).splitlines()
    assert shown[1] == '    4 |   section p """你好 {{ 店铺 }}。"""'
    assert shown[2] == "      | " + " " * (2 + 13 + 4 + 1 + 3) + "^^^^"
