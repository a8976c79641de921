"""Conversations that the loop recorded: the declared tests of an example, answered by their oracles."""

import asyncio
from functools import cache
from pathlib import Path

from augmentors.policy import Policy
from augmentors.rows import Recipe, make
from harness_dsl.ir.core import TestCase
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.transcript import Generated, Transcript
from runtime.byte_tokenizer import byte_tokenizer
from runtime.engines.base import Sampling
from runtime.engines.scripted import ScriptedEngine
from runtime.load import Loaded, load_harness
from runtime.loop import Session, open_session, run_turn
from runtime.replay import LONGEST_OUTPUT
from runtime.testing.oracle import next_output
from runtime.version import Versions

EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def example(name: str) -> Loaded:
    """The example harness at `name`, below the folder of examples."""
    return load_harness(EXAMPLES / name)


@cache
def recorded(name: str) -> tuple[Transcript, ...]:
    """One conversation for each declared test of an example, without token ids."""
    harness = example(name)
    versions = Versions(byte_tokenizer(), harness.tools, harness.hooks, token_limits=False, patience=10)
    return tuple(asyncio.run(_converse(harness, versions, test)) for test in harness.core.tests)


def recipe(name: str, policy: Policy, *, with_messages: bool = False) -> Recipe:
    """Rows that show the recorded conversations of an example."""
    harness = example(name)
    return Recipe(
        core=harness.core,
        surface=harness.surface,
        policy=policy,
        seed=5,
        conversations=recorded(name),
        with_messages=with_messages,
    )


def written_to(folder: Path, rows: Recipe, numbers: range) -> tuple[Path, int]:
    """A file of those rows, and how many there are."""
    path = folder / "rows.jsonl"
    path.write_text("".join(make(rows, number).line for number in numbers), "utf-8")
    return path, len(numbers)


async def _converse(harness: Loaded, versions: Versions, test: TestCase) -> Transcript:
    opened: list[Session] = []

    def play(_: object) -> tuple[int, ...]:
        session = opened[0]
        return session.version.protocol.encode(next_output(test, session.version, session.transcript))

    inputs = {leaf(given.input): given.value for given in test.given}
    session = open_session(
        versions,
        ScriptedEngine(play),
        harness.core,
        harness.surface,
        inputs,
        sampling=Sampling(max_tokens=LONGEST_OUTPUT),
    )
    opened.append(session)
    for text in test.user:
        await run_turn(session, text)
    events = tuple(
        event.model_copy(update={"ids": ()}) if isinstance(event, Generated) else event
        for event in session.transcript.events
    )
    return session.transcript.model_copy(update={"events": events})
