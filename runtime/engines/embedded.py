"""An engine in this process: transformers on CPU or GPU, over a local directory of any causal language
model.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from runtime.engines.base import EngineError, Generation, Piece, Sampling
from runtime.engines.embedded_arrivals import Arrivals
from runtime.engines.embedded_grammar import Grammars
from runtime.engines.embedded_model import BOUNDARY, load_model
from runtime.engines.embedded_rows import Request
from runtime.engines.embedded_worker import Worker

if TYPE_CHECKING:
    from transformers import PreTrainedModel


class EmbeddedEngine:
    """Runs `model` in one worker thread. Requests that wait at the same time are decoded as one batch.

    What a request yields does not depend on what runs beside it, up to the rounding of batched arithmetic.
    The caches of the `max_sessions` latest sessions are kept: a next turn prefills only its new tokens, and a
    first turn only what comes after a beginning that it shares with earlier prompts. A
    request that takes longer than `timeout_s` is an `EngineError`; it, and one whose task is cancelled, ends
    between two tokens.
    """

    name = "embedded"

    def __init__(
        self,
        model: PreTrainedModel,
        *,
        max_sessions: int = 64,
        max_batch: int = 32,
        timeout_s: float = 120.0,
        tokenizer: Path | None = None,
    ) -> None:
        """`tokenizer` is the directory of the model's tokenizer, which only grammars need."""
        self._vocabulary = int(model.config.get_text_config().vocab_size)
        self._context = int(getattr(model.config.get_text_config(), "max_position_embeddings", 1 << 30))
        self._timeout_s = timeout_s
        self._worker = Worker(model, max_sessions=max_sessions, max_batch=max_batch)
        self.grammars = None if tokenizer is None else Grammars(tokenizer, self._vocabulary)

    @classmethod
    def load(
        cls,
        directory: str | Path,
        *,
        device: str = "auto",
        dtype: str = "auto",
        max_sessions: int = 64,
        max_batch: int = 32,
        timeout_s: float = 120.0,
    ) -> EmbeddedEngine:
        """The engine over the model in `directory`; see `load_model` for the errors."""
        model = load_model(directory, device=device, dtype=dtype)
        return cls(
            model,
            max_sessions=max_sessions,
            max_batch=max_batch,
            timeout_s=timeout_s,
            tokenizer=Path(directory),
        )

    async def generate(
        self, ids: Sequence[int], sampling: Sampling, *, session: str | None = None
    ) -> Generation:
        """Continue `ids`; the output ends by length where the model's context does."""
        request = await self._request(ids, sampling, session)
        self._worker.submit(request)
        try:
            async with asyncio.timeout(self._timeout_s):
                return await asyncio.wrap_future(request.future)
        except TimeoutError as error:
            raise self._late() from error

    async def stream(
        self, ids: Sequence[int], sampling: Sampling, *, session: str | None = None
    ) -> AsyncIterator[Piece]:
        """Continue `ids`, in pieces of the ids that were chosen since the last one."""
        request = await self._request(ids, sampling, session)
        deadline = asyncio.get_running_loop().time() + self._timeout_s
        arrivals = Arrivals(request)
        self._worker.submit(request)
        try:
            while (piece := await arrivals.next(deadline)) is not None:
                yield piece
        except TimeoutError as error:
            raise self._late() from error
        finally:
            request.future.cancel()

    async def generate_batch(
        self, prompts: Sequence[Sequence[int]], sampling: Sampling, *, sessions: Sequence[str] | None = None
    ) -> list[Generation]:
        """One generation per prompt, in order; prompts may differ in length. `sessions` name their caches."""
        names: Sequence[str | None] = sessions if sessions is not None else [None] * len(prompts)
        requests = [self.generate(p, sampling, session=s) for p, s in zip(prompts, names, strict=True)]
        return list(await asyncio.gather(*requests))

    async def flush_cache(self) -> None:
        """Forget every session's cache; call it after the model's weights changed."""
        self._worker.forget()

    async def close(self) -> None:
        """End the worker thread; requests in flight fail."""
        await asyncio.to_thread(self._worker.close)

    async def _request(self, ids: Sequence[int], sampling: Sampling, session: str | None) -> Request:
        request = Request(tuple(ids), self._checked(ids, sampling), session)
        if sampling.grammar is not None:
            if self.grammars is None:
                raise EngineError(BOUNDARY, "a grammar needs the model's tokenizer, which is not here")
            # Compiling a large grammar takes up to a second.
            request.matcher = await asyncio.to_thread(
                self.grammars.matcher, sampling.grammar, sampling.stop_ids
            )
        return request

    def _late(self) -> EngineError:
        return EngineError(BOUNDARY, f"no answer within {self._timeout_s:g} s", retryable=True)

    def _checked(self, ids: Sequence[int], sampling: Sampling) -> Sampling:
        """`sampling` cut to the room that is left in the context."""
        if not ids:
            raise ValueError("the prompt is empty")
        if sampling.max_tokens < 1:
            raise ValueError("max_tokens must be at least 1")
        if min(ids) < 0 or max(ids) >= self._vocabulary:
            raise ValueError(f"the prompt has an id outside the vocabulary of {self._vocabulary}")
        room = self._context - len(ids)
        if room < 1:
            raise ValueError(f"the prompt has {len(ids)} tokens, the model takes {self._context - 1}")
        return replace(sampling, max_tokens=min(sampling.max_tokens, room))
