"""One model turn: printed from events, and read back from ids.

Between two events stands one line feed, after thinking two (as in Qwen's template); reading takes exactly
these away. Text of white space alone is no event. Calls side by side share one pair of markers where their
syntax has it so.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
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
from harness_dsl.protocol.calls import AnyCall, Calls
from harness_dsl.protocol.markers import CALL_CLOSE, CALL_OPEN, MARKER, MARKERS, THINK_CLOSE, THINK_OPEN
from harness_dsl.protocol.mentions import Mentions
from harness_dsl.protocol.source_map import MODEL, Rendered, Writer
from harness_dsl.protocol.tokenizer import Tokenizer
from harness_dsl.protocol.tokens import Segment
from harness_dsl.protocol.turn_reader import Item, Part, TurnReader


@dataclass(frozen=True, slots=True)
class Read:
    """What a model turn says. `segments` has one entry per id."""

    events: tuple[ModelEvent, ...]
    segments: tuple[Segment, ...]


class Turns:
    """Prints and reads model turns under one Surface."""

    def __init__(
        self,
        calls: Calls,
        mentions: Mentions,
        tokenizer: Tokenizer,
        framing_markers: tuple[str, ...],
        stop_ids: tuple[int, ...],
    ) -> None:
        self._calls = calls
        self._mentions = mentions
        self._tokenizer = tokenizer
        added: Mapping[str, int] = tokenizer.added_tokens
        self._by_id = {added[marker]: marker for marker in MARKERS if marker in added}
        spelled = [marker for marker in MARKERS if marker not in added]
        self._spelled = re.compile("|".join(map(re.escape, spelled))) if spelled else None
        self._role_ids = {added[marker] for marker in framing_markers if marker in added}
        self._stop_ids = frozenset(stop_ids)

    def print(self, events: Sequence[ModelEvent]) -> Rendered:
        """The turn without its end token."""
        return print_turn(events, self._calls, self._mentions)

    def read(self, ids: Sequence[int]) -> Read:
        """What a model's output says; never raises. Without a stop id the last event is `Truncated`."""
        stop = next((at for at, id_ in enumerate(ids) if self.is_stop(id_)), None)
        reader = self.reader(ids if stop is None else ids[:stop], ended=stop is not None)
        parts = reader.parts()
        events: list[ModelEvent] = [event for part in parts for event in part.events]
        segments = self._segments(parts, reader.items, len(ids))
        if stop is not None and stop + 1 < len(ids):
            events.append(self.after_the_end(ids[stop + 1 :]))
        if stop is None:
            events.append(Truncated())
        return Read(tuple(events), segments)

    def reader(self, ids: Sequence[int], *, ended: bool) -> TurnReader:
        """A reader of ids without a stop id."""
        roles = frozenset(at for at, id_ in enumerate(ids) if id_ in self._role_ids)
        return TurnReader(self._items(ids), self._calls, self._mentions, roles, ended)

    def is_stop(self, id_: int) -> bool:
        """Whether `id_` ends a turn."""
        return id_ in self._stop_ids

    def is_marker(self, id_: int) -> bool:
        """Whether `id_` alone is a marker."""
        return id_ in self._by_id

    @property
    def spells(self) -> bool:
        """Whether some marker has no token, so that it is written out in the text."""
        return self._spelled is not None

    def after_the_end(self, ids: Sequence[int]) -> Malformed:
        """What stands behind a stop id, as an event."""
        return Malformed(text=self._tokenizer.decode(ids), reason="text after the end of the turn")

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


def print_turn(events: Sequence[ModelEvent], calls: Calls, mentions: Mentions) -> Rendered:
    """A model turn as text, without its end token."""
    writer = Writer()
    before: ModelEvent | None = None
    shown = [event for event in events if not isinstance(event, Truncated)]
    for is_call, group in groupby(shown, key=lambda event: isinstance(event, AnyCall)):
        side_by_side = [*group]
        if before is not None and not isinstance(before, Think):
            writer.fixed("\n")
        if is_call:
            _print_calls(writer, side_by_side, calls)
        else:
            _print_texts(writer, side_by_side, mentions)
        before = side_by_side[-1]
    return writer.rendered()


def read_text(text: str, calls: Calls, mentions: Mentions) -> list[ModelEvent]:
    """The events of a finished turn that is known as text only, where every spelled marker counts."""
    items: list[Item] = []
    at = 0
    for match in MARKER.finditer(text):
        if match.start() > at:
            items.append(Item(text[at : match.start()], False, at, match.start()))
        items.append(Item(match[0], True, match.start(), match.end()))
        at = match.end()
    if at < len(text):
        items.append(Item(text[at:], False, at, len(text)))
    parts = TurnReader(items, calls, mentions, frozenset(), True).parts()
    return [event for part in parts for event in part.events]


def _print_calls(writer: Writer, events: Sequence[ModelEvent], calls: Calls) -> None:
    side_by_side = [event for event in events if isinstance(event, AnyCall)]
    for number, body in enumerate(calls.bodies(side_by_side)):
        writer.fixed("\n" if number else "")
        writer.marker(CALL_OPEN)
        writer.add(f"\n{body}\n", MODEL, "value")
        writer.marker(CALL_CLOSE)


def _print_texts(writer: Writer, events: Sequence[ModelEvent], mentions: Mentions) -> None:
    before: ModelEvent | None = None
    for event in events:
        writer.fixed("\n" if before is not None and not isinstance(before, Think) else "")
        _print_text(writer, event, mentions)
        before = event


def _print_text(writer: Writer, event: ModelEvent, mentions: Mentions) -> None:
    match event:
        case Think():
            writer.marker(THINK_OPEN)
            writer.add(f"\n{mentions.lower(event.text)}\n", MODEL, "value")
            writer.marker(THINK_CLOSE)
            writer.fixed("\n\n")
        case ReplyText():
            writer.add(mentions.lower(event.text), MODEL, "value")
        case Malformed():
            writer.with_markers(event.text, MARKERS, MODEL, "value")
        case Call() | LoadSkill() | ForeignCall() | Truncated():
            return
        case _:
            assert_never(event)
