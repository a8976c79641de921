"""Where commands write: what is no plain file is written to and stays what it is, and no file is lost."""

import json
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from augmentors.samples import sample_inputs
from harness_dsl.cli.files import clash, is_plain
from harness_dsl.cli.main import main
from harness_dsl.syntax.artefact import dump_ir
from tests.strategies import small_shop

CORE, SURFACE = small_shop()
TALK = '{"messages": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Good day."}]}\n'


@pytest.fixture
def harness(tmp_path: Path) -> str:
    path = tmp_path / "shop.json"
    path.write_bytes(dump_ir(CORE, SURFACE, "sha256:0"))
    return str(path)


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def read_through(pipe: Path, command: list[str]) -> tuple[int, bytes]:
    """The exit status of `command`, and what it wrote to `pipe`."""
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    status = main(command)
    if pipe.is_fifo():
        reader.join(20)
    return status, b"".join(read)


def augmented(harness: str, out: str) -> list[str]:
    return ["augment", harness, "-n", "3", "-o", out]


def counted(harness: str, out: str) -> list[str]:
    return ["augment", harness, "-n", "3", "-o", f"{harness}.rows", "--coverage", out]


def compiled(harness: str, out: str) -> list[str]:
    source = Path(harness).with_name("shop.harness")
    source.write_text(
        'harness shop "1.0.0" "A shop."\n\nprompt system {\n  section persona "You sell tea."\n}\n', "utf-8"
    )
    return ["compile", str(source), "-o", out]


def lifted(harness: str, out: str) -> list[str]:
    logs = Path(harness).with_name("logs.jsonl")
    logs.write_text(TALK, "utf-8")
    inputs = Path(harness).with_name("inputs.json")
    inputs.write_text(json.dumps(sample_inputs(CORE)), "utf-8")
    command = ["lift", str(logs), "--harness", harness, "--any-prompt", "--inputs", str(inputs)]
    return [*command, "-o", out]


@pytest.mark.parametrize("command", [augmented, counted, compiled, lifted])
def test_a_pipe_is_written_to_and_stays_one(
    harness: str, tmp_path: Path, pipe: Path, command: Callable[[str, str], list[str]]
) -> None:
    plain = tmp_path / "plain"
    assert main(command(harness, str(plain))) == 0
    status, read = read_through(pipe, command(harness, str(pipe)))
    assert (status, read) == (0, plain.read_bytes())
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(("pipe.", ".pipe"))]


def test_only_a_regular_file_may_be_replaced(tmp_path: Path, pipe: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(pipe.name)
    (tmp_path / "there").touch()
    assert [is_plain(path) for path in (pipe, link, tmp_path, "/dev/null", "/dev/stdout")] == [False] * 5
    assert is_plain(tmp_path / "there")
    assert is_plain(tmp_path / "not-there")


READ = "is read: choose another file to write to"
TWICE = "would be written twice: choose another file for one of them"

CLASHES = {
    "rows over transcripts": ("augment H --transcripts A -o A", READ),
    "rows and coverage": ("augment H -o O --coverage ./O", TWICE),
    "coverage over a policy": ("augment H --policy A --coverage A", READ),
    "coverage over the harness": ("augment H --coverage H", READ),
    "transcripts and report": ("lift A --harness H -o O --report O", TWICE),
    "transcripts and refused": ("lift A --harness H -o O --refused O", TWICE),
    "report where refused lines go": ("lift A --harness H -o O --report O.refused", TWICE),
    "report over inputs": ("lift A --harness H --inputs B --report B", READ),
    "coverage over rows": ("verify A --harness H --coverage A", READ),
    "code and its report": ("compile H --target openai-tools -o O --report O", TWICE),
    "results over a policy": ("test H --variants 1 --policy A --junit A", READ),
    "a set over what is split": ("split train.jsonl -o .", READ),
    "a harness over what it is made of": ("import mcp A -o A", READ),
}
"""By case, the command and what is said of it. H is the harness, A and B are other files, O is not there."""


@pytest.mark.parametrize("case", CLASHES)
def test_outputs_in_the_way_of_each_other_or_of_inputs_are_refused_at_the_start(
    harness: str,
    tmp_path: Path,
    case: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("A", "B", "train.jsonl"):
        Path(name).write_text(TALK, "utf-8")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    words, said = CLASHES[case]
    assert main([Path(harness).name if word == "H" else word for word in words.split()]) == 2
    assert said in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_link_to_what_is_read_is_in_its_way_and_a_pipe_never_is(tmp_path: Path, pipe: Path) -> None:
    (tmp_path / "there").touch()
    (tmp_path / "link").symlink_to("there")
    (tmp_path / "hard").hardlink_to(tmp_path / "there")
    assert clash([tmp_path / "link"], [tmp_path / "there"])
    assert clash([tmp_path / "hard"], [tmp_path / "there"])
    assert clash([pipe, pipe, None, None, tmp_path / "new"], [tmp_path / "there"]) is None
