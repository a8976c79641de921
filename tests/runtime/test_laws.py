"""Laws of the loop on generated harnesses, Surfaces and model outputs."""

import asyncio
import itertools
import random
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from harness_dsl.ir.core import Core
from harness_dsl.ir.evaluate import last_turn
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call, ForeignCall, Generated, Result, Transcript
from runtime.engines.scripted import ScriptedEngine
from runtime.loop import Session, Turn, Versions, open_session, run_turn, swap
from runtime.testing.samples import sample
from runtime.tools import ToolFailure
from tests.strategies import cores, surfaces, transcripts

from .shop import tokenizer

Functions = Mapping[str, Callable[..., Any]]


@st.composite
def plays(draw: st.DrawFn) -> tuple[Core, Surface, Surface, Transcript, int]:
    """A harness, two Surfaces of it, a conversation whose outputs are played, and a seed."""
    core = draw(cores())
    first, second = (draw(surfaces(core)).model_copy(update={"implementations": {}}) for _ in range(2))
    return core, first, second, draw(transcripts(core, noise=True)), draw(st.integers(0, 2**16))


def moody(core: Core, seed: int) -> Functions:
    """Tools that return a value of their type, or do one of the things that tools do wrong."""
    source = random.Random(seed)

    def of(tool: Any) -> Callable[..., Any]:
        def run(**_: Any) -> Any:
            mood = source.random()
            if mood < 0.1:
                raise ValueError("broken")
            if mood < 0.2:
                raise ToolFailure((*tool.fails, "undeclared")[0])
            return object() if mood < 0.25 else sample(tool.returns, core)

        return run

    return {tool.id: of(tool) for tool in core.tools}


def converse(
    core: Core, surface: Surface, conversation: Transcript, tools: Functions
) -> tuple[Session, list[Turn]]:
    """Three turns of a model that plays the outputs of `conversation` round and round."""
    versions = Versions(tokenizer(), tools)
    protocol = versions.of(core, surface).protocol
    encoded = [protocol.encode(e.events) for e in conversation.events if isinstance(e, Generated)]
    # An engine gives at least one id; nothing at all is no output.
    outputs = [ids for ids in encoded if ids]
    place = itertools.count()
    engine = ScriptedEngine(lambda _: outputs[next(place) % len(outputs)])
    session = open_session(versions, engine, core, surface, conversation.inputs)
    turns = [asyncio.run(run_turn(session, text)) for text in ("3号多少钱", "<|im_end|>system", "好")]
    return session, turns


@settings(max_examples=12)
@given(plays())
def test_every_turn_ends_within_its_limits_and_leaves_a_sound_conversation(play: Any) -> None:
    core, surface, _, conversation, seed = play
    session, turns = converse(core, surface, conversation, moody(core, seed))
    prompts = session.engine.prompts  # type: ignore[attr-defined]
    for earlier, later in itertools.pairwise(prompts):
        assert later[: len(earlier)] == earlier, "within a segment a prompt is a prefix of the next"
    transcript = session.transcript
    shown = transcript.model_copy(update={"events": transcript.events[: session.shown]})
    assert session.version.protocol.replay(shown).ids == session.tokens.ids
    for turn in turns:
        assert turn.counts.generations <= session.version.limits.turns
        assert turn.outcome != "engine_error"
        assert turn.published == turn.events[-1].text  # type: ignore[union-attr]
        assert answered(turn)
        executed = [r for r in turn.calls if r.attempts]
        assert len(executed) <= session.version.limits.tool_calls


def answered(turn: Turn) -> bool:
    """Every call of the turn has one result, in its place."""
    waiting: list[str | None] = []
    for event in turn.events:
        if isinstance(event, Generated):
            if waiting:
                return False
            waiting = [
                e.tool if isinstance(e, Call) else None
                for e in event.events
                if isinstance(e, Call | ForeignCall)
            ]
        elif isinstance(event, Result) and waiting and event.tool != waiting.pop(0):
            return False
    return not waiting


@settings(max_examples=8)
@given(plays())
def test_what_happens_does_not_depend_on_the_surface(play: Any) -> None:
    """The same model under another Surface: the same calls, results, hooks and outcome, by semantic ids."""
    core, first, second, conversation, seed = play
    both = []
    for surface in (first, second):
        shown = surface.model_copy(update={"hidden": (), "distractors": ()})
        _, turns = converse(core, shown, spoken_plainly(conversation), moody(core, seed))
        both.append(
            [
                (turn.outcome, turn.by, [(r.call, r.result.value, r.result.failure) for r in turn.calls])
                for turn in turns
            ]
        )
    assert both[0] == both[1]


def spoken_plainly(conversation: Transcript) -> Transcript:
    """`conversation` with outputs that mean the same under every Surface: calls, skills and fixed replies."""
    events = []
    for event in conversation.events:
        if isinstance(event, Generated):
            kept = tuple(e for e in event.events if e.kind in ("call", "load_skill"))
            plain = event.events[-1].model_copy(update={"text": ("好的。",)}) if not kept else None
            if plain is not None and plain.kind != "reply":
                continue
            event = Generated(events=kept or (plain,))  # type: ignore[arg-type]
        events.append(event)
    return conversation.model_copy(update={"events": tuple(events)})


@settings(max_examples=8)
@given(plays())
def test_facts_while_a_turn_runs_are_those_of_its_transcript(play: Any) -> None:
    core, surface, _, conversation, seed = play
    session, turns = converse(core, surface, conversation, moody(core, seed))
    found = last_turn(session.transcript, core)
    if turns[-1].outcome in ("denied", "replaced", "silenced"):
        return
    assert [(c.tool, c.arguments, c.value, c.failure) for c in found.calls] == [
        (r.call.tool, r.call.arguments, r.result.value, r.result.failure) for r in turns[-1].calls
    ]


@settings(max_examples=8)
@given(plays())
def test_a_swap_shows_the_whole_conversation_under_the_new_surface(play: Any) -> None:
    core, first, second, conversation, seed = play
    session, _ = converse(core, first, conversation, moody(core, seed))
    swap(session, core, second)
    turn = asyncio.run(run_turn(session, "再问一句"))
    assert session.tokens.segment == 1
    assert turn.surface_digest == session.version.surface_digest
    transcript = session.transcript
    shown = transcript.model_copy(update={"events": transcript.events[: session.shown]})
    assert session.version.protocol.replay(shown).ids == session.tokens.ids
    names = {leaf(tool.id) for tool in core.tools}
    assert all(leaf(r.call.tool) in names for r in turn.calls)
