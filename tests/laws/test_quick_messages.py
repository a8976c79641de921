"""Conversations shown quickly are the messages that lowering them one by one gives."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmentors.chance import Stream
from augmentors.operators.rename import Rename
from augmentors.operators.reorder import Reorder
from harness_dsl.ir.canonical import core_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import ForeignTool, Surface
from harness_dsl.ir.transcript import (
    Call,
    Generated,
    HookNote,
    LoadSkill,
    Mention,
    Published,
    ReplyText,
    Result,
    SkillShown,
    Think,
    Transcript,
    User,
)
from harness_dsl.protocol import lowering
from harness_dsl.protocol.lowering import lower, lowered
from harness_dsl.protocol.quick import line, page, talk
from harness_dsl.protocol.view import View
from tests.strategies import cores, small_shop, surfaces
from tests.strategies.transcripts import transcripts

SHOWN = "tool/get_quote"


def alike(core: Core, surface: Surface, conversation: Transcript) -> None:
    """The law: the messages are the same, and so is the order of their keys."""
    view = View(core, surface)
    plain = lowered(conversation, view.renderer.system(conversation.inputs).text, view)
    quick = lower(conversation, core, surface)
    assert quick == plain
    assert [[*message] for message in quick] == [[*message] for message in plain]


@given(st.data())
def test_generated_conversations_are_shown_the_same(data: st.DataObject) -> None:
    core = data.draw(cores())
    conversation = data.draw(transcripts(core))
    drawn = data.draw(surfaces(core, hiding=True))
    for at in range(2):
        # The first times it is lowered, then told from what was kept.
        alike(core, drawn, conversation)
        alike(core, Reorder().apply(core, Rename().apply(core, drawn, Random(at)), Random(at)), conversation)


@given(st.data())
def test_surfaces_that_are_not_valid_are_shown_the_same(data: st.DataObject) -> None:
    """Names that two symbols share, that prose writes out, that look like code, or that are no names."""
    core, surface, conversation = CORE, SURFACE, told()
    names = st.sampled_from(
        ["get_item", "cheap", "error", "a_b", "a b", "", "报价", "x<y", "zq", "`", "skills"]
    )
    named = data.draw(
        st.dictionaries(st.sampled_from([SHOWN, "tool/get_item", "type/Quote/field/amount"]), names)
    )
    for names_of in ({}, {}, {}, named):
        alike(core, surface.model_copy(update={"names": {**surface.names, **names_of}}), conversation)


CORE, SURFACE = small_shop()


def told() -> Transcript:
    """A conversation of the shop with names in everything that it says."""
    item, skill, link = "tool/get_item", "skill/item_qa", {"link_id": 3}
    quote = {"amount": 89.5, "currency": "CNY", "coupon": "50% off"}
    return Transcript(
        core_digest=core_digest(CORE),
        inputs={},
        events=(
            User(text="what does it cost"),
            Generated(
                events=(
                    Think(
                        text=("load ", Mention(symbol=skill), ", then call_it with ", Mention(symbol=SHOWN))
                    ),
                    LoadSkill(skill=skill),
                )
            ),
            SkillShown(skill=skill),
            Generated(
                events=(
                    ReplyText(
                        text=(
                            "the ",
                            Mention(symbol="type/Quote/field/amount"),
                            " is `cheap`: wait",
                        )
                    ),
                    Call(tool=SHOWN, arguments={"link_id": 3, "quantity": 2}),
                    Call(tool=item, arguments=link),
                )
            ),
            Result(tool=SHOWN, value=quote),
            Result(tool=item, failure="not_found", detail="no such link"),
            HookNote(hook="hook/price_is_quoted", action="retry"),
            Generated(events=(ReplyText(text=("89.5",)),)),
            Published(text="89.5"),
        ),
    )


def named(key: int, **other: Any) -> Surface:
    """The shop under other names and orders."""
    rng = Stream(b"%d" % key)
    return Reorder().apply(CORE, Rename().apply(CORE, SURFACE, rng), rng).model_copy(update=other)


def test_most_variants_of_a_conversation_are_shown_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    conversation = told()
    for key in range(24):
        alike(CORE, named(key), conversation)
    monkeypatch.setattr(lowering, "lowered", lambda *given: pytest.fail("lowered one by one"))
    for key in range(24):
        lower(conversation, CORE, named(key))


def takes_any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk.Talk, "_are_apart", lambda self, names: True)


def takes_any_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "is_plain", lambda name: True)


def forgets_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = talk.Asked.key

    def unordered(self: talk.Asked, at: int, orders: Any, names: list[str]) -> Any:
        return honest(self, at, lambda key: None, names)

    monkeypatch.setattr(talk.Asked, "key", unordered)


def forgets_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "stands_bare", lambda symbol, name: True)


def forgets_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page.Sheet, "_shown_tools", lambda self: [*self._page.tools.values()])


def forgets_wordings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "id", lambda wording: 0, raising=False)


def forgets_percent(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = line.line
    monkeypatch.setattr(
        page,
        "line",
        lambda pieces, slots: honest([(t.replace("%", "%%"), s, k) for t, s, k in pieces], slots),
    )


BROKEN = [
    takes_any_name,
    takes_any_letter,
    forgets_orders,
    forgets_shapes,
    forgets_hidden,
    forgets_wordings,
    forgets_percent,
]


def odd() -> list[Surface]:
    """Surfaces that take everything that a shortcut could forget."""
    tool = ForeignTool(
        name="weather_now",
        description="Whether it rains, to 100 %.",
        parameters={"type": "object"},
        failure="not here",
        origin="made for tests",
    )
    worded = {
        text.id: text.alternatives[0]
        for text in (*(tool.description for tool in CORE.tools), *(skill.when for skill in CORE.skills))
        if text.alternatives
    }
    assert worded
    fields = "type/Quote/field/amount", "type/Quote/field/currency"
    return [
        named(20, distractors=(tool,), orders={}),
        named(21, wordings=worded),
        named(22, hidden=("skill/push_coupon", "tool/get_coupon"), orders={}),
        named(23, names={**SURFACE.names, fields[0]: 'say "no"'}),
        named(24, names={**SURFACE.names, fields[0]: "call_it"}),
        named(25, names={**SURFACE.names, fields[0]: "worth", fields[1]: "coin", SHOWN: "quote"}),
        named(26, names={**SURFACE.names, fields[0]: "get_item", SHOWN: "a_quote"}),
    ]


@pytest.mark.parametrize("breaks", BROKEN)
def test_a_broken_shortcut_is_caught(
    breaks: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = told()
    everything = [*(named(key) for key in range(8)), *odd()]
    core = CORE.model_copy(update={"name": f"fresh {breaks.__name__}"})
    for shown in [everything[0]] * 3 + everything:
        alike(core, shown, conversation)
    breaks(monkeypatch)
    core = CORE.model_copy(update={"name": f"fresher {breaks.__name__}"})
    with pytest.raises(AssertionError):
        for shown in [everything[0]] * 3 + everything:
            alike(core, shown, conversation)
