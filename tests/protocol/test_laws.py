"""Laws of the protocol on generated harnesses, Surfaces and conversations, with twins that break them."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness_dsl.ir.core import Core
from harness_dsl.ir.naming import Naming, symbols
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import (
    Call,
    Event,
    Generated,
    Mention,
    ModelEvent,
    Published,
    ReplyText,
    Transcript,
    Truncated,
    User,
)
from harness_dsl.protocol import Protocol, Rendered, Tokens, TokenSpan, lift, lower
from harness_dsl.protocol.json_text import dump
from tests.protocol.tokenizers_made_here import LOSSLESS, all_tokenizers
from tests.strategies import cores, small_shop, surfaces, transcripts
from tests.strategies.shop import ROOM

Case = tuple[Core, Surface, Transcript]
TOKENIZERS = st.sampled_from(sorted(all_tokenizers()))
LOSSLESS_TOKENIZERS = st.sampled_from(LOSSLESS)


@st.composite
def cases(draw: st.DrawFn, noise: bool = False) -> Case:
    core = draw(cores())
    return core, draw(surfaces(core)), draw(transcripts(core, noise=noise))


def protocol_of(case: Case, tokenizer: str) -> Protocol:
    return Protocol(case[0], case[1], all_tokenizers()[tokenizer])


def batches(events: Sequence[Event]) -> list[tuple[Event, ...]]:
    """The events as an agent loop gives them to `extend`: model turns alone, feedback together."""
    found: list[list[Event]] = []
    for event in events:
        together = found and not isinstance(event, Generated) and not isinstance(found[-1][-1], Generated)
        if together:
            found[-1].append(event)
        else:
            found.append([event])
    return [tuple(batch) for batch in found]


def outputs(transcript: Transcript) -> list[tuple[ModelEvent, ...]]:
    return [event.events for event in transcript.events if isinstance(event, Generated)]


# Prefix law


def assert_prefixes(protocol: Protocol, transcript: Transcript) -> None:
    tokens = protocol.open(transcript.inputs)
    for batch in batches(transcript.events):
        longer = protocol.extend(tokens, batch)
        assert longer.ids[: len(tokens.ids)] == tokens.ids
        assert longer.spans[: len(tokens.spans)] == tokens.spans
        shown = [event for event in batch if not isinstance(event, Published)]
        assert longer.ready == (not isinstance(shown[-1], Generated) if shown else tokens.ready)
        tokens = longer
    assert protocol.replay(transcript) == tokens
    assert sum(span.end - span.start for span in tokens.spans) == len(tokens.ids)


@given(cases(noise=True), TOKENIZERS)
def test_a_prompt_is_a_prefix_of_the_next(case: Case, tokenizer: str) -> None:
    assert_prefixes(protocol_of(case, tokenizer), case[2])


class Retokenising(Protocol):
    """Broken: joins the conversation as text and encodes the whole again."""

    def extend(self, tokens: Tokens, events: Any) -> Tokens:
        longer = super().extend(tokens, events)
        ids = self.tokenizer.encode(self.tokenizer.decode(longer.ids))
        return Tokens(tuple(ids), (TokenSpan(0, len(ids), "", "protocol"),), ready=longer.ready)


def produced_unlike_encode(protocol: Protocol) -> tuple[int, ...]:
    """A reply in ids that no encoder gives: letter by letter."""
    ids = [id_ for letter in "the price is 89" for id_ in protocol.tokenizer.encode_untrusted(letter).ids]
    return (*ids, protocol.stop_ids[0])


def assert_ids_stay(protocol: Protocol) -> None:
    ids = produced_unlike_encode(protocol)
    tokens = protocol.extend(protocol.open({"room": ROOM}), User(text="3号多少钱"))
    tokens = protocol.extend(tokens, Generated(events=protocol.parse(ids), ids=ids))
    at = len(tokens.ids) - len(ids) - len(protocol.tokenizer.encode("\n"))
    assert tokens.ids[at : at + len(ids)] == ids


def test_bug_36_ids_of_the_model_are_never_encoded_again() -> None:
    core, surface = small_shop()
    tokenizer = all_tokenizers()["byte_level"]
    assert_ids_stay(Protocol(core, surface, tokenizer))
    with pytest.raises(AssertionError):
        assert_ids_stay(Retokenising(core, surface, tokenizer))


# Printing and reading a model turn


def assert_reads_what_it_prints(protocol: Protocol, events: tuple[ModelEvent, ...]) -> None:
    assert protocol.parse(protocol.encode(events)) == events


@given(cases(), LOSSLESS_TOKENIZERS)
def test_parsing_encoded_events_gives_the_events(case: Case, tokenizer: str) -> None:
    protocol = protocol_of(case, tokenizer)
    for events in outputs(case[2]):
        assert_reads_what_it_prints(protocol, events)


@given(cases(noise=True), LOSSLESS_TOKENIZERS)
def test_reading_is_stable_on_whatever_was_read_once(case: Case, tokenizer: str) -> None:
    protocol = protocol_of(case, tokenizer)
    for events in outputs(case[2]):
        once = protocol.parse(protocol.encode(events))
        assert_reads_what_it_prints(protocol, once)


class WithDeclaredNames(Protocol):
    """Broken: prints calls under the declared names, whatever the Surface shows."""

    def encode(self, events: Sequence[ModelEvent]) -> tuple[int, ...]:
        return Protocol(self.core, Surface(), self.tokenizer).encode(events)


def test_a_turn_printed_under_other_names_is_caught() -> None:
    core, surface = small_shop()
    events = (Call(tool="tool/get_quote", arguments={"link_id": 3}),)
    tokenizer = all_tokenizers()["byte_level"]
    assert_reads_what_it_prints(Protocol(core, surface, tokenizer), events)
    with pytest.raises(AssertionError):
        assert_reads_what_it_prints(WithDeclaredNames(core, surface, tokenizer), events)


# Transport


def as_bytes(messages: Sequence[dict[str, Any]]) -> bytes:
    return dump(list(messages)).encode()


Lower = Callable[[Transcript, Core, Surface], list[dict[str, Any]]]


def assert_transport(case: Case, lowering: Lower = lower) -> None:
    core, surface, transcript = case
    messages = lowering(transcript, core, surface)
    lifted = lift(json.loads(as_bytes(messages)), core, surface)
    assert lifted.transcript == transcript
    assert as_bytes(lower(lifted.transcript, core, surface)) == as_bytes(messages)


@given(cases(noise=True))
def test_lift_and_lower_are_inverse(case: Case) -> None:
    assert_transport(case)


@given(cases())
def test_only_notes_of_hooks_and_publications_need_more_than_the_openai_form(case: Case) -> None:
    core, surface, transcript = case
    shown = [event for event in transcript.events if not isinstance(event, Published)]
    messages = lower(transcript, core, surface)[1:]
    for event, message in zip(shown, messages, strict=True):
        if event.kind in ("user", "generated", "skill_shown"):
            assert "event" not in message.get("harness", {}), (event, message)


@given(st.data())
def test_a_conversation_moves_between_surfaces_and_back(data: st.DataObject) -> None:
    core = data.draw(cores())
    first, second = data.draw(surfaces(core)), data.draw(surfaces(core))
    transcript = data.draw(transcripts(core))
    there = lift(lower(transcript, core, first), core, first).transcript
    moved = lift(lower(there, core, second), core, second).transcript
    assert moved == transcript
    assert as_bytes(lower(moved, core, first)) == as_bytes(lower(transcript, core, first))


def replaced_as_strings(transcript: Transcript, core: Core, surface: Surface) -> list[dict[str, Any]]:
    """Broken: renames by replacing text in the messages of the declared names."""
    text = dump(lower(transcript, core, Surface()))
    naming = Naming(core, surface)
    for symbol in symbols(core):
        declared = Naming(core, Surface()).name(symbol)
        text = text.replace(declared, naming.name(symbol))
    messages: list[dict[str, Any]] = json.loads(text)
    return messages


def test_transport_by_string_replacement_breaks_the_law() -> None:
    core, surface = small_shop()
    call = Call(tool="tool/delivery_days", arguments={"city": "get_quote"})
    transcript = Transcript(
        core_digest="sha256:0",
        inputs={"room": ROOM},
        events=(User(text="name the link_id of it"), Generated(events=(call,))),
    )
    assert_transport((core, surface, transcript))
    with pytest.raises(AssertionError):
        assert_transport((core, surface, transcript), replaced_as_strings)


# Mask


def assert_mask(protocol: Protocol, transcript: Transcript) -> None:
    """The mask covers the model's ids, the end token too, and nothing else."""
    tokens = protocol.open(transcript.inputs)
    mask = protocol.mask(tokens)
    expected = [""] * len(tokens.ids)
    assert mask == expected
    for batch in batches(transcript.events):
        before = len(tokens.ids)
        tokens = protocol.extend(tokens, batch)
        added = protocol.mask(tokens)[before:]
        if not isinstance(batch[0], Generated):
            assert not any(added)
            continue
        ids = protocol.encode(batch[0].events)
        own = [at for at, segment in enumerate(added) if segment]
        assert len(own) == len(ids)
        assert [tokens.ids[before + at] for at in own] == list(ids)
        truncated = isinstance(batch[0].events[-1], Truncated)
        assert truncated or tokens.ids[before + own[-1]] == protocol.stop_ids[0]


