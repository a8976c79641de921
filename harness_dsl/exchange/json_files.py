"""JSON files as they are found in the world: one document, or one object a line."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from harness_dsl.diagnostics.system import reason
from harness_dsl.exchange.found import Refusal
from harness_dsl.syntax.foreign import is_openapi
from harness_dsl.syntax.source import LIMIT


class Document(NamedTuple):
    """`at`: the pointer of `value` in its file; lines count from 0."""

    file: str
    at: str
    value: Any


def text_of(path: Path, shown: str) -> str | Refusal:
    """The text of a file, a byte-order mark apart; or why there is none."""
    try:
        with path.open("rb") as file:
            # A device may never end.
            data = file.read(LIMIT + 1)
            size = path.stat().st_size
    except OSError as error:
        return Refusal(shown, "", "", f"cannot be read: {reason(error)}")
    except ValueError as error:
        return Refusal(shown, "", "", str(error))
    if len(data) > LIMIT:
        has = f"has {size} bytes" if size > LIMIT else "has no end"
        return Refusal(shown, "", "", f"{has}, and {LIMIT} is the most that is read")
    archive = next((name for start, name in _ARCHIVES.items() if data.startswith(start)), None)
    if archive is not None or data[257:262] == b"ustar":
        return Refusal(shown, "", "", f"it is a {archive or 'tar'} archive: unpack it first")
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        guess = " (it looks like UTF-16)" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        return Refusal(shown, "", "", reason(error) + guess)


_ARCHIVES = {
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
}


def found_files(folder: Path, wanted: Callable[[Path], bool]) -> Iterator[Path | Refusal]:
    """The files under `folder` that are `wanted`, in the order of their paths. Links that lead out of it are
    not followed.
    """
    root = folder.resolve()
    for file in sorted(folder.rglob("*")):
        if not wanted(file) or file.is_dir():
            continue
        shown = str(file.relative_to(folder))
        try:
            inside = file.resolve(strict=True).is_relative_to(root)
        except (OSError, RuntimeError):
            yield Refusal(shown, "", "", "is a link that leads nowhere")
            continue
        yield file if inside else Refusal(shown, "", "", "is a link that leads out of the folder")


def json_files(path: Path) -> list[Path]:
    """`path` itself, or the JSON files under the folder in the order of their paths."""
    return [file for file in _json_files(path) if isinstance(file, Path)]


def _json_files(path: Path) -> Iterator[Path | Refusal]:
    if not path.is_dir():
        yield path
        return
    yield from found_files(path, lambda file: file.suffix in (".json", ".jsonl"))


def documents(path: Path) -> Iterator[Document | Refusal]:
    """Every document of the file, or of all JSON files under the folder."""
    for file in _json_files(path):
        if isinstance(file, Refusal):
            yield file
            continue
        shown = str(file.relative_to(path)) if path.is_dir() else file.name
        yield from _file(file, shown)


def _file(file: Path, shown: str) -> Iterator[Document | Refusal]:
    text = text_of(file, shown)
    if isinstance(text, Refusal):
        yield text
        return
    whole = _parsed(text, shown, "")
    lines = text.splitlines()
    if isinstance(whole, Document) or len([line for line in lines if line.strip()]) < 2:
        yield whole
        return
    first = next(line for line in lines if line.strip())
    if isinstance(_parsed(first, shown, ""), Refusal):
        yield whole
        return
    for number, line in enumerate(lines):
        if line.strip():
            yield _parsed(line, shown, f"/{number}")


def _parsed(text: str, shown: str, at: str) -> Document | Refusal:
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        return Refusal(shown, at, "", f"line {error.lineno}, column {error.colno}: {_lower(error.msg)}")
    except ValueError as error:
        many = "digits" in str(error) and "limit" in str(error).lower()
        return Refusal(shown, at, "", "a number has more digits than can be read" if many else str(error))
    except RecursionError:
        return Refusal(shown, at, "", "it is nested too deep")
    if is_openapi(value):
        return Refusal(shown, at, "", "it is an OpenAPI document, and only lists of tools are read")
    return Document(shown, at, value)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key `{twice}` stands twice in one object")
    return found


def _no_constant(word: str) -> Any:
    raise ValueError(f"`{word}` is no JSON")


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]
