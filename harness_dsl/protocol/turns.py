"""One model turn: printed from events, and read back from ids.

Between two events stands one line feed, after thinking two (as in Qwen's template); reading takes exactly
these away. Text of white space alone is no event.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from harness_dsl.ir.transcript import (
    Call,
    ForeignCall,
    LoadSkill,
    Malformed,
    ModelEvent,
    ReplyText,
    Think,
    Truncated,
)
from harness_dsl.protocol.mentions import Mentions
from harness_dsl.protocol.source_map import FIXED, Rendered, Writer
from harness_dsl.protocol.syntax_hermes import CLOSE, OPEN, HermesCalls
from harness_dsl.protocol.tokenizer import Tokenizer
from harness_dsl.protocol.tokens import Segment

THINK_OPEN, THINK_CLOSE = "<think>", "</think>"


@dataclass(frozen=True, slots=True)
class Item:
    """A marker, or the text between markers, from the ids `start` to `end` (exclusive)."""

    text: str
    marker: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Read:
    """What a model turn says. `segments` has one entry per id."""

    events: tuple[ModelEvent, ...]
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """An event (None for separators) and the segment of the items `start` to `end` (exclusive)."""

    event: ModelEvent | None
    segment: Segment
    start: int
    end: int


class Turns:
    """Prints and reads model turns under one Surface."""

    def __init__(
        self,
        calls: HermesCalls,
        mentions: Mentions,
        tokenizer: Tokenizer,
        framing_markers: tuple[str, ...],
        stop_ids: tuple[int, ...],
    ) -> None:
        self.markers = (THINK_OPEN, THINK_CLOSE, *calls.markers)
        self._calls = calls
        self._mentions = mentions
        self._tokenizer = tokenizer
        added: Mapping[str, int] = tokenizer.added_tokens
        self._by_id = {added[marker]: marker for marker in self.markers if marker in added}
        spelled = [marker for marker in self.markers if marker not in added]
        self._spelled = re.compile("|".join(map(re.escape, spelled))) if spelled else None
        self._role_ids = {added[marker] for marker in framing_markers if marker in added}
        self._stop_ids = frozenset(stop_ids)

    def print(self, events: Sequence[ModelEvent]) -> Rendered:
        """The turn without its end token."""
        writer = Writer()
        before: ModelEvent | None = None
        for event in events:
            if isinstance(event, Truncated):
                continue
            if before is not None and not isinstance(before, Think):
                writer.fixed("\n")
            self._print(writer, event)
            before = event
        return writer.rendered()

    def _print(self, writer: Writer, event: ModelEvent) -> None:
        match event:
            case Think():
                writer.marker(THINK_OPEN)
                writer.add(f"\n{self._mentions.lower(event.text)}\n", FIXED, "text")
                writer.marker(THINK_CLOSE)
                writer.fixed("\n\n")
            case ReplyText():
                writer.add(self._mentions.lower(event.text), FIXED, "text")
            case Call() | LoadSkill() | ForeignCall():
                writer.marker(OPEN)
                writer.add(f"\n{self._calls.print(event)}\n", FIXED, "text")
                writer.marker(CLOSE)
            case Malformed():
                writer.with_markers(event.text, self.markers, FIXED, "text")
            case Truncated():
                return
            case _:
                assert_never(event)

    def read(self, ids: Sequence[int]) -> Read:
        """What a model's output says; never raises. Without a stop id the last event is `Truncated`."""
        stop = next((at for at, id_ in enumerate(ids) if id_ in self._stop_ids), None)
        body = ids if stop is None else ids[:stop]
        items = self._items(body)
        roles = frozenset(at for at, id_ in enumerate(body) if id_ in self._role_ids)
        parts = _Reader(items, self._calls, self._mentions, roles, stop is not None).parts()
        events: list[ModelEvent] = [part.event for part in parts if part.event is not None]
        segments = self._segments(parts, items, len(ids))
        if stop is not None and stop + 1 < len(ids):
            text = self._tokenizer.decode(ids[stop + 1 :])
            events.append(Malformed(text=text, reason="text after the end of the turn"))
        if stop is None:
            events.append(Truncated())
        return Read(tuple(events), segments)

    def _segments(self, parts: Sequence[Part], items: Sequence[Item], length: int) -> tuple[Segment, ...]:
        segments: list[Segment] = []
        for part in parts:
            width = items[part.end - 1].end - items[part.start].start
            segments += [part.segment] * width
        last: Segment = segments[-1] if segments else "reply"
        return (*segments, *[last] * (length - len(segments)))

    def _items(self, ids: Sequence[int]) -> list[Item]:
        items: list[Item] = []
        start = 0
        for at, id_ in enumerate(ids):
            marker = self._by_id.get(id_)
            if marker is None:
                continue
            self._add_text(items, ids, start, at)
            items.append(Item(marker, True, at, at + 1))
            start = at + 1
        self._add_text(items, ids, start, len(ids))
        return items

    def _add_text(self, items: list[Item], ids: Sequence[int], start: int, end: int) -> None:
        if start == end:
            return
        run = ids[start:end]
        text = self._tokenizer.decode(run)
        matches = list(self._spelled.finditer(text)) if self._spelled else []
        if not matches:
            items.append(Item(text, False, start, end))
            return
        cuts = [cut for match in matches for cut in match.span()]
        edges = [start, *(start + self._token_at(run, cut) for cut in cuts), end]
        bounds = [0, *cuts, len(text)]
        for index in range(len(bounds) - 1):
            piece = text[bounds[index] : bounds[index + 1]]
            if piece:
                items.append(Item(piece, index % 2 == 1, edges[index], edges[index + 1]))

    def _token_at(self, run: Sequence[int], characters: int) -> int:
        """How many ids of `run` write `characters`; a token across the border goes to the left."""
        low, high = 0, len(run)
        while low < high:
            middle = (low + high) // 2
            if len(self._tokenizer.decode(run[:middle])) < characters:
                low = middle + 1
            else:
                high = middle
        return low