@given(cases(noise=True), TOKENIZERS)
def test_the_mask_is_on_exactly_what_the_model_wrote(case: Case, tokenizer: str) -> None:
    assert_mask(protocol_of(case, tokenizer), case[2])


class WithoutEnd(Protocol):
    """Broken: never trains the end token."""

    def mask(self, tokens: Tokens) -> list[Any]:
        mask = super().mask(tokens)
        return ["" if id_ in self.stop_ids else part for id_, part in zip(tokens.ids, mask, strict=True)]


class AllZero(Protocol):
    """Broken: finds nothing to train, in silence."""

    def mask(self, tokens: Tokens) -> list[Any]:
        return [""] * len(tokens.ids)


@pytest.mark.parametrize("twin", [WithoutEnd, AllZero])
def test_bug_42_a_mask_without_end_token_or_without_anything_is_caught(twin: type[Protocol]) -> None:
    core, surface = small_shop()
    reply = Generated(events=(ReplyText(text=("89元",)),))
    transcript = Transcript(core_digest="", inputs={"room": ROOM}, events=(User(text="多少钱"), reply))
    assert_mask(Protocol(core, surface, all_tokenizers()["byte_level"]), transcript)
    with pytest.raises(AssertionError):
        assert_mask(twin(core, surface, all_tokenizers()["byte_level"]), transcript)


