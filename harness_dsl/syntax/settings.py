"""The project file `harness.toml`: what it says, and each thing in it that nothing reads or that is no value.

    [runtime]
    allow = ["shop.tools"]    # modules whose functions may run
    path = "."                # the folder they are imported from
    [guard]
    manifest = "runs/host/manifest.json"

Python's TOML reader gives values without places; the places are found on the lines of the text.
"""

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

from harness_dsl.diagnostics import Diagnostic, Span
from harness_dsl.diagnostics.suggest import did_you_mean
from harness_dsl.reading import is_file, read_bytes, real
from harness_dsl.syntax.source import normal

PROJECT_FILE = "harness.toml"
KEYS = {"runtime": ("allow", "path"), "guard": ("manifest",)}
_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
_TABLE = re.compile(r"\s*\[+\s*([^\]\n]*?)\s*\]+")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:\s*\.\s*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*)\s*=""")
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class Settings(NamedTuple):
    """`found`: what is wrong with the file; what it says wrongly has its default."""

    path: str
    text: str
    allow: tuple[str, ...]
    folder: str
    manifest: str
    found: list[Diagnostic]


def settings_of(path: str) -> Settings | None:
    """The settings of the project that the file at `path` is in; None: there is no project file."""
    shown = Path(path).parent
    folder = Path(real(str(shown)))
    for steps, candidate in enumerate((folder, *folder.parents)):
        file = str(candidate / PROJECT_FILE)
        if is_file(file):
            name = os.path.normpath(shown.joinpath(*[".."] * steps, PROJECT_FILE))
            return read_settings(file, name)
    return None


def read_settings(file: str, name: str) -> Settings:
    """The settings in `file`, which is called `name` in findings."""
    try:
        data = read_bytes(file)
    except (OSError, ValueError) as error:
        from harness_dsl.diagnostics.system import reason

        return _broken(name, "", _bad(f"the project file cannot be read: {reason(error)}", Span(name, 0, 0)))
    return settings(data, name)


def settings(data: bytes, name: str) -> Settings:
    """The settings that `data` says. Never raises for what stands in it."""
    import tomllib

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        good = normal(data[: error.start].decode("utf-8"))
        span = Span(name, len(good), len(good))
        shown = data.decode("utf-8", "replace")
        return _broken(name, shown, _bad(f"byte {data[error.start]:#04x} is not UTF-8", span))
    text = normal(text)
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        return _broken(name, text, _no_toml(str(error), text, name))
    return _Reader(text, name).read(table)


def one_line(settings: Settings) -> str:
    """The first finding, with its place. There is one."""
    first = settings.found[0]
    line = settings.text.count("\n", 0, first.span.start) + 1
    return f"{settings.path}:{line}: {first.message}"


def _bad(message: str, span: Span, help_: str = "") -> Diagnostic:
    return Diagnostic("HD121", message, span, help_)


def _broken(name: str, text: str, found: Diagnostic) -> Settings:
    return Settings(name, text, (), ".", "", [found])


def _no_toml(said: str, text: str, name: str) -> Diagnostic:
    place = _PLACE.search(said)
    said = _PLACE.sub("", said)
    start = len(text)
    if place is not None and place[1] is not None:
        lines = text.split("\n")
        start = sum(len(line) + 1 for line in lines[: int(place[1]) - 1]) + int(place[2]) - 1
        start = min(start, len(text))
    end = min(start + 1, len(text))
    return _bad(f"this is no TOML: {said[:1].lower()}{said[1:]}", Span(name, start, end))


class _Reader:
    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.found: list[Diagnostic] = []
        self.places = _places(text)

    def read(self, table: dict[str, Any]) -> Settings:
        for word, value in table.items():
            if word not in KEYS:
                known = [f"[{one}]" for one in KEYS]
                self._unknown(f"no table `{word}`", (word,), word, list(KEYS), known)
            elif not isinstance(value, dict):
                self._say(f"`{word}` is a table", (word,), f"Write `[{word}]` on a line of its own.")
            else:
                for key in value.keys() - set(KEYS[word]):
                    known = [f"`{one}`" for one in KEYS[word]]
                    self._unknown(f"`{word}.{key}` is unknown", (word, key), key, KEYS[word], known)
        runtime, guard = _dict(table, "runtime"), _dict(table, "guard")
        return Settings(
            self.name,
            self.text,
            self._allow(runtime.get("allow", [])),
            self._path(runtime.get("path", ".")),
            self._manifest(guard.get("manifest", "")),
            sorted(self.found, key=lambda one: one.span),
        )

    def _allow(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            self._say(
                "`runtime.allow` is a list of module names",
                ("runtime", "allow"),
                'Write for example `allow = ["shop.tools"]`.',
            )
            return ()
        for name in value:
            if not _MODULE.fullmatch(name):
                self._say(
                    f"`{name}` is no name of a module",
                    ("runtime", "allow"),
                    'Write it as in `import`: "shop.tools".',
                )
        return tuple(value)

    def _path(self, value: Any) -> str:
        place = ("runtime", "path")
        if not isinstance(value, str) or "\0" in value or not value:
            self._say("`runtime.path` is the name of a folder", place, 'Write for example `path = "src"`.')
            return "."
        if value.startswith(("/", "~")) or Path(os.path.normpath(value)).parts[:1] == ("..",):
            self._say("`runtime.path` leaves the project", place, "Name a folder beside or below this file.")
            return "."
        return value

    def _manifest(self, value: Any) -> str:
        if not isinstance(value, str) or "\0" in value:
            self._say(
                "`guard.manifest` is the path of a file",
                ("guard", "manifest"),
                'Write for example `manifest = "runs/host/manifest.json"`.',
            )
            return ""
        return value

    def _unknown(
        self, message: str, place: tuple[str, ...], word: str, known: Any, listed: list[str]
    ) -> None:
        close = did_you_mean(word, known)
        help_ = close[0].upper() + close[1:] if close else f"Only {' and '.join(listed)} can stand here."
        self._say(message, place, help_)

    def _say(self, message: str, place: tuple[str, ...], help_: str) -> None:
        start, end = self.places.get(place, (0, 0))
        self.found.append(_bad(message, Span(self.name, start, end), help_))


def _dict(table: dict[str, Any], word: str) -> dict[str, Any]:
    value = table.get(word)
    return value if isinstance(value, dict) else {}


def _places(text: str) -> dict[tuple[str, ...], tuple[int, int]]:
    """Where each table and key is named, by its whole name; the first place counts."""
    found: dict[tuple[str, ...], tuple[int, int]] = {}
    inside: tuple[str, ...] = ()
    at = 0
    for line in text.split("\n"):
        table, key = _TABLE.match(line), _KEY.match(line)
        if table is not None:
            inside = _words(table[1])
            found.setdefault(inside[:1], (at + table.start(1), at + table.end(1)))
            found.setdefault(inside, (at + table.start(1), at + table.end(1)))
        elif key is not None:
            name = (*inside, *_words(key[1]))
            for length in range(len(inside) + 1, len(name) + 1):
                found.setdefault(name[:length], (at + key.start(1), at + key.end(1)))
        at += len(line) + 1
    return found


def _words(name: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in name.split("."))
