"""The ids of one request on their way from the thread that runs the model to an event loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from concurrent.futures import Future

from runtime.engines.base import Generation, Piece
from runtime.engines.embedded_rows import Request


class Arrivals:
    """Listens to `request`; made in the event loop that reads. Nothing is lost or waited for twice."""

    def __init__(self, request: Request) -> None:
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        # Appending and taking from the left are atomic, so the two threads need no lock.
        self._chosen: deque[tuple[int, float]] = deque()
        self._request = request
        self._ended = False
        request.listener = self._chose
        request.future.add_done_callback(self._done)

    async def next(self, deadline: float) -> Piece | None:
        """What has arrived, waiting for it if need be; None after the last piece. Raises as the request does,
        and `TimeoutError` at `deadline` of the loop's clock.
        """
        if self._ended:
            return None
        async with asyncio.timeout_at(deadline):
            await self._changed.wait()
        self._changed.clear()
        # Looked at before the ids: an answer that comes later wakes the loop again.
        answered = self._request.future.done()
        chosen = [self._chosen.popleft() for _ in range(len(self._chosen))]
        ids = tuple(id_ for id_, _ in chosen)
        logprobs = tuple(value for _, value in chosen) if self._request.sampling.logprobs else ()
        if not answered:
            return Piece(ids, logprobs) if ids else await self.next(deadline)
        self._ended = True
        return Piece(ids, logprobs, self._request.future.result())

    def _chose(self, chosen: int, logprob: float) -> None:
        self._chosen.append((chosen, logprob))
        self._wake()

    def _done(self, _: Future[Generation]) -> None:
        self._wake()

    def _wake(self) -> None:
        # A loop that was closed meanwhile has nobody who waits.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._changed.set)
