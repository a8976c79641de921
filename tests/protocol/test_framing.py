"""The framing beside the chat template of the model family it stands for."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from harness_dsl.ir.transcript import Generated, HookNote, Published, Think, Transcript
from harness_dsl.protocol import Protocol, lower
from tests.protocol.test_laws import Case, cases
from tests.protocol.tokenizers_made_here import all_tokenizers

jinja2 = pytest.importorskip("jinja2", reason="the chat template of the family is written in Jinja")
TOKENIZER = all_tokenizers()["byte_level"]


def family_text(messages: list[dict[str, Any]]) -> str:
    """What the family's own template makes of the messages; it wants arguments as objects."""
    for message in messages:
        for call in message.get("tool_calls", ()):
            call["function"]["arguments"] = json.loads(call["function"]["arguments"])
    environment = jinja2.Environment()
    environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
    template = environment.from_string((Path(__file__).parent / "chatml_hermes.jinja").read_text("utf-8"))
    last = messages[-1]["role"] if messages else ""
    text: str = template.render(messages=messages, add_generation_prompt=last in ("user", "tool"))
    return text


def without_what_the_family_lacks(transcript: Transcript) -> Transcript:
    """Without hook notes, published texts and thinking, which the family drops."""
    events = []
    for event in transcript.events:
        if isinstance(event, HookNote | Published):
            continue
        if isinstance(event, Generated):
            said = tuple(item for item in event.events if not isinstance(item, Think))
            event = event.model_copy(update={"events": said})
        events.append(event)
    return transcript.model_copy(update={"events": tuple(events)})


@given(cases())
def test_turns_read_as_the_family_writes_them(case: Case) -> None:
    core, surface, transcript = case
    surface = surface.model_copy(update={"call_syntax": "hermes_json"})
    protocol = Protocol(core, surface, TOKENIZER)
    transcript = without_what_the_family_lacks(transcript)
    tokens = protocol.replay(transcript)
    opened = len(protocol.open(transcript.inputs).ids)
    messages = lower(transcript, core, surface)[1:]
    assert TOKENIZER.decode(tokens.ids[opened:]) == family_text(messages)


@given(cases())
def test_ids_are_those_of_the_whole_text_where_no_merge_crosses_a_boundary(case: Case) -> None:
    """In text without look-alikes; a model turn that begins with a line feed would be the exception."""
    core, surface, transcript = case
    protocol = Protocol(core, surface, TOKENIZER)
    tokens = protocol.replay(transcript)
    text = TOKENIZER.decode(tokens.ids)
    spelled = sum(text.count(marker) for marker in TOKENIZER.added_tokens)
    added = set(TOKENIZER.added_tokens.values())
    if spelled == sum(id_ in added for id_ in tokens.ids):
        assert list(tokens.ids) == TOKENIZER.encode(text)
