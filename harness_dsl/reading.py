"""What the compiler sees of the file system, so that it can be said what an answer depends on.

Every look goes through here: the bytes of a file, whether there is one, and where its links lead. This module
is imported to find out whether a cached answer holds, so it needs nothing but `os`.
"""

import os

# hashlib loads OpenSSL, which takes longer than all else that an unchanged file needs: `random` avoids it too
try:
    from _sha2 import sha256 as _sha256  # type: ignore[import-not-found, unused-ignore]  # Python 3.12
except ImportError:
    try:
        from _sha256 import sha256 as _sha256  # type: ignore[import-not-found, unused-ignore]  # Python 3.11
    except ImportError:
        from hashlib import sha256 as _sha256

Look = tuple[str, str, str]
"""What was looked at: `bytes`, `file` or `real`; the path; and what was seen, in a few characters."""

_trace: list[Look] | None = None


class Looks:
    """`with Looks() as looks:` collects in `looks.seen` every look that is taken inside."""

    def __init__(self) -> None:
        self.seen: list[Look] = []

    def __enter__(self) -> "Looks":
        global _trace
        self._outer, _trace = _trace, self.seen
        return self

    def __exit__(self, *_: object) -> None:
        global _trace
        _trace = self._outer
        see_again(self.seen)


def read_bytes(path: str) -> bytes:
    """The bytes of the file at `path`. Raises `OSError`, and `ValueError` for an impossible path."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        _note("bytes", path, _failure(error))
        raise
    if _trace is not None:
        _note("bytes", path, digest(data))
    return data


def is_file(path: str) -> bool:
    """Whether a file is at `path`."""
    found = os.path.isfile(path)
    _note("file", path, str(found))
    return found


def real(path: str) -> str:
    """`path` in full and without symbolic links; what is not there stays as it is written."""
    found = os.path.realpath(path)
    _note("real", path, found)
    return found


def digest(data: bytes) -> str:
    """SHA-256 of `data`, in hexadecimal."""
    return str(_sha256(data).hexdigest())


def see_again(looks: list[Look]) -> None:
    """Counts `looks` as taken now, where they are still true."""
    if _trace is not None:
        _trace.extend(looks)


def still(look: Look) -> bool:
    """Whether the same would be seen now."""
    kind, path, seen = look
    if kind == "file":
        return seen == str(os.path.isfile(path))
    if kind == "real":
        return seen == os.path.realpath(path)
    try:
        with open(path, "rb") as file:
            return seen == digest(file.read())
    except OSError as error:
        return seen == _failure(error)


def _failure(error: OSError) -> str:
    return f"error {error.errno}"


def _note(kind: str, path: str, seen: str) -> None:
    if _trace is not None:
        _trace.append((kind, path, seen))
