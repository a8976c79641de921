"""The parity gate: what goes over the wire to an engine stands, id for id, in the SFT collator's tensors.

The two sides share no step: one is the serving loop over HTTP, the other is a stored transcript (or the
trainer's own conversation) replayed, labelled and collated.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from augmentors.footprint import Footprint
from augmentors.policy import Policy
from augmentors.variants import draw
from harness_dsl.ir.canonical import surface_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Generated, Transcript
from harness_dsl.protocol import Protocol
from runtime.load import Loaded
from runtime.session import Session
from trainer.sft.collate import IGNORED, Batch, Collator, row_of
from trainer.simulator.conversation import solve
from trainer.simulator.direct import direct
from trainer.simulator.tasks import Task, draw_task, kinds_for

from .conversations import HARNESSES, Played, Wire, given, loaded, tokenizer, uneven

VARIANTS = 50
TOKENS = tokenizer()


def differences(played: Played, batch: Batch, row: int) -> list[str]:
    """Where the wire and row `row` of the tensors disagree, and where the prefix law is broken."""
    if len(played.wire) != len(played.raw):
        return [f"{len(played.wire)} requests but {len(played.raw)} outputs"]
    found: list[str] = []
    length = int(batch["attention_mask"][row].sum())
    ids = batch["input_ids"][row].tolist()[:length]
    labels = batch["labels"][row].tolist()[:length]
    trained = [IGNORED] * length
    before: list[int] = []
    for number, (prompt, output) in enumerate(zip(played.wire, played.raw, strict=True)):
        end = len(prompt) + len(output)
        if prompt[: len(before)] != before:
            found.append(f"request {number}: the one before it is no prefix")
        if ids[: len(prompt)] != prompt:
            found.append(f"request {number}: the prompt differs")
        if ids[len(prompt) : end] != list(output):
            found.append(f"request {number}: the output differs")
        trained[len(prompt) : end] = output
        before = [*prompt, *output]
    if labels != trained:
        found.append("the labels are not exactly what the model produced")
    return found


def collated(transcripts: Sequence[Transcript], core: Core, surface: Surface) -> Batch:
    """The tensors that training sees for stored conversations under one Surface, through JSON and back."""
    protocol = Protocol(core, surface, TOKENS)
    assert TOKENS.pad_id is not None
    rows = []
    for transcript in transcripts:
        stored = Transcript.model_validate_json(transcript.model_dump_json())
        rows.append(row_of(protocol, protocol.replay(stored), "stored"))
    return Collator(TOKENS.pad_id, protocol.stop_ids[0], 1 << 16)(rows)


def variants(harness: Loaded, footprint: Footprint | None = None) -> list[tuple[Core, Surface]]:
    policy = Policy.default()
    drawn = [draw(harness.core, harness.surface, policy, 7, row, footprint) for row in range(VARIANTS)]
    return [(variant.core, variant.surface) for variant in drawn]


async def play_declared(wire: Wire, harness: Loaded, core: Core, surface: Surface, number: int) -> Played:
    """A declared test of the harness, played unevenly."""
    test = harness.core.tests[number % len(harness.core.tests)]
    return await wire.play(harness, core, surface, given(test), test.user, uneven(test, TOKENS, number))


def play_first(harness: Loaded, count: int) -> list[Played]:
    """The first `count` declared tests under the harness's own Surface."""

    async def case() -> list[Played]:
        async with Wire(TOKENS).open() as wire:
            return [
                await play_declared(wire, harness, harness.core, harness.surface, number)
                for number in range(count)
            ]

    return asyncio.run(case())


def check(played: Sequence[Played], core: Core, surface: Surface) -> None:
    batch = collated([p.transcript for p in played if p.transcript is not None], core, surface)
    for row, one in enumerate(played):
        assert differences(one, batch, row) == []


def test_parity_of_every_declared_conversation() -> None:
    harness = loaded("shop.harness")
    check(play_first(harness, len(harness.core.tests)), harness.core, harness.surface)


def test_parity_of_declared_conversations_under_fifty_variants() -> None:
    harness = loaded("shop.harness")

    async def case() -> None:
        async with Wire(TOKENS).open() as wire:
            drawn = variants(harness)
            assert len({surface_digest(core, surface) for core, surface in drawn}) > 0.9 * VARIANTS
            for number, (core, surface) in enumerate(drawn):
                check([await play_declared(wire, harness, core, surface, number)], core, surface)

    asyncio.run(case())


