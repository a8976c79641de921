"""Answers of earlier runs of `guard`, by the digest of everything they depend on."""

import hashlib
import json
from pathlib import Path
from typing import Any

from harness_dsl import cache


def cache_folder() -> Path:
    """`harnessc/guard` in the cache folder of the user."""
    return Path(cache.cache_folder("guard"))


def digest(*parts: Any) -> str:
    """The key of an answer that depends on `parts` (JSON-like data) and on this program."""
    data = json.dumps([program(), *parts], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(data.encode()).hexdigest()


_program: list[str] = []


def program() -> str:
    """What tells this program, with the tests that it can run, from an edited one."""
    if not _program:
        import grammar
        import harness_dsl

        folders = [grammar.__path__[0], harness_dsl.__path__[0]]
        runtime = Path(folders[1]).parent / "runtime"
        facts = cache.sources([*folders, str(runtime)] if runtime.is_dir() else folders)
        _program.append(hashlib.sha256(facts.encode("utf-8", "surrogateescape")).hexdigest())
    return _program[0]


class Cache:
    """Answers as JSON objects in `folder`; None: nothing is kept. What cannot be read or written is no
    answer, and no error.

    `hits` and `misses` count the questions.
    """

    def __init__(self, folder: Path | None) -> None:
        self._kept = None if folder is None else cache.Kept(str(folder))
        self.hits = self.misses = 0

    def get(self, key: str) -> dict[str, Any] | None:
        data = None if self._kept is None else self._kept.get(f"{key}.json")
        if data is not None:
            try:
                answer = json.loads(data)
            except ValueError:
                answer = None
            if isinstance(answer, dict):
                self.hits += 1
                return answer
        self.misses += 1
        return None

    def put(self, key: str, answer: dict[str, Any]) -> None:
        if self._kept is not None:
            self._kept.put(f"{key}.json", json.dumps(answer, ensure_ascii=True).encode())

    def trim(self) -> None:
        """Removes the older half when there are too many answers."""
        if self._kept is not None:
            self._kept.trim()
