"""The files and sessions that a document shows, and running them.

A fenced block is a file where the paragraph right before it ends with the name of one: the last code span
there that looks like a file name. A `console` block is a session: commands behind `$ `, each followed by all
that it prints. A line that is `…` stands for any lines, `…` inside a line for any characters.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness_dsl.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
ANY = "…"

_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.S | re.M)
_FILE_NAME = re.compile(r"`([\w./-]+\.(?:harness|py|toml|yaml|jsonl?))`")
_SHELL = set("|&;<>$*?`(){}")


@dataclass(frozen=True)
class Block:
    """A block in `language`; it is the content of the file `name`, if it has one."""

    name: str | None
    text: str
    language: str


@dataclass(frozen=True)
class Command:
    """A command and what the document says it prints. `start` and `end` are where that stands in the text."""

    words: str
    printed: str
    start: int
    end: int
    line: int


def steps(text: str) -> Iterator[Block | Command]:
    """The blocks and commands of a document, in order."""
    for block in _FENCE.finditer(text):
        if block[1] == "console":
            yield from _commands(text, block.start(2), block.end(2))
            continue
        paragraph = text[: block.start()].rstrip().rpartition("\n\n")[2]
        names = _FILE_NAME.findall(paragraph)
        captioned = names and not paragraph.endswith("```")
        yield Block(names[-1] if captioned else None, block[2], block[1])


def _commands(text: str, start: int, end: int) -> Iterator[Command]:
    places = [found.start() for found in re.finditer(r"^\$ ", text[start:end], re.M)]
    for at, stop in zip(places, [*places[1:], end - start], strict=True):
        said = text[start + at : start + stop]
        words = re.match(r"\$ (?:[^\n]*\\\n)*[^\n]*\n?", said)
        assert words is not None
        begin = start + at + words.end()
        line = text.count("\n", 0, start + at) + 1
        yield Command(words[0][2:].strip(), text[begin : start + stop], begin, start + stop, line)


def run(words: str, folder: Path) -> str:
    """What a command prints in `folder`: standard output and standard error as a terminal shows them.

    A `harnessc` command that needs no shell runs in this process, which is quicker.
    """
    if words.startswith("harnessc ") and not _SHELL.intersection(words):
        return _run_here(shlex.split(words.replace("\\\n", " "))[1:], folder)
    environment = {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in _GIT.items()},
    }
    done = subprocess.run(
        ["bash", "-c", words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    return done.stdout.decode()


_GIT = {"NAME": "Tea", "EMAIL": "tea@example.org", "DATE": "2026-01-01T12:00:00Z"}


def _run_here(words: list[str], folder: Path) -> str:
    screen = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    known = dict(os.environ)
    os.environ.update({"XDG_CACHE_HOME": str(folder / ".cache"), "GIT_CONFIG_NOSYSTEM": "1"})
    try:
        with (
            contextlib.chdir(folder),
            contextlib.redirect_stdout(screen),
            contextlib.redirect_stderr(screen),
        ):
            main(words)
    finally:
        os.environ.clear()
        os.environ.update(known)
    screen.flush()
    return screen.buffer.getvalue().decode()  # type: ignore[attr-defined]  # it is the BytesIO above


def matches(shown: str, printed: str) -> bool:
    """Whether `printed` is what a document shows, white space at the ends of lines aside."""
    wanted = []
    for line in shown.rstrip().splitlines():
        if line.strip() == ANY:
            wanted.append(r"(?:[^\n]*\n)*?")
            continue
        wanted.append("[^\n]*?".join(re.escape(part) for part in line.rstrip().split(ANY)) + "[ \t]*\n")
    lines = "".join(f"{line.rstrip()}\n" for line in printed.rstrip().splitlines())
    return re.fullmatch("".join(wanted), lines) is not None


def write(folder: Path, block: Block) -> None:
    """Puts the block into `folder`, if it is a file."""
    if block.name is None:
        return
    target = folder / block.name
    assert target.resolve().is_relative_to(folder.resolve()), block.name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(block.text, "utf-8")
