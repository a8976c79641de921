"""A turn read in pieces is the turn read at once, and what is certain comes at once."""

from collections.abc import Sequence
from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness_dsl.ir.surface import CallSyntax
from harness_dsl.ir.transcript import Call, LoadSkill, Malformed, ModelEvent, ReplyText, Think, Truncated
from harness_dsl.protocol import Protocol
from harness_dsl.protocol.encoding import encode_rendered
from harness_dsl.protocol.markers import MARKERS
from harness_dsl.protocol.source_map import Writer
from harness_dsl.protocol.stream import TurnStream
from tests.protocol.tokenizers_made_here import SPECIAL, all_tokenizers
from tests.strategies import small_shop

CORE, SURFACE = small_shop()
QUOTE = Call(tool="tool/get_quote", arguments={"link_id": 3})
EVENTS = (
    Think(text=("先看 3号 🍵",)),
    LoadSkill(skill="skill/item_qa"),
    QUOTE,
    ReplyText(text=("稍等，",)),
    QUOTE,
    ReplyText(text=("89元",)),
)
PIECES = (
    *MARKERS,
    *SPECIAL,
    '\n{"name": "query_price", "arguments": {"link": 3}}\n',
    "\n",
    "\n\n",
    " ",
    "好🍵",
    "{",
)
WRITTEN = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=10).map("".join)


def protocol_of(tokenizer: str = "byte_level", syntax: CallSyntax = "hermes_json") -> Protocol:
    return Protocol(CORE, SURFACE.model_copy(update={"call_syntax": syntax}), all_tokenizers()[tokenizer])


def ids_of(text: str, protocol: Protocol) -> list[int]:
    """`text` as a model would produce it, its markers and role tokens as tokens."""
    writer = Writer()
    writer.with_markers(text, (*MARKERS, *SPECIAL), "model", "text")
    return [*encode_rendered(writer.rendered(), protocol.tokenizer).ids]


def in_pieces(stream: TurnStream, ids: Sequence[int], cuts: Sequence[int]) -> list[ModelEvent]:
    """All events of a stream that is fed `ids` cut at `cuts`."""
    edges = [0, *sorted(cut % (len(ids) + 1) for cut in cuts), len(ids)]
    found: list[ModelEvent] = []
    for start, end in pairwise(edges):
        found += stream.feed(ids[start:end])
    return [*found, *stream.finish()]


def reads_the_same(protocol: Protocol, stream: TurnStream, ids: Sequence[int], cuts: Sequence[int]) -> None:
    """The law."""
    assert tuple(in_pieces(stream, ids, cuts)) == protocol.parse(ids)


CUTS = st.lists(st.integers(0, 200), max_size=6)


@given(WRITTEN, CUTS, st.booleans(), st.sampled_from(sorted(all_tokenizers())))
def test_any_text_in_any_pieces_gives_the_same_events(
    text: str, cuts: list[int], ended: bool, tokenizer: str
) -> None:
    protocol = protocol_of(tokenizer)
    ids = ids_of(text, protocol) + ([protocol.stop_ids[0]] if ended else [])
    reads_the_same(protocol, protocol.stream(), ids, cuts)
    reads_the_same(protocol, protocol.stream(), ids, range(len(ids)))


@given(st.lists(st.integers(0, 440), max_size=30), CUTS, st.sampled_from(sorted(all_tokenizers())))
def test_any_ids_in_any_pieces_give_the_same_events(ids: list[int], cuts: list[int], tokenizer: str) -> None:
    protocol = protocol_of(tokenizer)
    reads_the_same(protocol, protocol.stream(), ids, cuts)


@pytest.mark.parametrize("syntax", get_args(CallSyntax))
def test_each_event_comes_as_soon_as_it_is_certain(syntax: CallSyntax) -> None:
    protocol = protocol_of(syntax=syntax)
    ids = protocol.encode(EVENTS)
    stream, found = protocol.stream(), []
    markers = {protocol.tokenizer.added_tokens[marker] for marker in MARKERS}
    for at, id_ in enumerate(ids):
        events = stream.feed([id_])
        assert not events or id_ in markers or at == len(ids) - 1
        found += [(event.kind, protocol.tokenizer.decode([id_])) for event in events]
    assert stream.finish() == ()
    called = [("load_skill", "</tool_call>"), ("call", "</tool_call>")]
    assert found == [
        ("think", "</think>"),
        *called,
        ("reply", "<tool_call>"),
        ("call", "</tool_call>"),
        ("reply", protocol.tokenizer.decode([protocol.stop_ids[0]])),
    ]


def test_a_turn_that_is_cut_off_says_so_only_when_it_is_over() -> None:
    protocol = protocol_of()
    ids = protocol.encode((*EVENTS, Truncated()))
    stream = protocol.stream()
    assert stream.feed(ids) == EVENTS[:-1]
    assert stream.finish() == (EVENTS[-1], Truncated())


def test_what_follows_the_end_of_the_turn_is_one_event_at_the_end() -> None:
    protocol = protocol_of()
    stream = protocol.stream()
    stream.feed(protocol.encode(EVENTS))
    assert stream.feed(ids_of("再", protocol)) == stream.feed(ids_of("说", protocol)) == ()
    assert stream.finish() == (Malformed(text="再说", reason="text after the end of the turn"),)


def test_where_markers_are_spelled_everything_waits_for_the_end() -> None:
    protocol = protocol_of("markers_spelled")
    ids = protocol.encode(EVENTS)
    stream = protocol.stream()
    assert stream.feed(ids[:-1]) == ()
    assert stream.feed(ids[-1:]) == EVENTS


class ForgetsWhatWasBefore(TurnStream):
    """Broken: takes each piece for the beginning of a turn."""

    def _certain(self) -> list[ModelEvent]:
        self._before = None
        return super()._certain()


class TooEarly(TurnStream):
    """Broken: gives a text out before what follows is known."""

    def feed(self, ids: Sequence[int]) -> tuple[ModelEvent, ...]:
        return (*super().feed(ids), *self._read(ended=True))


@pytest.mark.parametrize("twin", [ForgetsWhatWasBefore, TooEarly])
def test_a_broken_stream_is_caught(twin: type[TurnStream]) -> None:
    protocol = protocol_of()
    ids = protocol.encode(EVENTS)
    reads_the_same(protocol, protocol.stream(), ids, range(len(ids)))
    with pytest.raises(AssertionError):
        reads_the_same(protocol, twin(protocol._turns), ids, range(len(ids)))
