"""What `harnessc check` found earlier in a file, while nothing that it looked at has changed.

An answer is kept under the path as it was given and the current folder. It says what was looked at (bytes of
files, which files are there, where links lead) and by which program; it holds only if all of that would be
seen again. `unchanged` is the whole of `check` for files without findings, so this imports next to nothing.
"""

import os
import sys

from harness_dsl.cache import Kept, cache_folder, sources
from harness_dsl.reading import Look, Looks, digest, see_again, still

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from harness_dsl.diagnostics import Diagnostic
    from harness_dsl.lint.checking import Checked

Counts = tuple[int, int, int, int]
"""Errors, warnings, remarks; and how many of them have a safe fix."""

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_FOLDERS = ("cli", "diagnostics", "ir", "lint", "syntax")
"""The parts of this package that `check` is made of."""


class Entry:
    """`counts` of the findings. `data`: the answer as JSON. `files`: the paths whose text it speaks of."""

    __slots__ = ("counts", "data", "files", "looks")

    def __init__(self, counts: Counts, data: str, files: list[str], looks: list[Look]) -> None:
        self.counts = counts
        self.data = data
        self.files = files
        self.looks = looks


class Remembered:
    """The answers in the cache folder of the user."""

    def __init__(self) -> None:
        self._kept = Kept(cache_folder("check"))
        try:
            self._program = _program()
        except OSError:
            self._program = ""  # no folder of sources can be seen, so nothing would tell an edited program

    def check(self, path: str, check: "Callable[[str], Checked]") -> "Checked":
        """What `check` gives for the file at `path`."""
        entry = self.recall(path)
        if entry is not None:
            from harness_dsl.cli.answers import loaded

            return loaded(entry.data, entry.files)
        with Looks() as looks:
            answer = check(path)
        self.keep(path, looks.seen, answer)
        return answer

    def recall(self, path: str) -> Entry | None:
        """What was found in the file at `path`, if that still holds."""
        key = self._key(path)
        data = None if key is None else self._kept.get(key)
        entry = None if data is None else _read(data, self._program)
        if entry is None or not all(map(still, entry.looks)):
            return None
        see_again(entry.looks)
        return entry

    def keep(self, path: str, looks: list[Look], answer: "Checked") -> None:
        """Keeps `answer`, unless it could not be given back exactly."""
        from harness_dsl.cli.answers import dumped, loaded

        key = self._key(path)
        if key is None:
            return
        if not answer.found and not answer.suppressed:
            answer = answer._replace(files={})  # nothing is shown of them
        data, files = dumped(answer), list(answer.files)
        with Looks() as shown:
            again = loaded(data, files)
        if again == answer:
            depends = list(dict.fromkeys([*looks, *shown.seen, *_libraries()]))
            self._kept.put(key, _written(Entry(counts(answer.found), data, files, depends), self._program))

    def tidy(self) -> None:
        """Bounds the folder."""
        self._kept.trim()

    def _key(self, path: str) -> str | None:
        try:
            place = f"{os.getcwd()}\0{path}"
        except OSError:
            return None  # the current folder is gone
        return digest(place.encode("utf-8", "surrogateescape")) if self._program else None


def unchanged(words: list[str]) -> int | None:
    """The exit status of `check` with these arguments, if it is known and there is nothing to show."""
    if not words or any(word.startswith("-") for word in words):
        return None
    remembered = Remembered()
    total = (0, 0, 0, 0)
    paths = list(dict.fromkeys(words))
    for path in paths:
        entry = remembered.recall(path)
        # Several files may share a module, whose remarks count once: that takes the remarks themselves.
        if entry is None or any(entry.counts[:2]) or (entry.counts[2] and len(paths) > 1):
            return None
        total = entry.counts
    print(summary(total, len(paths)), file=sys.stderr)
    return 0


def counts(found: "list[Diagnostic]") -> Counts:
    severities = [one.severity for one in found]
    fixable = sum(one.fix is not None and one.fix.safe for one in found)
    return severities.count("error"), severities.count("warning"), severities.count("info"), fixable


def summary(total: Counts, files: int, repaired: int = 0) -> str:
    """The last line of `check`."""
    *numbers, fixable = total
    said = [
        f"{count} {severity}{'s' if count != 1 and severity != 'info' else ''}"
        for severity, count in zip(("error", "warning", "info"), numbers, strict=True)
        if count
    ]
    fixed = f", {repaired} fix{'es' if repaired != 1 else ''} made" if repaired else ""
    more = f"; {fixable} fixable with `--fix`" if fixable else ""
    checked = f"{files} file{'s' if files != 1 else ''} checked{fixed}: "
    return checked + (", ".join(said) or "nothing found") + more


def _program() -> str:
    """What tells this program, on this Python, from another one."""
    grammar = os.path.join(os.path.dirname(_HERE), "grammar")
    folders = [grammar, *(os.path.join(_HERE, name) for name in _FOLDERS)]
    return digest("\n".join([sys.version, sys.platform, sources(folders)]).encode("utf-8", "surrogateescape"))


def _libraries() -> list[Look]:
    """The code of others that findings depend on: fixtures are read with it."""
    yaml = sys.modules.get("ruamel.yaml")
    if yaml is None or yaml.__file__ is None:
        return []
    with open(yaml.__file__, "rb") as file:
        return [("bytes", yaml.__file__, digest(file.read()))]


def _written(entry: Entry, program: str) -> bytes:
    """Parts with NUL between them, which no path and no JSON has, after the digest of the whole."""
    parts = [program, *map(str, entry.counts), entry.data, str(len(entry.files)), *entry.files]
    parts += [part for look in entry.looks for part in look]
    body = "\0".join(parts).encode("utf-8", "surrogateescape")
    return digest(body).encode() + body


def _read(data: bytes, program: str) -> Entry | None:
    """None if `data` is damaged or of another program."""
    body = data[64:]
    if digest(body).encode() != data[:64]:
        return None
    head, *parts = body.decode("utf-8", "surrogateescape").split("\0")
    if head != program:
        return None
    errors, warnings, remarks, fixable = map(int, parts[:4])
    end = 6 + int(parts[5])
    looks = [(parts[at], parts[at + 1], parts[at + 2]) for at in range(end, len(parts), 3)]
    return Entry((errors, warnings, remarks, fixable), parts[4], parts[6:end], looks)
