"""What the documents show is true: their harness blocks check clean."""

import json
import tomllib
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from augmentors.policy import Policy
from harness_dsl.lint import lint
from harness_dsl.syntax.compile import analysed
from harness_dsl.syntax.format import format_text
from harness_dsl.syntax.source import decode
from tests.docs.console import Block, steps, write

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


def shown(document: Path) -> list[Block]:
    return [step for step in steps(document.read_text("utf-8")) if isinstance(step, Block)]


HARNESSES = [
    pytest.param(document, number, id=f"{document.name}-{number}")
    for document in DOCUMENTS
    for number, block in enumerate(shown(document))
    if block.language == "harness"
]


@pytest.mark.parametrize(("document", "number"), HARNESSES)
def test_a_shown_harness_has_no_error_and_no_warning(document: Path, number: int, tmp_path: Path) -> None:
    """Modules and fixtures are those that the document has shown before."""
    *before, block = shown(document)[: number + 1]
    for file in before:
        write(tmp_path, file)
    path = str(tmp_path / (block.name or "block.harness"))
    source = decode(block.text.encode(), path)
    analysis = analysed(source, path)
    assert analysis is not None, source.diagnostics
    assert [str(found) for found in lint(analysis) if found.severity != "info"] == []


@pytest.mark.parametrize(("document", "number"), HARNESSES)
def test_a_shown_harness_has_the_canonical_layout(document: Path, number: int) -> None:
    text = shown(document)[number].text
    assert format_text(text, "block.harness")[0] == text


def _python(text: str) -> None:
    code = compile(text, "block.py", "exec")
    if "import " in text:  # others show how something is called, not what is a program
        exec(code, {})


def _yaml(text: str) -> None:
    data = YAML(typ="safe").load(text)
    assert data
    if "operators" in data:
        Policy.of(data["operators"], data.get("original", 0.0))


def _toml(text: str) -> None:
    assert tomllib.loads(text)


TRIED = {"python": _python, "yaml": _yaml, "toml": _toml, "json": json.loads}

OTHERS = [
    pytest.param(block, id=f"{document.name}-{number}-{block.language}")
    for document in DOCUMENTS
    for number, block in enumerate(shown(document))
    if block.language in TRIED
]


@pytest.mark.parametrize("block", OTHERS)
def test_a_shown_file_of_another_language_can_be_used(block: Block) -> None:
    TRIED[block.language](block.text)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_block_says_what_it_is(document: Path) -> None:
    """A block that a test could try, but that names no language, would be tried by nobody."""
    known = {"harness", "text", "ebnf", "sh", "jsonl", *TRIED}
    assert {block.language for block in shown(document)} <= known
