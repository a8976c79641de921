"""The files a command works on."""

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from harness_dsl.reading import real
from harness_dsl.syntax.source import Source, decode, read

SUFFIX = ".harness"
STDIN = "-"


def harness_files(paths: list[str]) -> list[str]:
    """`paths` with every folder replaced by the harness files under it, sorted; hidden folders are left
    out.
    """
    found: list[str] = []
    for path in paths:
        if path != STDIN and Path(path).is_dir():
            found += sorted(_under(path))
        else:
            found.append(path)
    return list(dict.fromkeys(found))


def _under(folder: str) -> Iterator[str]:
    """The harness files in and below `folder`. Hidden folders are not entered: they may be huge."""
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files = [Path(parent, name) for name in names if name.endswith(SUFFIX) and not name.startswith(".")]
        yield from (str(file) for file in files if file.is_file())


def source_of(path: str) -> Source:
    """The text at `path`, or of standard input for `-`."""
    return decode(sys.stdin.buffer.read(), "<stdin>") if path == STDIN else read(path)


def same_file(one: str | Path, other: str | Path) -> bool:
    """Whether both paths are one file that is there."""
    return Path(one).exists() and Path(other).exists() and Path(one).samefile(other)


def clash(written: Iterable[str | Path | None], read: Iterable[str | Path | None] = ()) -> str | None:
    """Why these files cannot all be written, in a sentence: one of them is read, or stands there twice. None
    is no file; devices and pipes are in nobody's way.
    """
    taken = {_place(path) for path in read if path is not None}
    seen: set[str] = set()
    for path in written:
        if path is None or not is_plain(path):
            continue
        if _place(path) in taken:
            return f"`{path}` is read: choose another file to write to"
        if _place(path) in seen:
            return f"`{path}` would be written twice: choose another file for one of them"
        seen.add(_place(path))
    return None


def _place(path: str | Path) -> str:
    """What is the same for two paths of one file, whether or not it is there."""
    try:
        found = Path(path).stat()
    except OSError:
        return real(str(path))
    return f"{found.st_dev}:{found.st_ino}"


def is_plain(path: str | Path) -> bool:
    """Whether `path` is a regular file or is not there yet: no device, pipe, folder or open stream, which
    another file must not take the place of.
    """
    named = Path(path)
    target = named.parent / named.readlink() if named.is_symlink() else named
    if Path(real(str(target.parent))).is_relative_to("/proc"):
        return False
    try:
        return stat.S_ISREG(named.stat().st_mode)
    except FileNotFoundError:
        return True


def open_as_it_is(path: str | Path) -> BinaryIO:
    """What `is_plain` denies, to write to where it is. Raises `OSError`."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND), "wb")


def write_atomically(path: str | Path, data: bytes) -> None:
    """Puts `data` at `path` whole or not at all, with the permissions the file had; what is no plain file is
    written to. Raises `OSError`.
    """
    import tempfile

    if not is_plain(path):
        with open_as_it_is(path) as out:
            out.write(data)
        return
    target = Path(path).resolve()
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(target.stat().st_mode & 0o7777 if target.exists() else 0o644)
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
