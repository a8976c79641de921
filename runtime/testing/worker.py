"""The process in which tests run: code of the project may end it, flood it or hang it, and only it.

Events go to the standard output that it was started with; whatever code of the project prints goes to
standard error.
"""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from augmentors.adapters.adapter import Adapter
from harness_dsl.ir.core import Core, TestCase
from harness_dsl.ir.surface import Surface
from runtime.engines.base import Engine, EngineError, Sampling
from runtime.load import Loaded as Harness
from runtime.load import LoadError, load_harness
from runtime.testing.engines import open_engine, tokenizer_of
from runtime.testing.events import (
    Done,
    Event,
    Failed,
    Leaving,
    Loaded,
    Named,
    Outcome,
    Plan,
    Shown,
    Started,
    VariantError,
    event_line,
    plan_of,
)
from runtime.testing.reasons import Place
from runtime.testing.run import run_test
from runtime.version import Versions


def main(plan: str) -> None:
    """Runs the plan and ends the process; called in a process of its own."""
    events = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    def tell(event: Event) -> None:
        events.write(event_line(event))
        events.flush()

    todo = plan_of(plan)
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    limit_memory(todo.memory_mb)
    try:
        work(todo, tell)
    except MemoryError:
        tell(Failed("there is not enough memory for the tests", 2))
    # Threads of calls that hang must not keep it.
    os._exit(0)


def limit_memory(megabytes: int | None) -> None:
    """Lets this process allocate at most so much from now on, where the system can do that."""
    if megabytes is None or sys.platform != "linux":
        return
    import resource

    # Not RLIMIT_AS: every thread reserves address space that it never uses.
    resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20, megabytes << 20))


def end_with(parent: int) -> None:
    """Ends this process soon after `parent` has ended, however that was."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(0)


def work(plan: Plan, tell: Callable[[Event], None]) -> None:
    """Runs `plan` in this process and tells what happens; never raises for what the project does."""
    try:
        harness = load_harness(Path(plan.harness))
        if plan.policy is not None:
            from runtime.testing.variants import policy_of

            policy_of(plan.policy, plan.harness)
        versions = Versions(
            tokenizer_of(plan), harness.tools, harness.hooks, token_limits=plan.model is not None
        )
        versions.of(harness.core, harness.surface)
        tests = _chosen(harness.core, plan.only)
        named = {name for test in harness.core.tests for name in names(test)}
        unknown = tuple(name for name in plan.only or () if name not in named)
        tell(Loaded(harness.core.name, tuple(Named(test.id, test.title) for test in tests), unknown))
        tell(asyncio.run(_run(plan, harness, versions, tests, tell)))
    except LoadError as error:
        tell(Failed(str(error), error.status, error.module))
    except VariantError as error:
        tell(Failed(str(error), 1))
    except (EngineError, ValueError) as error:
        tell(Failed(str(error), 2))


def names(test: TestCase) -> set[str]:
    """What a test may be asked for by: its title, its id, or the id without `test/`."""
    return {test.title, test.id, test.id.partition("/")[2]}


def _chosen(core: Core, only: tuple[str, ...] | None) -> list[TestCase]:
    return [test for test in core.tests if only is None or not names(test).isdisjoint(only)]


async def _run(
    plan: Plan, harness: Harness, versions: Versions, tests: list[TestCase], tell: Callable[[Event], None]
) -> Event:
    """Runs every test on every row that is left; returns how that ended."""
    engine = open_engine(plan) if tests else None
    left = plan.skip
    try:
        for row in _rows(plan, harness, left // max(1, len(tests))):
            if isinstance(row, Failed):
                return row
            if row.adapter is not None:
                versions.adapt(row.adapter)
            version = versions.of(row.core, row.surface)
            tell(Shown(row.number, version.core_digest, version.surface_digest))
            known = _chosen(row.core, plan.only)
            for test in known[left % max(1, len(tests)) :]:
                tell(Started(Named(test.id, test.title)))
                tell(await _outcome(plan, row, test, versions, engine, harness.place))
                if plan.engine == "scripted" and calls_running():
                    return Leaving()
            left = 0
    finally:
        if engine is not None:
            await engine.close()
    return Done()


@dataclass(frozen=True)
class _Row:
    number: int | None
    core: Core
    surface: Surface
    adapter: Adapter | None = None


def _rows(plan: Plan, harness: Harness, skip: int) -> Iterator[_Row | Failed]:
    """The rows of `plan` but the first `skip`; a variant that is not certified ends them."""
    for number in plan.rows[skip:]:
        if number is None:
            yield _Row(None, harness.core, harness.surface)
            continue
        # Here, because the augmentors take a fifth of the time that a worker needs to start.
        from runtime.testing.variants import certified

        try:
            variant = certified(plan.harness, harness.core, harness.surface, plan.policy, plan.seed, number)
        except VariantError as error:
            yield Failed(str(error), 1)
            return
        if plan.output is not None:
            _write(plan.output, harness, variant.core, variant.surface)
        yield _Row(number, variant.core, variant.surface, variant.adapter)


def _write(output: str, harness: Harness, core: Core, surface: Surface) -> None:
    """Raises `ValueError` if it cannot be written."""
    from harness_dsl.diagnostics.system import reason
    from harness_dsl.syntax.artefact import dump_ir

    try:
        Path(output).write_bytes(dump_ir(core, surface, harness.source_digest) + b"\n")
    except OSError as error:
        raise ValueError(f"cannot write `{output}`: {reason(error)}") from None


async def _outcome(
    plan: Plan, row: _Row, test: TestCase, versions: Versions, engine: Engine | None, place: Place
) -> Outcome:
    named = Named(test.id, test.title)
    try:
        result = await run_test(
            test,
            versions,
            row.core,
            row.surface,
            engine=engine,
            sampling=Sampling(max_tokens=plan.max_tokens),
            session=f"{row.number}/{test.id}",
            place=place,
        )
    except MemoryError:
        return Outcome(row.number, named, ("there was not enough memory for it",), "", 0.0)
    return Outcome(row.number, named, result.problems, result.reply, result.seconds)


def calls_running() -> bool:
    """Whether functions of the project that were given up still run; they would slow down what follows."""
    calls = [thread for thread in threading.enumerate() if thread.name.startswith("call-")]
    for thread in calls:
        thread.join(0.2)  # one that has just returned is about to end
    return any(thread.is_alive() for thread in calls)
