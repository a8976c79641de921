"""Reads the markers and texts of one model turn as events. Text of white space alone is no event."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness_dsl.ir.transcript import Malformed, ModelEvent, ReplyText, Think
from harness_dsl.protocol.calls import Calls
from harness_dsl.protocol.markers import CALL_CLOSE, CALL_OPEN, THINK_CLOSE, THINK_OPEN
from harness_dsl.protocol.mentions import Mentions
from harness_dsl.protocol.tokens import Segment


@dataclass(frozen=True, slots=True)
class Item:
    """A marker, or the text between markers, from the ids `start` to `end` (exclusive)."""

    text: str
    marker: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Part:
    """Events (none for separators, several for a block of calls) and the segment of the items `start` to
    `end` (exclusive).
    """

    events: tuple[ModelEvent, ...]
    segment: Segment
    start: int
    end: int


class TurnReader:
    """Walks the items of one turn."""

    def __init__(
        self,
        items: Sequence[Item],
        calls: Calls,
        mentions: Mentions,
        roles: frozenset[int],
        ended: bool,
    ) -> None:
        self.items = items
        self._calls = calls
        self._mentions = mentions
        self._roles = roles
        self._ended = ended

    def parts(self) -> list[Part]:
        """Parts that cover all items."""
        parts: list[Part] = []
        at = 0
        while at < len(self.items):
            parts.append(self.part(at, parts[-1] if parts else None))
            at = parts[-1].end
        return parts

    def part(self, at: int, before: Part | None) -> Part:
        """The part that begins with item `at`; `before` is the one that ends there."""
        item = self.items[at]
        if not item.marker:
            part = self._text(at, before)
        elif item.text == THINK_OPEN:
            part = self._think(at)
        elif item.text == CALL_OPEN:
            part = self._call(at)
        else:
            reason = f"`{item.text}` without its beginning"
            part = Part((Malformed(text=item.text, reason=reason),), "reply", at, at + 1)
        return self._without_roles(part)

    def is_decided(self, at: int) -> bool:
        """Whether no item that is still to come can change the part that begins with item `at`."""
        item = self.items[at]
        if item.marker and item.text == THINK_OPEN:
            return self._find(at + 1, (THINK_CLOSE,)) < len(self.items)
        if item.marker and item.text != CALL_OPEN:
            return True
        return any(later.marker for later in self.items[at + 1 :])

    def _without_roles(self, part: Part) -> Part:
        """`part`, or a `Malformed` where the model produced a role token (spelled out, it is harmless)."""
        start, end = self.items[part.start].start, self.items[part.end - 1].end
        if not any(start <= at < end for at in self._roles):
            return part
        text = self._join(part.start, part.end)
        return replace(part, events=(Malformed(text=text, reason="a role token inside the output"),))

    def _think(self, at: int) -> Part:
        close = self._find(at + 1, (THINK_CLOSE,))
        if close < len(self.items):
            inner = self._join(at + 1, close)
            inner = inner.removeprefix("\n")
            return Part((self._thought(inner.removesuffix("\n")),), "think", at, close + 1)
        end = self._find(at + 1, (CALL_OPEN,))
        text = self._join(at + 1, end)
        if end == len(self.items) and not self._ended:
            return Part((self._thought(text.removeprefix("\n")),), "think", at, end)
        whole = THINK_OPEN + (text if end == len(self.items) else text.removesuffix("\n"))
        return Part((Malformed(text=whole, reason="the thinking is not closed"),), "think", at, end)

    def _thought(self, text: str) -> Think:
        return Think(text=self._mentions.lift(text).prose)

    def _call(self, at: int) -> Part:
        end = at + 1
        while end < len(self.items) and not self.items[end].marker:
            end += 1
        body = self._join(at + 1, end)
        if end < len(self.items) and self.items[end].text == CALL_CLOSE:
            return Part(self._calls.read(body), "call", at, end + 1)
        text = CALL_OPEN + (body if end == len(self.items) else body.removesuffix("\n"))
        return Part((Malformed(text=text, reason="the call is not closed"),), "call", at, end)

    def _text(self, at: int, before: Part | None) -> Part:
        text = self.items[at].text
        if before is not None:
            thought = bool(before.events) and isinstance(before.events[-1], Think)
            separator = "\n\n" if thought and text.startswith("\n\n") else "\n"
            text = text.removeprefix(separator)
        last = at + 1 == len(self.items)
        if not last:
            text = text.removesuffix("\n")
        if not text.strip():
            segment: Segment = before.segment if before else ("reply" if last else self._segment_at(at + 1))
            return Part((), segment, at, at + 1)
        return Part((ReplyText(text=self._mentions.lift(text).prose),), "reply", at, at + 1)

    def _segment_at(self, at: int) -> Segment:
        return "think" if self.items[at].text == THINK_OPEN else "call"

    def _find(self, at: int, markers: tuple[str, ...]) -> int:
        while at < len(self.items) and not (self.items[at].marker and self.items[at].text in markers):
            at += 1
        return at

    def _join(self, start: int, end: int) -> str:
        return "".join(item.text for item in self.items[start:end])
