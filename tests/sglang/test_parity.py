"""What was trained is what is served: the parity gate and a whole conversation, on the real server.

Between our engine and the server stands a recorder: what it saw is what went over the wire.
"""

import asyncio
import random
from collections.abc import Sequence

from augmentors.policy import Policy
from augmentors.variants import draw
from harness_dsl.ir.canonical import surface_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import ForeignCall, Generated, Malformed, ModelEvent, Transcript
from runtime.engines.base import Sampling
from runtime.engines.recording import RecordingServer
from runtime.engines.sglang import SGLangEngine
from runtime.engines.sglang_launch import Server
from runtime.loop import Session, Turn, Versions, open_session, run_turn
from tests.parity.conversations import Played, given
from tests.parity.test_parity import collated, differences

from .conversation import TURNS, Conversation, talk

VARIANTS = 12


def raw(transcript: Transcript) -> list[tuple[int, ...]]:
    return [event.ids for event in transcript.events if isinstance(event, Generated)]


def conforms(wire: Sequence[Sequence[int]], session: Session, core: Core, surface: Surface) -> list[str]:
    """Where the wire disagrees with the tensors that training makes of the stored conversation."""
    played = Played([list(ids) for ids in wire], raw(session.transcript), session.transcript)
    return differences(played, collated([session.transcript], core, surface), 0)


def test_the_conversation_that_was_trained_is_served_to_the_token(
    server: Server, conversation: Conversation
) -> None:
    """Skills, thinking, calls, a hook that objects, prices: the real server says it all, id for id."""

    async def case() -> tuple[list[Turn], Session, RecordingServer]:
        upstream = SGLangEngine(server.url)
        async with RecordingServer(upstream).listening() as recorder:
            engine = SGLangEngine(recorder.url)
            session = conversation.session(engine)
            turns = await talk(session)
            await engine.close()
        await upstream.close()
        return turns, session, recorder

    turns, session, recorder = asyncio.run(case())
    assert [turn.published for turn in turns] == [said for _, _, said in TURNS]
    assert [turn.outcome for turn in turns] == ["replied"] * len(TURNS)
    assert [d.hook for d in turns[2].decisions if d.taken] == ["hook/price_is_quoted"]
    assert raw(session.transcript) == raw(conversation.transcript)
    assert tuple(session.tokens.ids)[: len(conversation.row.ids)] == conversation.row.ids
    core, surface = conversation.harness.core, conversation.harness.surface
    wire = [body["input_ids"] for body in recorder.requests]
    assert len(wire) == sum(len(outputs) for _, outputs, _ in TURNS)
    assert conforms(wire, session, core, surface) == []
    # A broken twin: one id that differs on the wire is seen.
    wire[-1] = [*wire[-1][:-1], wire[-1][-1] + 1]
    assert conforms(wire, session, core, surface)


def test_parity_of_what_a_hot_model_says_under_variants(server: Server, conversation: Conversation) -> None:
    """Declared conversations under variants, at a temperature: a model's own ids, most of them no event."""
    harness = conversation.harness
    drawn = [draw(harness.core, harness.surface, Policy.default(), 7, row) for row in range(VARIANTS)]
    assert len({surface_digest(variant.core, variant.surface) for variant in drawn}) > VARIANTS / 2
    rng = random.Random(0)

    async def case() -> int:
        upstream = SGLangEngine(server.url)
        outputs = 0
        async with RecordingServer(upstream).listening() as recorder:
            engine = SGLangEngine(recorder.url)
            for variant in drawn:
                test = rng.choice(variant.core.tests)
                versions = Versions(conversation.tokenizer, harness.tools, harness.hooks)
                session = open_session(
                    versions,
                    engine,
                    variant.core,
                    variant.surface,
                    given(test),
                    sampling=Sampling(max_tokens=24, temperature=rng.choice((0.5, 1.0)), top_p=0.95),
                )
                recorder.requests.clear()
                for text in test.user:
                    await run_turn(session, text)
                wire = [body["input_ids"] for body in recorder.requests]
                assert conforms(wire, session, variant.core, variant.surface) == []
                outputs += len(wire)
            await engine.close()
        await upstream.close()
        return outputs

    outputs = asyncio.run(case())
    # Outputs that cannot be used are sent back, as often as the harness allows.
    assert outputs > 2 * VARIANTS


def test_the_server_keeps_a_turn_to_the_grammar_of_its_surface(
    server: Server, conversation: Conversation
) -> None:
    """A hot model under variants: whatever it calls is a shown tool with arguments that can be run."""
    harness = conversation.harness

    async def case(constrained: bool) -> list[ModelEvent]:
        engine = SGLangEngine(server.url)
        said: list[ModelEvent] = []
        for row in range(4):
            variant = draw(harness.core, harness.surface, Policy.default(), 7, row)
            versions = Versions(conversation.tokenizer, harness.tools, harness.hooks, constrained=constrained)
            sampling = Sampling(max_tokens=40, temperature=1.0)
            session = open_session(
                versions, engine, variant.core, variant.surface, conversation.inputs, sampling=sampling
            )
            turn = await run_turn(session, TURNS[0][0])
            said += [e for event in turn.events if isinstance(event, Generated) for e in event.events]
        await engine.close()
        return said

    free, bound = asyncio.run(case(False)), asyncio.run(case(True))
    assert not any(isinstance(event, ForeignCall) for event in bound)
    strays = [e.reason for e in bound if isinstance(e, Malformed) and "without its beginning" in e.reason]
    assert strays == []
    assert any(isinstance(event, Malformed | ForeignCall) for event in free), "without it, it goes wrong"


def test_the_server_counts_prefix_hits_between_turns_and_between_rooms(
    server: Server, conversation: Conversation
) -> None:
    async def case() -> tuple[list[Turn], list[Turn], list[int]]:
        engine = SGLangEngine(server.url)
        await engine.flush_cache()
        first, second = conversation.session(engine, "a"), conversation.session(engine, "b")
        opening = len(first.tokens.ids)
        one = await talk(first)
        two = await talk(second)
        await engine.close()
        return one, two, [opening, len(first.tokens.ids)]

    one, two, (opening, whole) = asyncio.run(case())
    cold = one[0].counts
    # The first output finds nothing; those after it find all that was sent and said before.
    assert cold.cached_tokens >= 2 * opening
    assert cold.prompt_tokens - cold.cached_tokens < opening + 200
    for turn in one[1:]:
        fresh = turn.counts.prompt_tokens - turn.counts.cached_tokens
        assert fresh < turn.counts.prompt_tokens / 10, "a turn prefills what is new in it"
    # Another room with the same harness and room data: its first request finds the whole system prompt.
    warm = two[0].counts
    assert warm.cached_tokens >= warm.generations * opening - opening // 10
    assert sum(t.counts.prompt_tokens - t.counts.cached_tokens for t in two) < whole
