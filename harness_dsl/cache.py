"""Answers of earlier runs in the user's cache folder. Safe to delete at any time.

Imported to find out whether anything else is needed: it needs nothing but `os`.
"""

import os
from collections.abc import Iterable

MOST = 4096
"""Beyond this many answers the older half is removed."""
LARGEST = 64 * 1024
"""A larger answer is not kept: with `MOST`, the folder stays under 256 MB."""


def cache_folder(kind: str) -> str:
    """`harnessc/KIND` in the cache folder of the user."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return os.path.join(base or os.path.join(os.path.expanduser("~"), ".cache"), "harnessc", kind)


def sources(folders: Iterable[str]) -> str:
    """Names, sizes and times of the source files in `folders`: what tells this program from an edited one."""
    found: list[str] = []
    for folder in folders:
        _sources(folder, found)
    return "\n".join(sorted(found))


def _sources(folder: str, found: list[str]) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith((".py", ".lark")):
                stat = entry.stat()
                found.append(f"{entry.path} {stat.st_size} {stat.st_mtime_ns}")
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                _sources(entry.path, found)


class Kept:
    """Answers as bytes in `folder`. What cannot be read or written is no answer, and no error."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def get(self, key: str) -> bytes | None:
        try:
            with open(os.path.join(self.folder, key), "rb") as file:
                return file.read()
        except OSError:
            return None

    def put(self, key: str, answer: bytes) -> None:
        """Keeps `answer`, whole or not at all: it is never seen half written."""
        if len(answer) > LARGEST:
            return
        file = os.path.join(self.folder, key)
        temporary = f"{file}.{os.getpid()}"
        try:
            os.makedirs(self.folder, exist_ok=True)
            with open(temporary, "wb") as written:
                written.write(answer)
            os.replace(temporary, file)
        except OSError:
            _remove(temporary)

    def trim(self) -> None:
        """Removes the older half when there are too many answers."""
        try:
            if len(os.listdir(self.folder)) <= MOST:
                return
            with os.scandir(self.folder) as entries:
                files = [(entry.stat().st_mtime_ns, entry.path) for entry in entries if entry.is_file()]
        except OSError:
            return
        for _, file in sorted(files)[: len(files) // 2]:
            _remove(file)


def _remove(file: str) -> None:
    try:
        os.unlink(file)
    except OSError:
        return  # another run is at it, or the folder may not be written
