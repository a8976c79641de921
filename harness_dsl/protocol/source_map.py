"""Text whose every character knows where it comes from."""

from dataclasses import dataclass
from typing import Any, Literal

from harness_dsl.protocol.json_text import dump
from harness_dsl.protocol.markers import encodable, escaped

SpanKind = Literal["marker", "fixed", "symbol", "text", "value"]

Piece = tuple[str, str, SpanKind]
"""A text, its source and its kind: a span that carries its own text."""

FIXED = "protocol"
"""Source of what the protocol itself writes: headings, punctuation, the line on how to call."""

MODEL = "model"
"""Source of what a model wrote."""

USER = "user"
"""Source of a user's text."""


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """Characters `start` to `end` (exclusive, code points) come from `source`.

    marker  a token of the framing or the call syntax, such as `<tool_call>`; only these become added tokens
    fixed   written by the protocol
    symbol  the current name of the symbol `source` (or the value of a limit)
    text    author's prose; `source` is the id of the text
    value   a run-time value: a user's text, a result, an interpolated input, what a model wrote
    """

    start: int
    end: int
    source: str
    kind: SpanKind


class Sourced(str):
    """A text that knows its source while it travels inside JSON-like data."""

    source: str
    kind: SpanKind

    def __new__(cls, text: str, source: str, kind: SpanKind) -> "Sourced":
        sourced = super().__new__(cls, text)
        sourced.source = source
        sourced.kind = kind
        return sourced


@dataclass(frozen=True, slots=True)
class Rendered:
    """`spans` cover `text` without gaps, in order."""

    text: str
    spans: tuple[SourceSpan, ...]


class SourcedProse(str):
    """Prose that keeps the sources of its pieces while it travels inside JSON-like data."""

    rendered: Rendered

    def __new__(cls, rendered: Rendered) -> "SourcedProse":
        prose = super().__new__(cls, rendered.text)
        prose.rendered = rendered
        return prose


class Writer:
    """Builds a `Rendered` from left to right."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._spans: list[SourceSpan] = []
        self._length = 0

    def add(self, text: str, source: str, kind: SpanKind) -> None:
        """Append `text`; empty text leaves no span, equal neighbours join unless markers or symbols."""
        if not text:
            return
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        last = self._spans[-1] if self._spans else None
        joins = last and last.source == source and last.kind == kind and kind not in ("marker", "symbol")
        if last and joins:
            self._spans[-1] = SourceSpan(last.start, self._length, source, kind)
        else:
            self._spans.append(SourceSpan(start, self._length, source, kind))

    def fixed(self, text: str) -> None:
        self.add(text, FIXED, "fixed")

    def marker(self, text: str) -> None:
        self.add(text, FIXED, "marker")

    def extend(self, other: Rendered) -> None:
        """Append another rendered text with its sources."""
        for span in other.spans:
            self.add(other.text[span.start : span.end], span.source, span.kind)

    def prose(self, rendered: Rendered) -> None:
        """Append another text as it stands between the quotes of a JSON string."""
        for span in rendered.spans:
            piece = rendered.text[span.start : span.end]
            self.add(escaped(dump(piece))[1:-1], span.source, span.kind)

    def json(self, value: Any, source: str = FIXED, kind: SpanKind = "fixed") -> None:
        """Append JSON as `dump` prints it, markers escaped; a `Sourced` keeps its own source."""
        match value:
            case Sourced():
                self.add('"', source, kind)
                self.add(escaped(dump(str(value)))[1:-1], value.source, value.kind)
                self.add('"', source, kind)
            case SourcedProse():
                self.add('"', source, kind)
                self.prose(value.rendered)
                self.add('"', source, kind)
            case dict():
                for index, (key, item) in enumerate(value.items()):
                    self.add(", " if index else "{", source, kind)
                    self.json(key, source, kind)
                    self.add(": ", source, kind)
                    self.json(item, source, kind)
                self.add("}" if value else "{}", source, kind)
            case list():
                for index, item in enumerate(value):
                    self.add(", " if index else "[", source, kind)
                    self.json(item, source, kind)
                self.add("]" if value else "[]", source, kind)
            case _:
                self.add(escaped(dump(value)), source, kind)

    def with_markers(self, text: str, markers: tuple[str, ...], source: str, kind: SpanKind) -> None:
        """Append `text`, in which each of `markers` is meant as the token it names."""
        while text:
            found = [(text.find(marker), marker) for marker in markers if marker in text]
            if not found:
                self.add(text, source, kind)
                return
            at, marker = min(found, key=lambda hit: (hit[0], -len(hit[1])))
            self.add(text[:at], source, kind)
            self.marker(marker)
            text = text[at + len(marker) :]

    def rendered(self) -> Rendered:
        """What was written; half a surrogate pair, which has no UTF-8 form, stands as U+FFFD."""
        return Rendered(encodable("".join(self._parts)), tuple(self._spans))
