"""A file of rows, read one at a time: short rows (`compact`) and rows written out in full."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augmentors import parquet
from augmentors.certificates import BadRow, Certificate, from_data, object_of
from augmentors.codebook import Codebook
from augmentors.compact import from_row, is_compact


@dataclass(frozen=True)
class Row:
    """One line of a rows file: what it claims, and the messages beside it, if any."""

    number: int
    certificate: Certificate
    messages: list[dict[str, Any]] | None = None


def read(path: Path, book: Codebook) -> Iterator[Row | BadRow]:
    """The rows of a file about the harness of `book`. A bad line is a value with its number in front. Raises
    `OSError`.
    """
    for number, line in numbered(path):
        yield row_of(number, line, book)


def numbered(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not empty, with their numbers; rows of a Parquet file as such lines.

    Raises `OSError`, and `ModuleNotFoundError` for a Parquet file without pyarrow.
    """
    if parquet.is_parquet(path):
        yield from enumerate(parquet.lines(path), 1)
        return
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield number, line


def row_of(number: int, line: str, book: Codebook) -> Row | BadRow:
    """The row in a line."""
    try:
        data = object_of(line, once=True)
        certificate = certificate_of(data, book)
        return Row(number, certificate, _messages(data))
    except BadRow as error:
        return BadRow(f"line {number}: {error}")


def certificate_of(data: dict[str, Any], book: Codebook) -> Certificate:
    """The certificate in the object of a row of either form. Raises `BadRow`."""
    return from_row(data, book) if is_compact(data) else from_data(data)


def _messages(data: dict[str, Any]) -> list[dict[str, Any]] | None:
    if "messages" not in data:
        return None
    value = data["messages"]
    if not isinstance(value, list) or not all(isinstance(message, dict) for message in value):
        raise BadRow("`messages`: a list of objects is expected")
    return value
