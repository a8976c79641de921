"""Running code of a project, which may hang or crash, so that it is bounded and never stops a room."""

import asyncio
import contextlib
import inspect
import threading
from collections.abc import Callable
from typing import Any

MOST_THREADS = 256


class TimedOut(Exception):
    """The function did not return in time. A thread cannot be stopped: it runs on, and its result is
    dropped.
    """


class Crashed(Exception):
    """The function raised; `__cause__` is what."""


class _Threads:
    """Counts the threads of functions that have not returned, so that hung ones cannot pile up."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = 0

    def enter(self) -> bool:
        with self._lock:
            if self._running >= MOST_THREADS:
                return False
            self._running += 1
            return True

    def leave(self) -> None:
        with self._lock:
            self._running -= 1


_threads = _Threads()


async def run_bounded(function: Callable[..., Any], arguments: dict[str, Any], timeout_s: float) -> Any:
    """What `function(**arguments)` returns: a coroutine function here, any other in a thread of its own.

    Raises `TimedOut` after `timeout_s`, and `Crashed` for whatever the function raises, `SystemExit` too.
    """
    if inspect.iscoroutinefunction(function):
        running: asyncio.Future[tuple[Any, BaseException | None]]
        running = asyncio.ensure_future(_caught(function, arguments))
    else:
        running = _in_thread(function, arguments)
    try:
        # Not `wait_for`: it would wait for ever for a coroutine that swallows its cancellation.
        done, _ = await asyncio.wait({running}, timeout=timeout_s)
    except asyncio.CancelledError:
        running.cancel()
        raise
    if not done:
        running.cancel()
        raise TimedOut(f"no result within {timeout_s:g} s")
    value, error = running.result()
    if error is not None:
        raise Crashed(f"{type(error).__name__}: {error}".removesuffix(": ")) from error
    return value


async def _caught(
    function: Callable[..., Any], arguments: dict[str, Any]
) -> tuple[Any, BaseException | None]:
    try:
        return await function(**arguments), None
    except asyncio.CancelledError:
        raise
    except BaseException as error:
        return None, error


def _in_thread(
    function: Callable[..., Any], arguments: dict[str, Any]
) -> "asyncio.Future[tuple[Any, BaseException | None]]":
    loop = asyncio.get_running_loop()
    future: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()
    if not _threads.enter():
        future.set_result((None, RuntimeError(f"{MOST_THREADS} calls have not returned")))
        return future

    def deliver(outcome: tuple[Any, BaseException | None]) -> None:
        if not future.done():
            future.set_result(outcome)

    def work() -> None:
        try:
            outcome: tuple[Any, BaseException | None] = (function(**arguments), None)
        except BaseException as error:
            outcome = (None, error)
        finally:
            _threads.leave()
        # The loop may have ended since: then nobody waits for the outcome.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(deliver, outcome)

    threading.Thread(target=work, name=f"call-{function.__name__}", daemon=True).start()
    return future
