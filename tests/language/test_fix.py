"""`check --fix`: what it changes, and that nothing else changes."""

import os
from pathlib import Path

import pytest

from harness_dsl.cli.main import main
from harness_dsl.ir.texts import Literally, Reference
from harness_dsl.ir.walk import texts
from harness_dsl.syntax.compile import compile_file
from tests.language.helpers import check

HEAD = 'harness x "1.0.0"\n\n'
TOOLS = (
    'tool get_quote(link_id: int) -> any {\n  """Quote it."""\n}\n\n'
    'tool get_item named "describe"(link_id: int) -> any {\n  """Describe it."""\n}\n\n'
)
BARE = HEAD + TOOLS + 'prompt system {\n  section p """Use get_quote, or `get_quote`."""\n}\n'
LABELS = (
    "prompt system {\n  section p unordered {\n"
    '    rule """Be brief, and {{ tool.get_quote }}."""\n'
    '    fixed rule """Be brief. And kind."""\n'
    '    """热情回应，不查任何东西。"""\n'
    '    rule """1, 2!"""\n'
    '    rule """Use"""\n'
    '    rule be_brief_and_2 """Not twice."""\n'
    "  }\n}\n"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.harness"


def fix(path: Path, text: str | None = None) -> int:
    if text is not None:
        path.write_bytes(text.encode())
    return main(["check", "--fix", str(path)])


def shown(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main(["render", str(path)]) == 0
    return capsys.readouterr().out


def test_bare_names_become_references_and_the_model_sees_the_same(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text(BARE)
    before, core = shown(path, capsys), compile_file(path).core
    assert fix(path) == 0
    assert path.read_text() == BARE.replace(
        "get_quote, or `get_quote`", "{{ tool.get_quote }}, or `{{ tool.get_quote }}`"
    )
    assert "2 fixes made" in capsys.readouterr().err
    assert shown(path, capsys) == before
    new = compile_file(path).core
    assert core is not None and new is not None and new != core
    for one, other in zip(texts(core), texts(new), strict=True):
        spelled = "".join(
            part.target.removeprefix("tool/") if isinstance(part, Reference) else part.text
            for part in other.canonical
            if isinstance(part, Reference | Literally)
        )
        assert one.canonical == (Literally(text=spelled),)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BARE.replace("Use get_quote, or `get_quote`", "Use get_item"), "the model would see another name"),
        (
            BARE + 'alternatives {\n  section.p """Quote with get_quote."""\n}\n',
            "a wording would lack the reference",
        ),
        (
            BARE.replace("  section", "  # allow HD406: the word is meant\n  section"),
            "the finding is suppressed",
        ),
    ],
)
def test_some_names_stay(path: Path, text: str, reason: str) -> None:
    fix(path, text)
    assert path.read_text() == text, reason


def test_items_get_labels_from_their_words(path: Path) -> None:
    assert fix(path, HEAD + TOOLS + LABELS) == 0
    labels = [
        line.split('"""')[0].split() for line in path.read_text().splitlines() if line.startswith("    ")
    ]
    assert labels == [
        ["rule", "be_brief_and"],
        ["fixed", "rule", "be_brief_and_kind"],
        ["热情回应_不查任何东西"],
        ["rule", "item"],
        ["rule", "item_2"],
        ["rule", "be_brief_and_2"],
    ]
    assert compile_file(path).core is not None


def test_the_core_of_a_file_with_labels_is_that_of_labels_written_by_hand(path: Path, tmp_path: Path) -> None:
    fix(path, HEAD + 'prompt system {\n  section p unordered {\n    rule """Be kind."""\n  }\n}\n')
    by_hand = tmp_path / "hand.harness"
    by_hand.write_text(
        HEAD + 'prompt system {\n  section p unordered {\n    rule be_kind """Be kind."""\n  }\n}\n'
    )
    assert compile_file(path).core == compile_file(by_hand).core is not None


@pytest.mark.parametrize("seed", range(6))
def test_nothing_but_the_fixes_changes(path: Path, seed: int) -> None:
    """Line ends, a byte-order mark and other mistakes stay; a second run changes nothing."""
    end, mark = ("\n", "\r\n", "\r")[seed % 3], ("", "\ufeff")[seed % 2]
    text = mark + (BARE + "# end  \n\ninput z: nothing\n").replace("\n", end)
    path.write_bytes(text.encode())
    path.chmod(0o640)
    assert fix(path) == 1
    assert path.read_bytes().decode() == text.replace(
        "Use get_quote, or `get_quote`", "Use {{ tool.get_quote }}, or `{{ tool.get_quote }}`"
    )
    written = path.stat().st_mtime_ns
    assert path.stat().st_mode & 0o777 == 0o640
    fix(path)
    assert path.stat().st_mtime_ns == written


def test_a_write_that_fails_leaves_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text(BARE)

    def fails(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    assert fix(path) == 2
    assert path.read_text() == BARE and list(path.parent.iterdir()) == [path]


def test_only_the_files_given_are_changed(path: Path, tmp_path: Path) -> None:
    module = tmp_path / "m.harness"
    module.write_text(BARE.replace("harness x", "module m"))
    before = module.read_bytes()
    assert fix(path, HEAD + 'import "m.harness" as m\n\nprompt system {\n  use m.p\n}\n') == 1
    assert module.read_bytes() == before
    assert main(["check", "--fix", str(tmp_path)]) == 1
    assert module.read_text().count("{{ tool.get_quote }}") == 2
    found = check(module.read_text())
    assert [diagnostic.code for diagnostic in found if diagnostic.severity != "info"] == []


def test_standard_input_cannot_be_fixed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--fix", "-"]) == 2
    assert "standard input" in capsys.readouterr().err
