"""The thread that runs the model: requests join and leave one running batch between two tokens."""

from __future__ import annotations

import copy
import queue
import threading
from typing import TYPE_CHECKING, Any

from runtime.engines.base import EngineError
from runtime.engines.embedded_cache import State, StateStore, fresh, join, joinable, reusable, select
from runtime.engines.embedded_model import BOUNDARY
from runtime.engines.embedded_prefixes import Prefixes
from runtime.engines.embedded_rows import Batch, Request, Row
from runtime.engines.embedded_sampling import generator

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel
    from transformers.cache_utils import Cache

# Between two chunks of a long prompt the worker can notice that nobody waits any more.
PREFILL_CHUNK = 2048
IDLE_SECONDS = 2.0


class Worker:
    """Owns the model and all caches. `submit` may be called from any thread; the thread ends when idle."""

    def __init__(self, model: PreTrainedModel, *, max_sessions: int, max_batch: int) -> None:
        self._model = model
        self._states = StateStore(max_sessions)
        self._prefixes = Prefixes()
        self._max_batch = max_batch
        # None only wakes the thread.
        self._waiting: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._forget = threading.Event()
        self._closed = False

    def submit(self, request: Request) -> None:
        """Put `request` in line. Raises `EngineError` after `close`."""
        with self._lock:
            if self._closed:
                raise EngineError(BOUNDARY, "the engine is closed")
            self._waiting.put(request)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="embedded-engine", daemon=True)
                self._thread.start()

    def forget(self) -> None:
        """Drop every session's state before the next request is begun."""
        self._forget.set()

    def close(self) -> None:
        """Refuse new requests, fail the waiting and running ones, and wait for the thread to end."""
        with self._lock:
            self._closed = True
            thread = self._thread
            self._waiting.put(None)
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=30)

    def _run(self) -> None:
        import torch

        batches: list[Batch] = []
        with torch.inference_mode():
            while True:
                if not self._admit(batches):
                    return
                for batch in list(batches):
                    self._step(batch, batches)

    def _admit(self, batches: list[Batch]) -> bool:
        """Take waiting requests into the batch; wait when there is nothing to do. False: the thread ends."""
        running = sum(len(batch.rows) for batch in batches)
        if self._closed:
            self._fail_all(batches)
            return False
        while running < self._max_batch:
            request = self._next(wait=running == 0)
            if request is None:
                break
            if self._begin(request, batches):
                running += 1
        if running == 0:
            with self._lock:
                if self._waiting.empty():
                    self._thread = None
                    return False
        return True

    def _next(self, *, wait: bool) -> Request | None:
        try:
            return self._waiting.get(timeout=IDLE_SECONDS) if wait else self._waiting.get_nowait()
        except queue.Empty:
            return None

    def _begin(self, request: Request, batches: list[Batch]) -> bool:
        """Prefill `request` alone and let it join; False when it ended at once."""
        if request.future.cancelled():
            return False
        if self._forget.is_set():
            self._forget.clear()
            self._states.clear()
            self._prefixes.clear()
        try:
            row, cache = self._prefill(request)
        except Exception as error:
            request.fail(error)
            return False
        if row is None:
            return False
        if row.finished:
            self._finish(row, cache)
            return False
        self._join(row, cache, batches)
        return True

    def _prefill(self, request: Request) -> tuple[Row | None, Cache]:
        """Feed what no cache holds, and choose the first id. No row: the request was withdrawn."""
        ids = request.ids
        cache, cached = self._cached(request)
        row = Row(request, generator(request.sampling), cached)
        parting = self._prefixes.parting(ids, cached)
        at = cached
        while at < len(ids):
            if request.future.cancelled():
                return None, cache
            end = min(at + PREFILL_CHUNK, len(ids))
            if parting is not None and at < parting:
                end = min(end, parting)
            logits = self._forward([ids[at:end]], [at], cache, mask=None)
            if end == parting:
                self._prefixes.put(State(ids[:end], copy.deepcopy(cache)))
            at = end
        row.take(logits[0])
        return row, cache

    def _cached(self, request: Request) -> tuple[Cache, int]:
        """The cache with the longest beginning of the prompt, and its length: the session's, or a shared
        one.
        """
        own = reusable(self._states.take(request.session), request.ids)
        shared = self._prefixes.best(request.ids)
        if shared is not None and len(shared.ids) > (own[1] if own else 0):
            return copy.deepcopy(shared.cache), len(shared.ids)
        return own or (fresh(self._model), 0)

    def _join(self, row: Row, cache: Cache, batches: list[Batch]) -> None:
        mates = next((batch for batch in batches if batch.rows and joinable(batch.cache)), None)
        if mates is None or not joinable(cache):
            batches.append(Batch([row], cache))
            return
        mates.cache = join([mates.cache, cache], [mates.width, row.length])
        mates.rows.append(row)

    def _step(self, batch: Batch, batches: list[Batch]) -> None:
        """One more id for every row; rows that end leave the batch."""
        width = batch.width + 1
        try:
            logits = self._decode(batch)
        except Exception as error:
            for row in batch.rows:
                row.request.fail(error)
            batches.remove(batch)
            return
        failed = []
        for row, row_logits in zip(batch.rows, logits, strict=True):
            try:
                row.take(row_logits)
            except Exception as error:
                row.request.fail(error)
                failed.append(row)
        self._retire(batch, failed, width)
        if not batch.rows:
            batches.remove(batch)

    def _decode(self, batch: Batch) -> Tensor:
        import torch

        width = batch.width
        pads = torch.tensor([width - row.length for row in batch.rows])
        mask = None
        if bool(pads.any()):
            mask = (torch.arange(width + 1)[None, :] >= pads[:, None]).long()
        return self._forward(
            [[row.output[-1]] for row in batch.rows], [row.length for row in batch.rows], batch.cache, mask
        )

    def _retire(self, batch: Batch, failed: list[Row], width: int) -> None:
        """Hand out the finished rows with their part of the cache of `width` positions; close the gap."""
        leaving = [at for at, row in enumerate(batch.rows) if row.finished or row in failed]
        if not leaving:
            return
        for at in leaving:
            row = batch.rows[at]
            if row not in failed:
                alone = len(batch.rows) == 1
                self._finish(row, batch.cache if alone else select(batch.cache, [at], width - row.length))
        staying = [at for at in range(len(batch.rows)) if at not in leaving]
        if staying:
            kept = [batch.rows[at] for at in staying]
            batch.cache = select(batch.cache, staying, width - max(row.length for row in kept))
        batch.rows = [batch.rows[at] for at in staying]

    def _finish(self, row: Row, cache: Cache) -> None:
        request = row.request
        self._states.put(request.session, State(request.ids + tuple(row.output[:-1]), cache))
        request.settle(row.generation())

    def _forward(self, ids: Any, positions: list[int], cache: Cache, mask: Tensor | None) -> Tensor:
        """Logits after the last of `ids` (rows x new tokens); row i's first new token stands at
        `positions[i]`.
        """
        import torch

        device = self._model.device
        tokens = torch.tensor([list(row) for row in ids], device=device)
        starts = torch.tensor(positions, device=device)
        output = self._model(
            input_ids=tokens,
            position_ids=starts[:, None] + torch.arange(tokens.shape[1], device=device)[None, :],
            attention_mask=None if mask is None else mask.to(device),
            cache=cache,
            use_cache=True,
            logits_to_keep=1,
        )
        logits: Tensor = output.logits[:, -1]
        return logits

    def _fail_all(self, batches: list[Batch]) -> None:
        closed = EngineError(BOUNDARY, "the engine was closed")
        for batch in batches:
            for row in batch.rows:
                row.request.fail(closed)
        while (request := self._next(wait=False)) is not None:
            request.fail(closed)
        self._states.clear()
        self._prefixes.clear()
