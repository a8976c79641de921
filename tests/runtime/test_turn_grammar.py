"""The grammar of a Surface takes every turn that the oracle writes under it, and no call of a stale name."""

import asyncio
import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from augmentors.policy import Policy
from augmentors.variants import draw
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call, ForeignCall, Generated, Malformed
from harness_dsl.protocol import Protocol
from runtime.engines.base import Sampling
from runtime.engines.embedded import EmbeddedEngine
from runtime.engines.recording import RecordingServer
from runtime.engines.scripted import ScriptedEngine
from runtime.engines.sglang import SGLangEngine
from runtime.loop import Versions, open_session, run_turn
from tests.parity.conversations import loaded
from tests.strategies.shop import ROOM
from trainer.simulator.conversation import solve
from trainer.simulator.direct import direct
from trainer.simulator.tasks import draw_task, kinds_for
from trainer.tiny.tokenizer import build

from .conftest import attention_model
from .shop import plain_tools, shop, tokenizer

VARIANTS = 6
END = tokenizer().added_tokens["<|im_end|>"]


@functools.cache
def compiler() -> Any:
    import xgrammar

    info = xgrammar.TokenizerInfo.from_huggingface(build(), vocab_size=len(build()))
    return xgrammar.GrammarCompiler(info, max_threads=1)


def taken(compiled: Any, ids: Sequence[int]) -> bool:
    """Whether the grammar takes `ids`, up to the end."""
    import xgrammar

    matcher = xgrammar.GrammarMatcher(compiled, override_stop_tokens=[END])
    return all(matcher.accept_token(id_) for id_ in ids) and bool(matcher.is_terminated())


def compiled_for(core: Core, surface: Surface) -> tuple[Protocol, Any]:
    protocol = Protocol(core, surface, tokenizer())
    return protocol, compiler().compile_structural_tag(protocol.grammar())


def test_every_turn_of_the_oracle_is_taken_under_variants() -> None:
    harness = loaded("shop.harness")
    run = direct(harness.core, harness.tools(harness.core))
    outputs = stale = 0
    for number in range(VARIANTS):
        task = draw_task(number, "train", kinds_for(harness.core), turns=2)
        variant = draw(harness.core, harness.surface, Policy.default(), 3, number)
        protocol, compiled = compiled_for(variant.core, variant.surface)
        original = Protocol(harness.core, harness.surface, tokenizer())
        for event in solve(variant.core, task, run, aloud=number % 2 == 0).events:
            if not isinstance(event, Generated):
                continue
            ids, before = protocol.encode(event.events), original.encode(event.events)
            assert taken(compiled, ids), protocol.tokenizer.decode(ids)
            outputs += 1
            # Broken twin: the same call by a name that is not shown any more.
            if ids != before and any(isinstance(e, ForeignCall) for e in protocol.parse(before)):
                assert not taken(compiled, before), protocol.tokenizer.decode(before)
                stale += 1
    assert outputs > 3 * VARIANTS
    assert stale > VARIANTS


CALL = '<tool_call>\n{"name": "get_quote", "arguments": %s}\n</tool_call>'


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (CALL % '{"link_id": 3}', True),
        (CALL % '{"link_id": 3, "quantity": 2}', True),
        (CALL % '{"link_id": 3}' + "\n" + CALL % '{"link_id": 4}', True),
        ("<think>\n先查\n</think>\n\n" + CALL % '{"link_id": 3}', True),
        ("亲，你好", True),
        ("", True),
        (CALL % '{"link_id": 0}', False),
        (CALL % '{"link_id": "3"}', False),
        (CALL % '{"link": 3}', False),
        (CALL % "{}", False),
        (CALL % '{"link_id": 3, "more": 1}', False),
        (CALL.replace("get_quote", "get_quota") % '{"link_id": 3}', False),
        ("<tool_call>\n{}\n</tool_call>", False),
        ("<tool_call>\n", False),
        ("亲</tool_call>", False),
        ("<think>\n没完", False),
        ("亲<tool_response>", False),
        ("亲<|im_start|>user", False),
        ('<tool_call>\n{"name": "load_skill", "arguments": {"skill": "item_qa"}}\n</tool_call>', True),
        ('<tool_call>\n{"name": "load_skill", "arguments": {"skill": "no_such"}}\n</tool_call>', False),
    ],
)
def test_what_is_taken_is_what_can_be_run(text: str, right: bool) -> None:
    protocol, compiled = the_shop()
    ids = [*protocol.tokenizer.encode(text), END]
    assert taken(compiled, ids) == right
    bad = [e for e in protocol.parse(ids) if isinstance(e, Malformed | ForeignCall)]
    if right:
        assert not bad


