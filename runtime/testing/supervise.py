"""Runs plans in worker processes and outlives them: a test that ends, hangs or floods its process fails, and
the others go on in another one.
"""

import contextlib
import time
from collections.abc import Generator

from runtime.child import Child
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


def _next(worker: Child, timeout_s: float) -> Event | None:
    """The next event; None when the process has ended. Raises `TimeoutError`."""
    line = worker.line(timeout_s)
    if line is None:
        return None
    try:
        return event_of(line.decode("ascii"))
    except (ValueError, KeyError, TypeError):
        return None  # half a line: it ended while it told


def _one_worker(plan: Plan, timeout_s: float) -> Generator[Event]:
    """The events of one worker, with an `Outcome` for a test that it did not survive."""
    worker = Child("runtime.testing.worker", plan_text(plan))
    row: int | None = None
    test: Named | None = None
    began = time.monotonic()
    loaded = False
    try:
        while True:
            limit = timeout_s if loaded else max(timeout_s, LOADING_S)
            try:
                event = _next(worker, limit)
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
