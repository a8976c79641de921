"""Every operator has a page, made from its class, that is up to date and says what the class says."""

from pathlib import Path

import pytest

from augmentors.base import PROMISES
from augmentors.reference import INDEX, REGENERATE, meanings, page, pages
from augmentors.registry import OPERATORS
from harness_dsl.cli.main import main
from harness_dsl.diagnostics.codes import CODES
from tests.laws.test_broken_twins import BROKEN

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "operators"


def test_the_pages_are_up_to_date() -> None:
    assert {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()} == pages(), f"run `{REGENERATE}`"


def test_the_command_on_the_pages_writes_the_pages(tmp_path: Path) -> None:
    words = REGENERATE.split()[1:-1]
    assert main([*words, str(tmp_path / "made" / "here")]) == 0
    assert {path.name: path.read_text("utf-8") for path in (tmp_path / "made" / "here").iterdir()} == pages()


@pytest.mark.parametrize("name", OPERATORS)
def test_a_page_shows_before_and_after_and_explains_every_parameter(name: str) -> None:
    operator = OPERATORS[name]
    text = page(operator)
    assert "→" in text and operator.observation in text
    assert meanings(operator).keys() == operator.parameters_model.model_fields.keys()
    for parameter, meaning in meanings(operator).items():
        assert f"| `{parameter}` |" in text and f"| {meaning} |" in text
    assert f"({name}.md)" in pages()[INDEX]


@pytest.mark.parametrize("name", OPERATORS)
def test_what_a_page_calls_refused_is_refused_in_the_tests(name: str) -> None:
    refused = {law for twin, law in BROKEN if issubclass(twin, OPERATORS[name])}
    assert OPERATORS[name].refused.keys() == refused
    assert refused <= set(OPERATORS[name].laws) <= PROMISES.keys()


def test_an_operator_is_explained_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "tool-docs"]) == 0
    assert capsys.readouterr().out == page(OPERATORS["tool-docs"])
    assert not OPERATORS.keys() & {code.name for code in CODES.values()}


def test_an_operator_is_explained_to_people_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "rename", "--format", "json"]) == 2
    assert "`rename` is explained as text only" in capsys.readouterr().err


def test_a_slip_in_the_name_of_an_operator_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "renam"]) == 2
    assert "did you mean `rename`?" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--all"], ["rename"], ["--format", "json"]])
def test_pages_are_written_by_a_command_of_its_own(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", *words, "--operators", str(tmp_path / "pages")]) == 2
    assert "stands alone" in capsys.readouterr().err and not (tmp_path / "pages").exists()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("in the way")
    assert main(["explain", "--operators", str(tmp_path / "file")]) == 2
    assert str(tmp_path / "file") in capsys.readouterr().err