class _Reader:
    """Walks the items of one turn."""

    def __init__(
        self,
        items: Sequence[Item],
        calls: HermesCalls,
        mentions: Mentions,
        roles: frozenset[int],
        ended: bool,
    ) -> None:
        self._items = items
        self._calls = calls
        self._mentions = mentions
        self._roles = roles
        self._ended = ended

    def parts(self) -> list[Part]:
        """Parts that cover all items."""
        parts: list[Part] = []
        at = 0
        while at < len(self._items):
            item = self._items[at]
            if not item.marker:
                part = self._text(at, parts[-1] if parts else None)
            elif item.text == THINK_OPEN:
                part = self._think(at)
            elif item.text == OPEN:
                part = self._call(at)
            else:
                reason = f"`{item.text}` without its beginning"
                part = Part(Malformed(text=item.text, reason=reason), "reply", at, at + 1)
            parts.append(self._without_roles(part))
            at = part.end
        return parts

    def _without_roles(self, part: Part) -> Part:
        """`part`, or a `Malformed` where the model produced a role token (spelled out, it is harmless)."""
        start, end = self._items[part.start].start, self._items[part.end - 1].end
        if not any(start <= at < end for at in self._roles):
            return part
        text = self._join(part.start, part.end)
        return replace(part, event=Malformed(text=text, reason="a role token inside the output"))

    def _think(self, at: int) -> Part:
        close = self._find(at + 1, (THINK_CLOSE,))
        if close < len(self._items):
            inner = self._join(at + 1, close)
            inner = inner.removeprefix("\n")
            return Part(self._thought(inner.removesuffix("\n")), "think", at, close + 1)
        end = self._find(at + 1, (OPEN,))
        text = self._join(at + 1, end)
        if end == len(self._items) and not self._ended:
            return Part(self._thought(text.removeprefix("\n")), "think", at, end)
        whole = THINK_OPEN + (text if end == len(self._items) else text.removesuffix("\n"))
        return Part(Malformed(text=whole, reason="the thinking is not closed"), "think", at, end)

    def _thought(self, text: str) -> Think:
        return Think(text=self._mentions.lift(text).prose)

    def _call(self, at: int) -> Part:
        end = at + 1
        while end < len(self._items) and not self._items[end].marker:
            end += 1
        body = self._join(at + 1, end)
        if end < len(self._items) and self._items[end].text == CLOSE:
            return Part(self._calls.read(body), "call", at, end + 1)
        text = OPEN + (body if end == len(self._items) else body.removesuffix("\n"))
        return Part(Malformed(text=text, reason="the call is not closed"), "call", at, end)

    def _text(self, at: int, before: Part | None) -> Part:
        text = self._items[at].text
        if before is not None:
            separator = "\n\n" if isinstance(before.event, Think) and text.startswith("\n\n") else "\n"
            text = text.removeprefix(separator)
        last = at + 1 == len(self._items)
        if not last:
            text = text.removesuffix("\n")
        if not text.strip():
            segment: Segment = before.segment if before else ("reply" if last else self._segment_at(at + 1))
            return Part(None, segment, at, at + 1)
        return Part(ReplyText(text=self._mentions.lift(text).prose), "reply", at, at + 1)

    def _segment_at(self, at: int) -> Segment:
        return "think" if self._items[at].text == THINK_OPEN else "call"

    def _find(self, at: int, markers: tuple[str, ...]) -> int:
        while at < len(self._items) and not (self._items[at].marker and self._items[at].text in markers):
            at += 1
        return at

    def _join(self, start: int, end: int) -> str:
        return "".join(item.text for item in self._items[start:end])
