"""What the documents show is true: their harness blocks check clean, and the commands they name exist."""

import re
from pathlib import Path

import pytest

from harness_dsl.cli.main import COMMANDS
from harness_dsl.lint import lint
from harness_dsl.syntax.compile import analysed
from harness_dsl.syntax.format import format_text
from harness_dsl.syntax.source import decode

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
BLOCKS = [
    pytest.param(block, id=f"{document.name}-{number}")
    for document in DOCUMENTS
    for number, block in enumerate(re.findall(r"```harness\n(.*?)```", document.read_text("utf-8"), re.S))
]


@pytest.mark.parametrize("block", BLOCKS)
def test_a_shown_harness_has_no_error_and_no_warning(block: str) -> None:
    source = decode(block.encode(), "block.harness")
    analysis = analysed(source, "block.harness")
    assert analysis is not None, source.diagnostics
    assert [str(found) for found in lint(analysis) if found.severity != "info"] == []


@pytest.mark.parametrize("block", BLOCKS)
def test_a_shown_harness_has_the_canonical_layout(block: str) -> None:
    assert format_text(block, "block.harness")[0] == block


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_that_a_document_names_exists(document: Path) -> None:
    named = set(re.findall(r"harnessc ([a-z]+)\b", document.read_text("utf-8")))
    assert named <= set(COMMANDS), named - set(COMMANDS)
