"""Conversations carried from one Surface to another: names change, values and ordinary words do not."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmentors.policy import Policy
from augmentors.transport import lift, lower
from augmentors.variants import Variant, draw
from harness_dsl.ir.canonical import core_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import (
    Call,
    ForeignCall,
    Generated,
    Mention,
    ReplyText,
    Result,
    Transcript,
    User,
)
from harness_dsl.ir.types import StringType
from tests.laws.laws import without_ids
from tests.strategies import cores, default_surface, inputs_for, small_shop, transcripts
from tests.strategies.shop import ROOM

CORE, SURFACE = small_shop()
RENAMED = Policy.of({"rename": {"declared": 0.0}})
SWAPPED = Policy.of({"rename": {"swap": 1.0, "kinds": ["tool"]}})


def moved(messages: list[dict[str, Any]], core: Core, old: Surface, new: Surface) -> list[dict[str, Any]]:
    """`messages` under `old`, as they read under `new`."""
    return lower(lift(messages, core, old).transcript, core, new)


@given(data=st.data())
def test_a_conversation_moved_to_a_variant_and_back_is_the_same_bytes(data: st.DataObject) -> None:
    core = data.draw(cores())
    surface = default_surface(core)
    variant = draw(core, surface, Policy.default(), 0, data.draw(st.integers(0, 500)))
    messages = lower(data.draw(transcripts(core, noise=True)), core, surface)
    there = moved(messages, core, surface, variant.surface)
    back = moved(there, core, variant.surface, surface)
    assert json.dumps(back) == json.dumps(messages)


@given(data=st.data())
def test_an_argument_that_equals_a_tool_s_name_stays(data: st.DataObject) -> None:
    """Every text argument is the name of a tool, old or new; none may change."""
    core = data.draw(cores())
    surface = default_surface(core)
    variant = draw(core, surface, RENAMED, 0, data.draw(st.integers(0, 500)))
    shown = [*map(leaf, (tool.id for tool in core.tools)), *variant.surface.names.values()]
    events: list[Any] = [User(text=data.draw(st.sampled_from(shown)))]
    sent = []
    for tool in core.tools:
        texts = {leaf(param.id) for param in tool.params if param.type == StringType()}
        arguments = {name: data.draw(st.sampled_from(shown)) for name in sorted(texts)}
        sent += [arguments[name] for name in sorted(texts)]
        events.append(Generated(events=(Call(tool=tool.id, arguments=arguments),)))
        events.append(Result(tool=tool.id, failure="denied", detail="no"))
    conversation = Transcript(
        core_digest=core_digest(core), inputs=data.draw(inputs_for(core)), events=tuple(events)
    )
    messages = lower(conversation, core, variant.surface)
    calls = [call["function"]["arguments"] for m in messages for call in m.get("tool_calls", ())]
    received = [
        value
        for call in calls
        for _, value in sorted((json.loads(call) if isinstance(call, str) else call).items())
    ]
    assert sorted(received) == sorted(sent)
    assert next(m for m in messages if m["role"] == "user")["content"] == events[0].text
    assert lift(messages, core, variant.surface).transcript == without_ids(conversation)


def conversation(*model: Any) -> Transcript:
    return Transcript(
        core_digest=core_digest(CORE),
        inputs={"danmaku": "hi", "room": ROOM},
        events=(User(text="3号链接多少钱"), *(Generated(events=(event,)) for event in model)),
    )


def under(variant: Variant, talk: Transcript) -> str:
    return json.dumps(lower(talk, variant.core, variant.surface)[1:], ensure_ascii=False)


def test_exchanged_names_pass_both_ways() -> None:
    talk = conversation(
        Call(tool="tool/get_item", arguments={"link_id": 3}),
        ReplyText(
            text=("见 ", Mention(symbol="tool/get_item"), " 和 ", Mention(symbol="tool/get_coupon"), "。")
        ),
    )
    for row in range(20):
        variant = draw(CORE, SURFACE, SWAPPED, 0, row)
        names = variant.surface.names
        assert names["tool/get_item"] != "get_item"
        assert f'"name": "{names["tool/get_item"]}"' in under(variant, talk)
        assert f"见 {names['tool/get_item']} 和 {names['tool/get_coupon']}。" in under(variant, talk)
        assert lift(lower(talk, CORE, variant.surface), CORE, variant.surface).transcript == talk


@pytest.mark.parametrize(
    "reply",
    [
        "The city is Chengdu, and the quantity is 3.",
        "code, item, amount: words, not names.",
        "价格是89元，city不变。",
        "I will hold item 3 for you.",
    ],
)
def test_ordinary_words_stay_when_symbols_of_that_name_are_renamed(reply: str) -> None:
    talk = conversation(ReplyText(text=(reply,)))
    for row in range(20):
        variant = draw(CORE, SURFACE, RENAMED, 0, row)
        assert reply in under(variant, talk)
        assert lift(lower(talk, CORE, variant.surface), CORE, variant.surface).transcript == talk


def test_a_stale_name_is_no_call_of_the_renamed_tool() -> None:
    """The old name names nothing in the variant: it comes back as a foreign call, never as the tool."""
    variant = draw(CORE, SURFACE, RENAMED, 0, 1)
    messages = lower(
        conversation(Call(tool="tool/get_item", arguments={"link_id": 3})), CORE, variant.surface
    )
    messages[-1]["tool_calls"][0]["function"]["name"] = "get_item"
    event = lift(messages, CORE, variant.surface).transcript.events[-1]
    assert isinstance(event, Generated)
    assert isinstance(event.events[0], ForeignCall)


def by_string_replacement(
    messages: list[dict[str, Any]], core: Core, old: Surface, new: Surface
) -> list[dict[str, Any]]:
    """The broken twin of `moved`: what systems do that rename by replacing text."""
    text = json.dumps(messages, ensure_ascii=False)
    for tool in core.tools:
        text = text.replace(old.names.get(tool.id) or leaf(tool.id), new.names.get(tool.id) or leaf(tool.id))
    result: list[dict[str, Any]] = json.loads(text)
    return result


def test_string_replacement_breaks_what_transport_keeps() -> None:
    talk = conversation(
        Call(tool="tool/delivery_days", arguments={"city": "get_item"}),
        Call(tool="tool/get_item", arguments={"link_id": 3}),
    )
    variant = draw(CORE, SURFACE, SWAPPED, 0, 1)
    messages = lower(talk, CORE, SURFACE)
    right = moved(messages, CORE, SURFACE, variant.surface)
    wrong = by_string_replacement(messages, CORE, SURFACE, variant.surface)

    def lifted(shown: list[dict[str, Any]]) -> Transcript:
        return lift(shown, CORE, variant.surface).transcript

    assert lifted(right) == talk
    assert lifted(wrong) != talk
