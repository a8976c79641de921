"""What a quoted text says, and which code point of the file each of its characters comes from.

`"…"` knows the escapes `\\n`, `\\t`, `\\"`, `\\\\` and `\\uXXXX`; r"…" knows none. A text block knows none
either, and is dedented:

1. a line feed right after the opening delimiter is dropped;
2. if the closing delimiter stands alone on its line, that line is dropped with the line feed before it;
3. the white space that begins every line after the opening one, blank lines apart and the line of a closing
   delimiter that stands alone included, is dropped; blank lines become empty. Nothing else changes.
"""

import re
from bisect import bisect_right
from operator import itemgetter
from typing import NamedTuple

from harness_dsl.syntax.tree import Quote

_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "r": "\r"}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)


class Content(NamedTuple):
    """`text`, pieced together from the file: each piece is (where in `text`, where in the file)."""

    text: str
    pieces: list[tuple[int, int]]

    def origin(self, index: int) -> int:
        """The code point of the file that `text[index]` comes from."""
        if not self.pieces:
            return index
        # The last of several empty pieces at one place counts, as it is the one that text follows.
        at, source = self.pieces[max(0, bisect_right(self.pieces, index, key=itemgetter(0)) - 1)]
        return source + index - at


def value_of(quote: Quote) -> str:
    """What `quote` says."""
    if quote.form == "STRING" and "\\" not in quote.source:
        return quote.source[1:-1]
    return content(quote).text


def content(quote: Quote) -> Content:
    """What `quote` says, with origins."""
    if quote.form == "RAW":
        return Content(quote.source[2:-1], [(0, quote.start + 2)])
    if quote.form == "TEXT":
        return _dedented(quote.source[3:-3], quote.start + 3)
    return _unescaped(quote.source[1:-1], quote.start + 1)


def bad_escapes(quote: Quote) -> list[tuple[int, int]]:
    """Where `quote` has a backslash that begins no escape."""
    if quote.form != "STRING" or "\\" not in quote.source:
        return []
    return [
        (quote.start + match.start(), quote.start + match.end())
        for match in _ESCAPE.finditer(quote.source, 0, len(quote.source) - 1)
        if match[2] is not None and match[2] not in _ESCAPES
    ]


def _unescaped(source: str, start: int) -> Content:
    out: list[str] = []
    pieces = [(0, start)]
    at = length = 0
    for match in _ESCAPE.finditer(source):
        out.append(source[at : match.start()])
        length += match.start() - at
        value = chr(int(match[1], 16)) if match[1] else _ESCAPES.get(match[2], match[0])
        if len(value) == 1 and 0xD800 <= ord(value) <= 0xDFFF:
            value = "\ufffd"
        out.append(value)
        pieces += [(length, start + match.start()), (length + len(value), start + match.end())]
        length += len(value)
        at = match.end()
    out.append(source[at:])
    return Content("".join(out), pieces)


def _dedented(source: str, start: int) -> Content:
    lines = source.split("\n")
    if len(lines) == 1:
        return Content(source, [(0, start)])
    closing_alone = not lines[-1].strip(" \t")
    margins = [line for line in lines[1:-1] if line.strip()] + [lines[-1]]
    if not closing_alone and not lines[-1].strip():
        margins = margins[:-1]
    margin = len(_margin(margins))
    out: list[str] = []
    pieces: list[tuple[int, int]] = []
    length, position = 0, start
    last = len(lines) - 1
    for number, line in enumerate(lines):
        skip = 0 if number == 0 else margin
        shown = line[skip:] if number == 0 or line.strip() else ""
        dropped = (number == 0 and not line) or (number == last and closing_alone)
        if not dropped:
            if out:
                length += 1
            pieces.append((length, position + (skip if shown else 0)))
            out.append(shown)
            length += len(shown)
        position += len(line) + 1
    return Content("\n".join(out), pieces)


def _margin(lines: list[str]) -> str:
    """The white space that all `lines` begin with."""
    margin: str | None = None
    for line in lines:
        own = line[: len(line) - len(line.lstrip(" \t"))]
        if margin is None:
            margin = own
        while not own.startswith(margin):
            margin = margin[:-1]
    return margin or ""
