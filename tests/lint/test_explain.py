"""Every diagnostic is documented, for people, for programs, and on a page that is up to date."""

import json
from pathlib import Path

import pytest

from harness_dsl.cli.main import main
from harness_dsl.diagnostics.codes import CODES
from harness_dsl.lint.enforced import FAULTS, PRINCIPLES
from harness_dsl.lint.examples import Edit, Folder
from harness_dsl.lint.reference import GROUPS, REGENERATE, entries, markdown
from harness_dsl.lint.rules import every

PAGE = Path(__file__).resolve().parents[2] / "docs" / "diagnostics.md"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == markdown(), f"run `{REGENERATE}`"


def test_the_command_on_the_page_writes_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    words = REGENERATE.split(" > ")[0].split()[1:]
    assert main(words) == 0
    assert capsys.readouterr().out == markdown()


def test_every_code_is_explained_to_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--all", "--format", "json"]) == 0
    found = {entry["code"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert list(found) == sorted(CODES)
    for rule in every():
        entry = found[rule.code]
        assert entry["summary"] and entry["code"][:3] in GROUPS
        assert entry["why"] and entry["bad"] and entry["good"] and entry["bad"] != entry["good"]
        said = [part["name"] for part in entry["principles"] + entry["faults"]]
        assert sorted(said) == sorted(rule.enforces)
        for example, parts in ((rule.bad, entry["bad"]), (rule.good, entry["good"])):
            count = 1
            if isinstance(example, Folder):
                count = len(example.files) + (example.checked not in example.files)
            elif isinstance(example, Edit):
                count = 2 + len(example.files)
            assert len(parts) == count
    allowed = {code for code, entry in found.items() if entry["suppression"]}
    assert allowed == {code for code, known in CODES.items() if known.severity != "error"}


@pytest.mark.parametrize("word", ["HD406", "hd406", "bare-name"])
def test_a_code_is_explained_by_number_or_name(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", word]) == 0
    out = capsys.readouterr().out
    assert out.startswith("HD406 bare-name (warning)\n\n" + CODES["HD406"].summary)
    assert "Call get_quote first" in out and "Call {{ tool.get_quote }} first" in out
    assert "# allow HD406:" in out
    assert PRINCIPLES["typed-references"].title.lower() in out and FAULTS["guessing-at-prose"].about in out


def test_a_folder_and_an_edit_are_shown_file_by_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "HD212"]) == 0
    out = capsys.readouterr().out
    assert "wrong (shop.harness):" in out and "right (prices.harness):" in out
    assert main(["explain", "HD905"]) == 0
    assert "wrong (committed):" in (out := capsys.readouterr().out) and "right (staged):" in out
    assert main(["explain", "HD111"]) == 0
    assert "saved as latin-1" in capsys.readouterr().out


def test_one_code_as_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "HD211", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "import-cycle"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["HD40"], "did you mean"),
        (["nonsense"], "`harnessc explain --all` lists them"),
        ([], "needs a code or `--all`"),
        (["HD406", "--all"], "needs a code or `--all`"),
        (["HD406", "--format", "markdown"], "add `--all`"),
    ],
)
def test_wrong_use_is_one_sentence(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", *words]) == 2
    shown = capsys.readouterr()
    assert said in shown.err and shown.out == "" and len(shown.err.strip().splitlines()) == 1


def test_codes_are_unique_by_name() -> None:
    assert len({entry.name for entry in entries()}) == len(entries())
