"""What every command says, and with which exit status, when the world is not as it should be."""

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from harness_dsl.cli.main import COMMANDS, main, usage
from harness_dsl.diagnostics.system import install, reason

Said = tuple[int, str]

WAYS = {
    "check": ["{file}"],
    "fmt": ["{file}"],
    "compile": ["{file}"],
    "import": ["mcp", "{file}"],
    "diff": ["{ok}", "{file}"],
    "render": ["{file}"],
    "augment": ["{file}"],
    "reword": ["{file}", "--rules"],
    "variants": ["{file}"],
    "lift": ["{file}", "--harness", "{ok}"],
    "split": ["{file}", "-o", "{folder}"],
    "leakage": ["{file}", "{ok}"],
    "verify": ["{file}", "--harness", "{ok}"],
    "test": ["{file}"],
    "train": ["sft", "{file}"],
    "eval": ["{file}", "--model", "{folder}"],
    "serve": ["{file}", "--model", "{folder}"],
}
"""How each command is given a file to read; `guard` and `explain` read none."""


@pytest.fixture
def say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    ok = tmp_path / "ok.harness"
    ok.write_text('harness ok "1.0.0"\nprompt system {\n  section persona """You answer."""\n}\n')
    (tmp_path / "loop.harness").symlink_to("loop.harness")

    def run(command: str, file: str) -> Said:
        paths = {"file": str(tmp_path / file), "ok": str(ok), "folder": str(tmp_path)}
        status = main([command, *(word.format(**paths) for word in WAYS[command])])
        said = capsys.readouterr()
        return status, said.out + said.err

    return run


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in ("guard", "explain")])
@pytest.mark.parametrize("file", ["none.harness", "loop.harness"])
def test_a_file_that_cannot_be_read_is_status_2_in_words(
    command: str, file: str, say: Callable[..., Said]
) -> None:
    status, said = say(command, file)
    assert status == 2, said
    assert file in said and "Errno" not in said and "Traceback" not in said and "No such file" not in said


def test_the_help_says_what_an_exit_status_means() -> None:
    assert "exit status: 0 fine; 1 findings" in usage()
    assert all(len(line) <= 100 for line in usage().splitlines())


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "x"), "no such file or folder"),
        (PermissionError(errno.EACCES, "Permission denied", "x"), "permission is missing"),
        (IsADirectoryError(errno.EISDIR, "Is a directory", "x"), "it is a folder"),
        (OSError(errno.ENOSPC, "No space left on device"), "no space is left on the disk"),
        (OSError(errno.ETXTBSY, "Text file busy", "x"), "text file busy"),
        (OSError(), "the system refuses it"),
        (RuntimeError("Symlink loop from '/x'"), "its links lead in a circle"),
        (UnicodeDecodeError("utf-8", b"a\xff", 1, 2, "invalid start byte"), "byte 0xff at 1 is not UTF-8"),
        (ValueError("embedded null byte"), "embedded null byte"),
    ],
)
def test_what_the_system_refuses_is_a_phrase(error: Exception, said: str) -> None:
    assert reason(error) == said


def test_how_to_install_what_is_missing_works_from_a_clone() -> None:
    assert install("train") == "pip install -e '.[train]' in the clone"


def test_a_missing_library_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], say: Callable[..., Said]
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "trl", None)
    status, said = say("train", "ok.harness")
    assert (status, said) == (
        2,
        f"harnessc: training needs torch, transformers and trl: {install('train')}\n",
    )
