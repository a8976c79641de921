"""One whole conversation of the live shop, and everything that is needed to have it again."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness_dsl.ir.transcript import Call, LoadSkill, ModelEvent, ReplyText, Think, Transcript
from harness_dsl.protocol import HFTokenizer, Protocol
from harness_dsl.syntax.fixtures import Fixtures
from runtime.engines.base import Engine
from runtime.engines.scripted import ScriptedEngine
from runtime.load import Loaded, load_harness
from runtime.loop import Session, Turn, Versions, open_session, run_turn
from trainer.sft.collate import Row, row_of
from trainer.tiny.tokenizer import build

SHOP = Path(__file__).parents[2] / "examples" / "live_shop"
ROOM = SHOP / "rooms" / "clothes.yaml"


def _say(text: str) -> tuple[ModelEvent, ...]:
    return (ReplyText(text=(text,)),)


def _call(tool: str, **arguments: Any) -> tuple[ModelEvent, ...]:
    return (Call(tool=f"tool/{tool}", arguments=arguments),)


def _load(skill: str) -> tuple[ModelEvent, ...]:
    return (LoadSkill(skill=f"skill/{skill}"),)


# What the viewer writes, what the model does, and what is published.
TURNS: tuple[tuple[str, tuple[tuple[ModelEvent, ...], ...], str], ...] = (
    (
        "1号链接多少钱？",
        (_load("item_qa"), _call("get_quote", link_id=1), _say("亲，1号现在199元")),
        "亲，1号现在199元",
    ),
    (
        "有券吗？有就帮我用上",
        (
            _load("coupon_help"),
            (Think(text=("先查券",)), *_call("get_coupon", link_id=1)),
            _call("apply_coupon", link_id=1, code="LINEN50"),
            _say("亲，用了券是149元"),
        ),
        "亲，用了券是149元",
    ),
    (
        # The model says a price that it has not looked up; a hook sends it back, and it looks it up.
        "那2号呢",
        (_load("item_qa"), _say("亲，2号150元"), _call("get_quote", link_id=2), _say("亲，2号是159元")),
        "亲，2号是159元",
    ),
)


@dataclass(frozen=True)
class Conversation:
    """The shop, its inputs, and the conversation as it was played: the transcript and its training row."""

    harness: Loaded
    inputs: dict[str, Any]
    tokenizer: HFTokenizer
    transcript: Transcript
    row: Row

    def session(self, engine: Engine, name: str = "room") -> Session:
        versions = Versions(self.tokenizer, self.harness.tools, self.harness.hooks)
        core, surface = self.harness.core, self.harness.surface
        return open_session(versions, engine, core, surface, self.inputs, id=name)


async def talk(session: Session) -> list[Turn]:
    """The viewer's side of the conversation."""
    return [await run_turn(session, text) for text, _, _ in TURNS]


def tokenizer() -> HFTokenizer:
    import json

    specification = json.loads(build().backend_tokenizer.to_str())
    return HFTokenizer(specification, {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"})


def played() -> Conversation:
    """The conversation with a model that says what stands above."""
    harness = load_harness(SHOP / "shop.harness")
    words = tokenizer()
    inputs = {"room": Fixtures(str(ROOM), str(ROOM.parent)).load(ROOM.name)}
    protocol = Protocol(harness.core, harness.surface, words)
    engine = ScriptedEngine.playing(
        [output for _, outputs, _ in TURNS for output in outputs], protocol.encode
    )
    versions = Versions(words, harness.tools, harness.hooks)
    session = open_session(versions, engine, harness.core, harness.surface, inputs)
    turns = asyncio.run(talk(session))
    assert [turn.published for turn in turns] == [said for _, _, said in TURNS]
    row = row_of(protocol, protocol.replay(session.transcript), "the conversation")
    return Conversation(harness, inputs, words, session.transcript, row)
