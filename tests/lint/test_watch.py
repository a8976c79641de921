"""`check --watch` as a process: what makes it check again, and how it ends."""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness_dsl.cli.main import main

HARNESS = """harness shop "1.0.0"

import "m.harness" as m

input room: any

prompt system {
  use m.rules
  section persona \"\"\"You work for {{ room.name }}.\"\"\"
}

test "a greeting" {
  given room = fixture "room.yaml"
  user "Hello"
  expect chars(reply) < 60
}
"""
MODULE = 'module m "1.0.0"\n\nprompt system {\n  section rules """Be kind."""\n}\n'
WAIT = 60


class Watched:
    """A running `check --watch` in `folder`; `after(mark)` gives its output up to a line with `mark`."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-u", "-m", "harness_dsl.cli.main", "check", "--watch", "."]
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "XDG_CACHE_HOME": str(folder / ".cache")},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def after(self, mark: str) -> str:
        seen = ""
        while mark not in seen:
            line = self.lines.get(timeout=WAIT)
            assert line is not None, seen
            seen += line
        return seen

    def rest(self) -> str:
        return "".join(iter(lambda: self.lines.get(timeout=WAIT) or "", ""))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.harness").write_text(HARNESS)
    (tmp_path / "m.harness").write_text(MODULE)
    (tmp_path / "room.yaml").write_text("name: Leaf\n")
    return tmp_path


@pytest.fixture
def watched(folder: Path) -> Iterator[Watched]:
    one = Watched(folder)
    yield one
    if one.process.poll() is None:
        one.process.kill()
    one.process.wait(WAIT)


def test_whatever_is_read_is_watched(folder: Path, watched: Watched) -> None:
    def write(name: str, text: str) -> None:
        """At once, so that no check sees half of it."""
        (folder / "new").write_text(text)
        (folder / "new").replace(folder / name)

    watched.after("2 files checked: nothing found")
    write("room.yaml", "name: Leaf\nname: Tea\n")
    assert " changed: room.yaml\n" in watched.after("changed")
    watched.after("HD802")
    (folder / "room.yaml").unlink()
    watched.after("HD801")
    write("room.yaml", "name: Leaf\n")
    watched.after("nothing found")
    write("m.harness", MODULE.replace("section", "sction"))
    watched.after("m.harness:4:3: error[HD101]")
    write("m.harness", MODULE)
    watched.after("nothing found")
    write("new.harness", HARNESS.replace("m.rules", "m.rule"))
    assert " changed: new.harness\n" in watched.after("changed")
    watched.after("new.harness:8:9: error[HD202]")
    watched.after("watching")
    watched.process.send_signal(signal.SIGINT)
    assert watched.process.wait(WAIT) == 130
    rest = watched.rest()
    assert "Traceback" not in rest and "interrupted" in rest


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--watch", "--format", "json"], "prints text only"),
        (["--watch", "-"], "standard input is none"),
        (["--unsafe"], "goes with `--fix`"),
    ],
)
def test_wrong_use_is_one_sentence(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *words]) == 2
    shown = capsys.readouterr()
    assert said in shown.err and shown.out == "" and len(shown.err.strip().splitlines()) == 1