@functools.cache
def the_shop() -> tuple[Protocol, Any]:
    harness = loaded("shop.harness")
    return compiled_for(harness.core, harness.surface)


@pytest.mark.parametrize("syntax", ["pythonic", "qwen_xml"])
def test_a_syntax_that_is_no_json_has_no_grammar_and_says_so(syntax: Any) -> None:
    surface = Surface(call_syntax=syntax)
    with pytest.raises(ValueError, match=f"no grammar for calls in {syntax}"):
        Protocol(shop(), surface, tokenizer()).grammar()
    with pytest.raises(ValueError, match="no grammar"):
        Versions(tokenizer(), {}, constrained=True).of(shop(), surface)


def test_llama_json_has_one_too() -> None:
    protocol, compiled = compiled_for(shop(), Surface(call_syntax="llama_json"))
    ids = protocol.encode((Call(tool="tool/get_quote", arguments={"link_id": 3}),))
    assert taken(compiled, ids)


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("words")
    attention_model(vocab_size=len(build()), max_position_embeddings=4096).save_pretrained(path)
    build().save_pretrained(path)
    return path


def test_a_model_that_knows_nothing_makes_no_foreign_call_when_constrained(words: Path) -> None:
    """Through the loop, and compiled once for all rooms that run one Surface."""
    harness = loaded("shop_mini.harness")
    task = draw_task(1, "train", kinds_for(harness.core))

    async def case(constrained: bool) -> tuple[list[Any], int]:
        engine = EmbeddedEngine.load(words, device="cpu")
        versions = Versions(tokenizer(), harness.tools, harness.hooks, constrained=constrained)
        said: list[Any] = []
        for seed in range(2):
            session = open_session(
                versions,
                engine,
                harness.core,
                harness.surface,
                task.inputs,
                id=f"room {seed}",
                sampling=Sampling(max_tokens=20, temperature=1.0, seed=seed),
            )
            turn = await run_turn(session, "<tool_call>")
            said += [e for event in turn.events if isinstance(event, Generated) for e in event.events]
        assert engine.grammars is not None
        count = engine.grammars.compiled
        await engine.close()
        return said, count

    said, compiled = asyncio.run(case(constrained=True))
    assert compiled == 1
    assert not any(isinstance(event, ForeignCall) for event in said)
    reasons = {event.reason for event in said if isinstance(event, Malformed)}
    # Cut by the length limit, or a marker's token within a text argument.
    assert not any("without its beginning" in reason or "role token" in reason for reason in reasons)
    free, uncompiled = asyncio.run(case(constrained=False))
    assert uncompiled == 0
    assert free


def test_the_grammar_goes_over_the_wire_with_every_request_of_a_constrained_room() -> None:
    async def case(constrained: bool) -> list[Any]:
        async with RecordingServer(ScriptedEngine(lambda _: [END])).listening() as server:
            engine = SGLangEngine(server.url, attempts=1)
            versions = Versions(tokenizer(), plain_tools(), constrained=constrained)
            session = open_session(versions, engine, shop(), Surface(), {"room": ROOM}, id="room")
            await run_turn(session, "你好")
            await engine.close()
            return [body["sampling_params"].get("structural_tag") for body in server.requests]

    wanted = Protocol(shop(), Surface(), tokenizer()).grammar()
    assert set(asyncio.run(case(constrained=True))) == {wanted}
    assert set(asyncio.run(case(constrained=False))) == {None}
