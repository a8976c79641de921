"""JSON files as they are found in the world: one document, or one object a line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from harness_dsl.diagnostics.system import reason
from harness_dsl.exchange.found import Refusal
from harness_dsl.syntax.source import LIMIT


class Document(NamedTuple):
    """`at`: the pointer of `value` in its file; lines count from 0."""

    file: str
    at: str
    value: Any


def text_of(path: Path, shown: str) -> str | Refusal:
    """The text of a file, a byte-order mark apart; or why there is none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        return Refusal(shown, "", "", f"cannot be read: {reason(error)}")
    if len(data) > LIMIT:
        return Refusal(shown, "", "", f"has {len(data)} bytes, more than {LIMIT}")
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        return Refusal(shown, "", "", f"byte {data[error.start]:#04x} at {error.start} is not UTF-8")


def json_files(path: Path) -> list[Path]:
    """`path` itself, or the JSON files under the folder in the order of their paths."""
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.rglob("*") if file.suffix in (".json", ".jsonl") and file.is_file())


def documents(path: Path) -> Iterator[Document | Refusal]:
    """Every document of the file, or of all JSON files under the folder."""
    for file in json_files(path):
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
        return Refusal(shown, at, "", str(error))
    except RecursionError:
        return Refusal(shown, at, "", "it is nested too deep")
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
