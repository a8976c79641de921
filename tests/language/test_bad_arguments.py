"""Arguments that no user means: each is one sentence and exit status 2, and no file is touched."""

import os
from pathlib import Path

import pytest

from harness_dsl.cli.files import harness_files
from harness_dsl.cli.main import main

HARNESS = 'harness a "1.0.0"\n\nprompt system {\n  section p """P."""\n}\n'


@pytest.mark.parametrize("words", [["fmt", ""], ["check", ""], ["compile", ""], ["fmt", "--check", ""]])
def test_an_empty_argument_does_not_mean_this_folder(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert "empty" in capsys.readouterr().err


def test_a_harness_is_not_written_over_by_its_ir(tmp_path: Path) -> None:
    path = tmp_path / "a.harness"
    path.write_text(HARNESS, "utf-8")
    assert main(["compile", str(path), "-o", str(path)]) == 2
    assert path.read_text("utf-8") == HARNESS


def test_only_files_of_a_folder_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.harness").write_text(HARNESS, "utf-8")
    os.mkfifo(tmp_path / "pipe.harness")
    assert harness_files([str(tmp_path)]) == [str(tmp_path / "a.harness")]


def test_a_short_file_cannot_become_a_huge_value(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    levels = ["l0: &l0 [1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    levels += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 9)]
    bomb = tmp_path / "bomb.yaml"
    bomb.write_text("\n".join(levels) + "\n", "utf-8")
    path = tmp_path / "a.harness"
    path.write_text(HARNESS, "utf-8")
    assert main(["render", str(path), "--inputs", str(bomb)]) == 2
    assert "values" in capsys.readouterr().err