@pytest.mark.parametrize("name", HARNESSES)
def test_parity_of_the_trainers_own_rows_under_fifty_variants(name: str) -> None:
    """The trainer's conversations come from its own small loop, without ids; served, they are these ids."""
    harness = loaded(name)
    tasks = [draw_task(seed, "train", kinds_for(harness.core), turns=2) for seed in range(VARIANTS)]

    async def case() -> None:
        async with Wire(TOKENS).open() as wire:
            for task, (core, surface) in zip(tasks, _variants_of(harness, tasks), strict=True):
                await _one(wire, harness, task, core, surface)

    asyncio.run(case())


def _variants_of(harness: Loaded, tasks: Sequence[Task]) -> list[tuple[Core, Surface]]:
    """A variant for each task that shows all that the trainer's oracle uses."""
    policy = Policy.default()
    run = direct(harness.core, harness.tools(harness.core))
    used = [Footprint.used_by(solve(harness.core, task, run)) for task in tasks]
    drawn = [draw(harness.core, harness.surface, policy, 7, row, needs) for row, needs in enumerate(used)]
    return [(variant.core, variant.surface) for variant in drawn]


async def _one(wire: Wire, harness: Loaded, task: Task, core: Core, surface: Surface) -> None:
    trained = solve(core, task, direct(core, harness.tools(core)))
    outputs = iter([event.events for event in trained.events if isinstance(event, Generated)])

    def policy(session: Session) -> Sequence[int]:
        return session.version.protocol.encode(next(outputs))

    texts = [turn.text for turn in task.turns]
    played = await wire.play(harness, core, surface, task.inputs, texts, policy)
    assert next(outputs, None) is None, "the serving loop asked for as many outputs as the trainer's"
    batch = collated([trained], core, surface)
    assert differences(played, batch, 0) == []


def broken_play(monkeypatch: pytest.MonkeyPatch, damage: Any) -> list[str]:
    """The differences after a conversation in a loop that `damage` changed."""
    harness = loaded("shop.harness")
    monkeypatch.setattr(Session, "generated", damage(Session.generated))
    played = play_first(harness, 3)
    transcripts = [one.transcript for one in played if one.transcript is not None]
    batch = collated(transcripts, harness.core, harness.surface)
    return [problem for row, one in enumerate(played) for problem in differences(one, batch, row)]


def test_a_loop_that_encodes_the_output_again_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Broken twin, known bug 36."""

    def damage(generated: Any) -> Any:
        def again(session: Session, prompt: Any, event: Generated) -> None:
            ids = tuple(TOKENS.encode(TOKENS.decode(event.ids)))
            generated(session, prompt, event.model_copy(update={"ids": ids}))

        return again

    assert broken_play(monkeypatch, damage)


def test_a_loop_that_drops_old_thinking_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Broken twin, known bug 39: a prompt that is not a prefix of the next."""

    def damage(generated: Any) -> Any:
        def without_thinking(session: Session, prompt: Any, event: Generated) -> None:
            kept = tuple(e for e in event.events if e.kind != "think")
            ids = session.version.protocol.encode(kept) if kept else event.ids
            generated(session, prompt, event.model_copy(update={"events": kept or event.events, "ids": ids}))

        return without_thinking

    assert broken_play(monkeypatch, damage)


def test_rows_that_lost_their_ids_are_caught() -> None:
    """Broken twin: a store that keeps events alone trains on ids that the model never produced."""
    harness = loaded("shop.harness")
    (played,) = play_first(harness, 1)
    assert played.transcript is not None
    events = tuple(
        event.model_copy(update={"ids": ()}) if isinstance(event, Generated) else event
        for event in played.transcript.events
    )
    stored = played.transcript.model_copy(update={"events": events})
    assert differences(played, collated([stored], harness.core, harness.surface), 0)


def test_rows_under_another_surface_are_caught() -> None:
    """Broken twin: training that renders the original while a variant was served."""
    harness = loaded("shop.harness")
    (played,) = play_first(harness, 1)
    assert played.transcript is not None
    other = harness.surface.model_copy(update={"markup": "xml"})
    assert differences(played, collated([played.transcript], harness.core, other), 0)


def test_the_conversations_are_uneven_enough_to_show_something() -> None:
    """The policy of these tests writes ids that no tokenizer would, and output that is no event."""
    harness = loaded("shop.harness")
    played = play_first(harness, 6)
    raw = [ids for one in played for ids in one.raw]
    assert sum(tuple(TOKENS.encode(TOKENS.decode(ids))) != ids for ids in raw) > len(raw) / 2
    kinds = {
        event.kind
        for one in played
        if one.transcript is not None
        for output in one.transcript.events
        if isinstance(output, Generated)
        for event in output.events
    }
    assert kinds >= {"think", "load_skill", "call", "reply", "foreign_call"}
