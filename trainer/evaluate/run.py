"""Runs a suite through the loop that serves, many conversations at once so that the engine can batch them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from augmentors.adapters.adapter import Adapter
from augmentors.adapters.reshaping import AdapterError
from augmentors.policy import Policy
from harness_dsl.diagnostics.system import reason
from harness_dsl.ir.core import Core
from harness_dsl.ir.fault_plan import FaultPlan
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Event, Transcript
from harness_dsl.protocol import HFTokenizer, Tokenizer
from runtime.engines.base import Engine, EngineError, Sampling
from runtime.loop import Session, Turn, open_session, run_turn
from runtime.version import Versions
from trainer.evaluate.report import ItemResult, SuiteName, SuiteResult
from trainer.evaluate.suites import Item, items
from trainer.harness import Harness, open_harness
from trainer.simulator.check import Verdict, check_turn
from trainer.simulator.faults import under
from trainer.simulator.tasks import Task

LONGEST_OUTPUT = 96
AT_ONCE = 64

EngineFor = Callable[[Task, Core, Surface], Engine]
"""The engine of one conversation: the same for all, or an oracle that knows its task."""


def evaluate(
    path: Path,
    model: Path,
    suites: Sequence[SuiteName],
    *,
    n: int,
    seed: int = 0,
    policy: Policy | None = None,
) -> list[SuiteResult]:
    """Score the model in directory `model` on the harness at `path`, greedily and without a grammar.

    Raises `HarnessError` for the harness and `EngineError` for the model.
    """
    from runtime.engines.embedded import EmbeddedEngine

    harness = open_harness(path)
    tokenizer = load_tokenizer(model)
    engine = EmbeddedEngine.load(model, dtype="float32", max_sessions=AT_ONCE, max_batch=AT_ONCE)

    async def run() -> list[SuiteResult]:
        try:
            found = []
            for suite in suites:
                asked = list(items(harness, suite, n, seed, policy=policy))
                started = time.monotonic()
                scored = await run_items(asked, harness, tokenizer, lambda task, core, surface: engine)
                seconds = round(time.monotonic() - started, 1)
                found.append(
                    SuiteResult(
                        suite=suite,
                        harness=path.name,
                        model=str(model),
                        core_digest=harness.digest,
                        seed=seed,
                        seconds=seconds,
                        items=tuple(scored),
                    )
                )
            return found
        finally:
            await engine.close()

    return asyncio.run(run())


def load_tokenizer(model: Path) -> Tokenizer:
    """The tokenizer in directory `model`. Raises `EngineError`."""
    try:
        return HFTokenizer.from_file(model)
    except (OSError, ValueError) as error:
        raise EngineError("embedded", f"no tokenizer in {model}: {reason(error)}") from None


async def run_items(
    asked: Sequence[Item], harness: Harness, tokenizer: Tokenizer, engine_for: EngineFor
) -> list[ItemResult]:
    """The results in the order of `asked`; at most `AT_ONCE` conversations run at the same time."""
    gate = asyncio.Semaphore(AT_ONCE)
    versions = Versions(tokenizer, harness.functions)

    async def one(item: Item) -> ItemResult:
        async with gate:
            before = None
            if item.before is not None:
                earlier = await _converse(item.task, *item.before, versions, engine_for)
                before = earlier.verdict.right
            now = await _converse(
                item.task, item.core, item.surface, versions, engine_for, item.adapter, item.faults
            )
        return _result(item, now, before)

    return list(await asyncio.gather(*(one(item) for item in asked)))


class _Conversation:
    """A task that has been talked through: its last turn, the verdict on all of them."""

    def __init__(self, turns: Sequence[Turn], verdict: Verdict) -> None:
        self.turns = turns
        self.verdict = verdict


async def _converse(
    task: Task,
    core: Core,
    surface: Surface,
    versions: Versions,
    engine_for: EngineFor,
    adapter: Adapter | None = None,
    faults: FaultPlan | None = None,
) -> _Conversation:
    if adapter is not None:
        versions.adapt(adapter)
    session: Session = open_session(
        versions,
        engine_for(task, core, surface),
        core,
        surface,
        task.inputs,
        id=f"{task.id}/{id(surface)}",
        sampling=Sampling(max_tokens=LONGEST_OUTPUT),
        faults=faults,
    )
    task = under(core if adapter is None else adapter.before(core), task, faults or FaultPlan())
    turns: list[Turn] = []
    verdicts: list[Verdict] = []
    for wanted in task.turns:
        turn = await run_turn(session, wanted.text)
        turns.append(turn)
        told, events = (core, turn.events) if adapter is None else _before(core, turn.events, adapter)
        verdicts.append(check_turn(told, wanted, events, task.inputs))
    verdict = Verdict.all_of(verdicts).with_room(session.state.get("room"), task.final_room)
    return _Conversation(turns, verdict)


def _before(core: Core, events: tuple[Event, ...], adapter: Adapter) -> tuple[Core, tuple[Event, ...]]:
    """What happened in a refactored harness, as it would have in the one that tasks are about. Where a call
    has no counterpart there, all stand as they are, and are none of those that were due.
    """
    told = adapter.before(core)
    try:
        return told, adapter.back(Transcript(core_digest="", events=events)).events
    except AdapterError:
        return told, events


def _result(item: Item, now: _Conversation, before: bool | None) -> ItemResult:
    last = now.turns[-1]
    said = [f"{record.call.tool}{record.call.arguments}" for turn in now.turns for record in turn.calls]
    return ItemResult(
        id=item.task.id,
        kind=item.task.turns[-1].kind,
        user=item.task.turns[-1].text,
        core_digest=last.core_digest,
        surface_digest=last.surface_digest,
        right=now.verdict.right,
        calls=now.verdict.calls,
        reply=now.verdict.reply,
        reasons=now.verdict.reasons,
        output=" → ".join([*said, last.published or f"({last.outcome})"]),
        before=before,
    )
