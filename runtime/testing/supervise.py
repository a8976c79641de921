"""Runs plans in worker processes and outlives them: a test that ends, hangs or floods its process fails, and
the others go on in another one.
"""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from codecs import getincrementaldecoder
from collections.abc import Generator
from pathlib import Path
from typing import IO

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
    event_of,
    plan_text,
)

LOADING_S = 60.0
"""Seconds that a harness has to load at least, however short its tests may be."""

PRINTED = 64 * 1024
"""Bytes of what code of a project prints that are passed on, of each worker."""

_ROOT = str(Path(__file__).resolve().parents[2])
_COMMAND = (
    f"import sys; sys.path.append({_ROOT!r}); from runtime.testing.worker import main; main(sys.argv[1])"
)


def supervise(plan: Plan, timeout_s: float) -> Generator[Event]:
    """What happens while `plan` is run, ending in `Done` or `Failed`. `timeout_s` is for one test.

    Closing the iterator ends the worker.
    """
    settled, told = plan.skip, False
    while True:
        before = settled
        with contextlib.closing(_one_worker(plan.after(settled) if told else plan, timeout_s)) as events:
            for event in events:
                settled += isinstance(event, Outcome)
                if isinstance(event, Leaving):
                    break
                if not (isinstance(event, Loaded) and told):
                    yield event
                told = told or isinstance(event, Loaded)
                if isinstance(event, Done | Failed):
                    return
        if settled == before:
            yield Failed("the process that runs the tests ends before any of them", 2)
            return


class _Worker:
    """A process and the events that it tells."""

    def __init__(self, plan: Plan) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _COMMAND, plan_text(plan)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._process.stdout is not None and self._process.stderr is not None
        self._how = ""
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()
        self._printing = threading.Thread(target=_pass_on, args=(self._process.stderr,), daemon=True)
        self._printing.start()

    def _read(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            self._lines.put(line)
        self._lines.put(None)

    def next(self, timeout_s: float) -> Event | None:
        """The next event; None when the process has ended. Raises `TimeoutError`."""
        deadline = time.monotonic() + timeout_s
        line: bytes | None = b""
        while line == b"":
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            ended = self._process.poll() is not None
            try:
                line = self._lines.get(timeout=min(left, 0.5))
            except queue.Empty:
                # A process that it left behind may hold the pipe open, so that no end of file comes.
                line = None if ended else b""
        if line is None:
            return None
        try:
            return event_of(line.decode("ascii"))
        except (ValueError, KeyError, TypeError):
            return None  # half a line: it ended while it told

    def end(self, patience_s: float = 0.0) -> str:
        """Ends the process, which has so long to end by itself, and what it started; says how it ended."""
        if self._how == "":
            by_itself = self._waited(patience_s)
            if hasattr(os, "killpg"):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
            status = self._process.wait()
            self._printing.join(2.0)
            self._how = _status_text(status) if by_itself else "stopped"
        return self._how

    def _waited(self, seconds: float) -> bool:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True


def _status_text(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-status).name
    return f"signal {-status}"


def _one_worker(plan: Plan, timeout_s: float) -> Generator[Event]:
    """The events of one worker, with an `Outcome` for a test that it did not survive."""
    worker = _Worker(plan)
    row: int | None = None
    test: Named | None = None
    began = time.monotonic()
    loaded = False
    try:
        while True:
            limit = timeout_s if loaded else max(timeout_s, LOADING_S)
            try:
                event = worker.next(limit)
            except TimeoutError:
                worker.end()
                ended = f"no end after {limit:g} seconds, so it was stopped (`--timeout` sets how many)"
                yield _lost(row, test, ended, began, loaded)
                return
            if event is None:
                ended = f"the process ended while it ran ({worker.end(2.0)}): a tool or hook ended it"
                yield _lost(row, test, ended, began, loaded)
                return
            match event:
                case Shown():
                    row, loaded = event.row, True
                case Started():
                    test, began = event.test, time.monotonic()
                case Outcome():
                    test = None
                case _:
                    pass
            yield event
            if isinstance(event, Done | Failed | Leaving):
                return
    finally:
        worker.end()


def _lost(row: int | None, test: Named | None, ended: str, began: float, loaded: bool) -> Event:
    if test is not None:
        return Outcome(row, test, (ended,), "", time.monotonic() - began, died=True)
    return Leaving() if loaded else Failed(f"the harness cannot be loaded for its tests: {ended}", 2)


def _pass_on(pipe: IO[bytes]) -> None:
    """Prints what comes from `pipe` on standard error, up to a limit; reads the rest and drops it."""
    left, decoder = PRINTED, getincrementaldecoder("utf-8")("replace")
    while chunk := pipe.read1(8192):  # type: ignore[attr-defined]  # pipes of Popen are buffered readers
        if left >= 0:
            sys.stderr.write(decoder.decode(chunk[:left]))
            if len(chunk) > left:
                sys.stderr.write(f"\n(what more is printed is left out, after {PRINTED} bytes)\n")
            sys.stderr.flush()
        left -= len(chunk)
