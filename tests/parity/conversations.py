"""Conversations whose raw ids are known, played over HTTP through the loop that serves and recorded there."""

import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness_dsl.ir.core import Core, TestCase
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Transcript
from harness_dsl.protocol import HFTokenizer
from runtime.engines.recording import RecordingServer
from runtime.engines.scripted import ScriptedEngine
from runtime.engines.sglang import SGLangEngine
from runtime.load import Loaded, load_harness
from runtime.loop import Session, open_session, run_turn
from runtime.testing.oracle import next_output
from runtime.version import Versions
from trainer.tiny.tokenizer import build

EXAMPLES = Path(__file__).parents[2] / "examples" / "live_shop"
HARNESSES = ("shop.harness", "shop_mini.harness")

Policy = Callable[[Session], Sequence[int]]


def tokenizer() -> HFTokenizer:
    import json

    specification = json.loads(build().backend_tokenizer.to_str())
    return HFTokenizer(specification, {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"})


def loaded(name: str) -> Loaded:
    return load_harness(EXAMPLES / name)


@dataclass
class Played:
    """`wire`: the `input_ids` of every request in order; `raw`: the ids that the model answered each with."""

    wire: list[list[int]] = field(default_factory=list)
    raw: list[tuple[int, ...]] = field(default_factory=list)
    transcript: Transcript | None = None


class Wire:
    """One recording server for many conversations, one after another."""

    def __init__(self, tokens: HFTokenizer) -> None:
        self._tokens = tokens
        self._answer: Callable[[], Sequence[int]] = tuple
        self._server = RecordingServer(ScriptedEngine(lambda _: self._answer()))
        self._engine: SGLangEngine | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Wire"]:
        async with self._server.listening() as server:
            self._engine = SGLangEngine(server.url)
            try:
                yield self
            finally:
                await self._engine.close()

    async def play(
        self,
        harness: Loaded,
        core: Core,
        surface: Surface,
        inputs: dict[str, Any],
        texts: Sequence[str],
        policy: Policy,
    ) -> Played:
        """Talk `texts` through with a model that answers with `policy`."""
        assert self._engine is not None
        versions = Versions(self._tokens, harness.tools, harness.hooks)
        session = open_session(versions, self._engine, core, surface, inputs)
        played = Played()

        def answer() -> Sequence[int]:
            ids = tuple(policy(session))
            played.raw.append(ids)
            return ids

        self._answer = answer
        self._server.requests.clear()
        for text in texts:
            await run_turn(session, text)
        played.wire = [request["input_ids"] for request in self._server.requests]
        played.transcript = session.transcript
        return played


def given(test: TestCase) -> dict[str, Any]:
    return {leaf(value.input): value.value for value in test.given}


def uneven(test: TestCase, tokens: HFTokenizer, seed: int) -> Policy:
    """The oracle of `test`, as a model writes: text in pieces that no tokenizer would choose, thinking, and
    at times an output that is malformed, calls an unknown tool or is cut off.
    """
    rng = random.Random(seed)
    noise = [
        '<tool_call>\n{"name": "no_such_tool", "arguments": {"a": 1}}\n</tool_call><|im_end|>',
        '<tool_call>\n{"name": "get_quote", "arguments": {"link_id": \n</tool_call><|im_end|>',
        "<think>\n嗯，先看看\n</think>\n\n<|im_end|>",
        "一句没有说完的",
    ]

    def policy(session: Session) -> Sequence[int]:
        if rng.random() < 0.25:
            return in_pieces(tokens.encode(rng.choice(noise)), tokens, rng)
        output = next_output(test, session.version, session.transcript)
        thinking = tokens.encode("<think>\nprice? 价格\n</think>\n\n") if rng.random() < 0.5 else []
        return in_pieces([*thinking, *session.version.protocol.encode(output)], tokens, rng)

    return policy


def in_pieces(ids: Sequence[int], tokens: HFTokenizer, rng: random.Random) -> list[int]:
    """Other ids of the same text: some tokens are spelled in smaller ones."""
    added = set(tokens.added_tokens.values())
    spelled: list[int] = []
    for id_ in ids:
        text = tokens.decode([id_])
        pieces = [piece for char in text for piece in tokens.encode_untrusted(char).ids]
        whole = id_ in added or "\ufffd" in text or tokens.decode(pieces) != text
        spelled += [id_] if whole or rng.random() < 0.4 else pieces
    return spelled