@given(cases(), LOSSLESS_TOKENIZERS)
def test_parts_of_a_turn_are_told_apart(case: Case, tokenizer: str) -> None:
    """A turn has a think part if and only if it thinks, and so for calls; a reply part if it replies."""
    protocol = protocol_of(case, tokenizer)
    for events in outputs(case[2]):
        tokens = Tokens(ready=True)
        tokens = protocol.extend(tokens, Generated(events=events))
        parts = set(protocol.mask(tokens)) - {""}
        kinds = {event.kind for event in events}
        assert ("think" in parts) == ("think" in kinds)
        assert ("call" in parts) == bool(kinds & {"call", "load_skill", "foreign_call"})
        assert ("reply" in parts) >= ("reply" in kinds)


# Source map


def assert_bound_names(rendered: Rendered, core: Core, surface: Surface) -> None:
    """Spans cover the text, and each that is bound to a symbol prints its current name."""
    naming = Naming(core, surface)
    limits = {limit.id for limit in core.limits}
    at = 0
    for span in rendered.spans:
        assert span.start == at
        at = span.end
        if span.kind == "symbol" and span.source not in limits:
            name = naming.name(span.source)
            assert rendered.text[span.start : span.end] in (name, dump(name)[1:-1])
    assert at == len(rendered.text)


@given(cases())
def test_a_span_bound_to_a_symbol_prints_its_current_name(case: Case) -> None:
    core, surface, transcript = case
    assert_bound_names(protocol_of(case, "byte_level").render(transcript.inputs), core, surface)


def test_a_prompt_under_other_names_or_with_a_gap_in_its_map_is_caught() -> None:
    core, surface = small_shop()
    tokenizer = all_tokenizers()["byte_level"]
    rendered = Protocol(core, surface, tokenizer).render({"room": ROOM})
    assert_bound_names(rendered, core, surface)
    stale = Protocol(core, Surface(), tokenizer).render({"room": ROOM})
    gap = Rendered(rendered.text, rendered.spans[:5] + rendered.spans[6:])
    for broken in (stale, gap):
        with pytest.raises(AssertionError):
            assert_bound_names(broken, core, surface)


@given(cases())
def test_every_shown_tool_and_parameter_has_its_span(case: Case) -> None:
    core, surface, transcript = case
    rendered = protocol_of(case, "byte_level").render(transcript.inputs)
    bound = {span.source for span in rendered.spans if span.kind == "symbol"}
    for tool in core.tools:
        if tool.id in surface.hidden:
            continue
        assert tool.id in bound
        assert bound.issuperset(param.id for param in tool.params)
    assert bound.issuperset(f"foreign/{tool.name}" for tool in surface.distractors)


@given(cases(), st.sampled_from(("byte_level", "vocabulary_with_markers")))
def test_the_prompt_is_the_tokens_decoded(case: Case, tokenizer: str) -> None:
    protocol = protocol_of(case, tokenizer)
    tokens = protocol.open(case[2].inputs)
    assert protocol.tokenizer.decode(tokens.ids) == protocol.render(case[2].inputs).text


@given(cases())
def test_token_sources_follow_the_characters(case: Case) -> None:
    protocol = protocol_of(case, "vocabulary_with_markers")
    rendered = protocol.render(case[2].inputs)
    tokens = protocol.open(case[2].inputs)
    symbols_in_text = [span.source for span in rendered.spans if span.kind == "symbol"]
    sources = [span.source for span in tokens.spans]
    for symbol in symbols_in_text:
        assert symbol in sources


# Mentions


def test_a_mention_is_never_lost_to_a_neighbour() -> None:
    core, surface = small_shop()
    protocol = Protocol(core, surface, all_tokenizers()["byte_level"])
    assert_reads_what_it_prints(
        protocol,
        (ReplyText(text=("x", Mention(symbol="tool/get_quote"), "s 8", Mention(symbol="skill/item_qa"))),),
    )
