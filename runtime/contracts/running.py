"""Runs the contract suite of a harness in processes of its own, and outlives them.

An implementation that ends its process, or keeps it so busy that it does not answer, disagrees like any
other.
"""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from runtime.contracts.answers import declared
from runtime.contracts.plan import At, Failed, Plan, Told, Verdict, told_of
from runtime.contracts.report import described

LOADING_S = 60.0
"""Seconds that a harness has to load, and events to be generated."""
PATIENCE_S = 10.0
"""Seconds for one event beyond the time-outs of its answer, after which a silent process is stopped."""

_ROOT = str(Path(__file__).resolve().parents[2])
_COMMAND = (
    f"import sys; sys.path.append({_ROOT!r}); from runtime.contracts.worker import main; main(sys.argv[1])"
)


class ContractError(Exception):
    """The suite cannot be run; the message is one sentence for the author."""


def verdicts(plan: Plan, core: Core, surface: Surface) -> Iterator[Verdict]:
    """A verdict on every implementation, in declared order. Raises `ContractError`."""
    while any(True for _ in plan.jobs(core)):
        before = plan
        with contextlib.closing(_Worker(plan)) as worker:
            for verdict in _of_one(worker, plan, core, surface):
                plan = plan.without(verdict.hook, verdict.number)
                yield verdict
        if plan is before:
            raise ContractError("the process that asks the implementations ends before any of them")


def _of_one(worker: "_Worker", plan: Plan, core: Core, surface: Surface) -> Iterator[Verdict]:
    """The verdicts of one process; the last may be about an implementation that it did not survive."""
    at: At | None = None
    while True:
        try:
            told = worker.next(LOADING_S if at is None else 3 * plan.timeout_s + PATIENCE_S)
        except TimeoutError:
            how = "it does not answer, and nothing else can run"
        else:
            match told:
                case At():
                    at = told
                    continue
                case Verdict():
                    at = None
                    yield told
                    continue
                case Failed():
                    raise ContractError(told.message)
            how = "the process ended"
        if at is not None:
            yield _lost(at, how, plan, core, surface)
        return


def _lost(at: At, how: str, plan: Plan, core: Core, surface: Surface) -> Verdict:
    hook = next(hook for hook in core.hooks if hook.id == at.hook)
    events = plan.events_of(core, surface, hook)
    event = events[at.event]
    expected = str(declared(hook, event))
    target = hook.implementations[at.number - 1].target
    return Verdict(at.hook, at.number, target, len(events), described(event, core, hook), expected, how)


class _Worker:
    """A process and what it tells."""

    def __init__(self, plan: Plan) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _COMMAND, plan.text()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()

    def _read(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            self._lines.put(line)
        self._lines.put(None)

    def next(self, timeout_s: float) -> Told | None:
        """What it tells next; None when it has ended. Raises `TimeoutError`."""
        try:
            line = self._lines.get(timeout=timeout_s)
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            return None
        try:
            return told_of(line.decode("ascii"))
        except (ValueError, KeyError, TypeError):
            return None  # half a line: it ended while it told

    def close(self) -> None:
        """Ends the process and what it started."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()
        self._process.wait()
