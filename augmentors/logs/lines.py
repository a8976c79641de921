"""The lines of a log, however long they are, in memory that does not grow with them."""

import codecs
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_STEP = 1 << 20


@dataclass(frozen=True)
class Line:
    """A line that is not blank. `data` is None where it has more bytes than may be read at once; `offset` and
    `size` say where it stands in the file. `ended`: a line feed follows.
    """

    number: int
    offset: int
    size: int
    ended: bool
    data: bytes | None


def lines(path: Path, most: int) -> Iterator[Line]:
    """The lines of a file, each of at most `most` bytes or without its data. Raises `OSError`."""
    with path.open("rb") as file:
        offset = 3 if file.read(3) == codecs.BOM_UTF8 else 0
        file.seek(offset)
        number = 0
        while data := file.readline(most + 1):
            number += 1
            size = len(data)
            ended = data.endswith(b"\n")
            if size > most and not ended:
                size, ended = _passed(file, size)
                yield Line(number, offset, size, ended, None)
            elif data.strip():
                yield Line(number, offset, size, ended, data)
            offset += size


def _passed(file: BinaryIO, size: int) -> tuple[int, bool]:
    """Reads on to the end of the line; its whole size, and whether a line feed ends it."""
    while data := file.readline(_STEP):
        size += len(data)
        if data.endswith(b"\n"):
            return size, True
    return size, False


def quoted(path: Path, line: Line) -> Iterator[str]:
    """The line as a JSON string, piece by piece. Bytes that are no UTF-8 are lone surrogates in it, as
    `surrogateescape` reads them, so that nothing is lost.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    yield '"'
    with path.open("rb") as file:
        file.seek(line.offset)
        left = line.size
        while left > 0 and (data := file.read(min(_STEP, left))):
            left -= len(data)
            text = decoder.decode(data, final=left <= 0)
            if left <= 0:
                text = text.removesuffix("\n")
            yield json.dumps(text)[1:-1]
    yield '"'
