"""Work shared among processes, its results in order. One that is killed ends the work, which never waits for
it.
"""

import contextlib
import multiprocessing
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Any, Generic, TypeVar

Shared = TypeVar("Shared")
Job = TypeVar("Job")
Answer = TypeVar("Answer")
Work = Callable[[Shared, Job], Answer]

_ENDING_S = 2.0
"""Seconds that processes have to end what they started themselves."""


class WorkerLostError(Exception):
    """A process ended before its work did; the message is a sentence for whoever started the command."""


def in_order(
    work: "Work[Shared, Job, Answer]", shared: Shared, jobs: Iterable[Job], workers: int
) -> Iterator[Answer]:
    """What `work(shared, job)` gives for each job, in their order, from at most so many processes.

    Jobs are taken no further ahead than each process can have one and leave one behind. Closing the iterator
    ends the processes. Raises `WorkerLostError`, and what `work` raises.
    """
    crew = _Crew(work, shared, workers)
    left, given, due = iter(jobs), 0, 0
    done: dict[int, Answer] = {}
    try:
        while True:
            while given - due < 2 * workers and crew.free:
                try:
                    job = next(left)
                except StopIteration:
                    break
                crew.give(given, job)
                given += 1
            if due in done:
                yield done.pop(due)
                due += 1
            elif crew.busy:
                done.update(crew.answers())
            else:
                return
    finally:
        crew.end()


@dataclass(frozen=True, eq=False)
class _Worker:
    process: SpawnProcess
    pipe: "Connection[Any, Any]"


class _Crew(Generic[Shared, Job, Answer]):
    """The processes, started when there is work for them, and which job each has."""

    def __init__(self, work: "Work[Shared, Job, Answer]", shared: Shared, most: int) -> None:
        self._work, self._shared, self._most = work, shared, most
        self._all: list[_Worker] = []
        self._idle: list[_Worker] = []
        self.busy: dict[object, tuple[_Worker, int]] = {}

    @property
    def free(self) -> bool:
        return bool(self._idle) or len(self._all) < self._most

    def give(self, number: int, job: Job) -> None:
        """Raises `WorkerLostError`."""
        worker = self._idle.pop() if self._idle else self._start()
        try:
            worker.pipe.send(job)
        except OSError:
            raise _lost(worker) from None
        self.busy[worker.pipe] = (worker, number)

    def answers(self) -> Iterator[tuple[int, Answer]]:
        """Waits for answers: at least one, with the number of its job."""
        for pipe in wait([worker.pipe for worker, _ in self.busy.values()]):
            worker, number = self.busy.pop(pipe)
            try:
                fine, answer = worker.pipe.recv()
            except (EOFError, OSError):
                raise _lost(worker) from None
            if not fine:
                raise answer
            self._idle.append(worker)
            yield number, answer

    def _start(self) -> _Worker:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, self._work, self._shared), daemon=True)
        worker = _Worker(process, ours)
        with theirs, _deaf():
            try:
                process.start()
            except BrokenPipeError:
                # It ended before it had read what it is to do.
                raise WorkerLostError(_SENTENCE.format("ended as it was started")) from None
            self._all.append(worker)
        return worker

    def end(self) -> None:
        """Ends all processes, and gives those that work a moment to end what they started."""
        for worker in self._all:
            worker.pipe.close()
        for worker, _ in self.busy.values():
            worker.process.terminate()
        for worker in self._all:
            worker.process.join(_ENDING_S)
            worker.process.kill()
            worker.process.join()


_SENTENCE = "a worker process {}; if memory ran out, fewer --workers need less"


def _lost(worker: _Worker) -> WorkerLostError:
    worker.process.join(_ENDING_S)
    status = worker.process.exitcode
    if status is not None and status < 0:
        with contextlib.suppress(ValueError):
            return WorkerLostError(_SENTENCE.format(f"was killed ({signal.Signals(-status).name})"))
    return WorkerLostError(_SENTENCE.format(f"ended with status {status}"))


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are started meanwhile do not hear Ctrl-C, of which each would print a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # It is started with the first process otherwise, and lets Ctrl-C through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: "Connection[Any, Any]", work: "Work[Any, Any, Any]", shared: object) -> None:
    """What a process does until nobody gives it anything to do."""
    signal.signal(signal.SIGTERM, _leave)
    # Whoever gives the work may be gone at any time.
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            job = pipe.recv()
            try:
                answer = (True, work(shared, job))
            except Exception as error:
                error.add_note(traceback.format_exc())
                answer = (False, error)
            pipe.send(answer)


def _leave(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)
