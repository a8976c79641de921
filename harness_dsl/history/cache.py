"""Answers of earlier runs, by the digest of everything they depend on. Safe to delete at any time."""

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

MOST = 4096
"""Beyond this many answers the older half is removed."""


def cache_folder() -> Path:
    """`harnessc/guard` in the cache folder of the user."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "harnessc" / "guard"


def digest(*parts: Any) -> str:
    """The key of an answer that depends on `parts` (JSON-like data) and on this program."""
    data = json.dumps([program(), *parts], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(data.encode()).hexdigest()


_program: list[str] = []


def program() -> str:
    """What tells this program from an edited one: names, sizes and times of its source files."""
    if not _program:
        import grammar
        import harness_dsl

        folders = [Path(package.__path__[0]) for package in (grammar, harness_dsl)]
        runtime = folders[1].parent / "runtime"
        facts = []
        for folder in [*folders, runtime]:
            for file in sorted(folder.rglob("*")):
                if file.suffix in (".py", ".lark"):
                    stat = file.stat()
                    facts.append(f"{file} {stat.st_size} {stat.st_mtime_ns}")
        _program.append(hashlib.sha256("\n".join(facts).encode("utf-8", "surrogateescape")).hexdigest())
    return _program[0]


class Cache:
    """Answers in `folder`; None: nothing is kept. What cannot be read or written is no answer, and no error.

    `hits` and `misses` count the questions.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.hits = self.misses = 0

    def get(self, key: str) -> dict[str, Any] | None:
        if self.folder is not None:
            try:
                answer = json.loads(self._file(self.folder, key).read_bytes())
            except (OSError, ValueError):
                answer = None
            if isinstance(answer, dict):
                self.hits += 1
                return answer
        self.misses += 1
        return None

    def put(self, key: str, answer: dict[str, Any]) -> None:
        if self.folder is None:
            return
        file = self._file(self.folder, key)
        temporary = file.with_suffix(f".{os.getpid()}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps(answer, ensure_ascii=True), "utf-8")
            temporary.replace(file)
        except OSError:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)

    def trim(self) -> None:
        """Removes the older half when there are too many answers."""
        if self.folder is None or not self.folder.is_dir():
            return
        files = list(self.folder.glob("*.json"))
        if len(files) <= MOST:
            return
        try:
            for file in sorted(files, key=lambda file: file.stat().st_mtime_ns)[: len(files) // 2]:
                file.unlink(missing_ok=True)
        except OSError:
            return  # another run is at it

    @staticmethod
    def _file(folder: Path, key: str) -> Path:
        return folder / f"{key}.json"
