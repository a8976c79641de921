"""Requests to the embedded engine, and the rows of a batch that they become."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from runtime.engines.base import EngineError, Generation, Sampling
from runtime.engines.embedded_model import BOUNDARY
from runtime.engines.embedded_sampling import choose

if TYPE_CHECKING:
    from torch import Generator, Tensor
    from transformers.cache_utils import Cache

    from runtime.engines.embedded_grammar import Matcher


@dataclass
class Request:
    """One prompt that waits for its answer. Cancelling `future` withdraws it.

    `listener` is told each id as it is chosen, with its log-probability, in the thread that runs the model.
    """

    ids: tuple[int, ...]
    sampling: Sampling
    session: str | None
    matcher: Matcher | None = None
    listener: Callable[[int, float], None] | None = None
    future: Future[Generation] = field(default_factory=Future)
    started: float = field(default_factory=time.perf_counter)

    def fail(self, error: Exception) -> None:
        """Answer with an `EngineError`, unless nobody waits any more."""
        if not isinstance(error, EngineError):
            retryable = type(error).__name__ == "OutOfMemoryError"
            error = EngineError(BOUNDARY, f"{type(error).__name__}: {error}", retryable=retryable)
        with contextlib.suppress(InvalidStateError):
            self.future.set_exception(error)

    def settle(self, generation: Generation) -> None:
        """Answer, unless nobody waits any more."""
        with contextlib.suppress(InvalidStateError):
            self.future.set_result(generation)


@dataclass
class Row:
    """A request in the batch. Its cache holds `request.ids + output[:-1]`: the newest id has not been fed."""

    request: Request
    random: Generator | None
    cached_tokens: int
    output: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)

    @property
    def length(self) -> int:
        return len(self.request.ids) + len(self.output) - 1

    @property
    def finished(self) -> bool:
        sampling = self.request.sampling
        return len(self.output) >= sampling.max_tokens or self.stopped or self.request.future.cancelled()

    @property
    def stopped(self) -> bool:
        matcher = self.request.matcher
        ended = matcher is not None and matcher.ended
        return bool(self.output) and (ended or self.output[-1] in self.request.sampling.stop_ids)

    def take(self, logits: Tensor) -> None:
        request = self.request
        chosen, logprob = choose(logits, request.sampling, self.random, request.matcher)
        self.output.append(chosen)
        if request.sampling.logprobs:
            self.logprobs.append(logprob)
        if request.listener is not None:
            request.listener(chosen, logprob)

    def generation(self) -> Generation:
        return Generation(
            ids=tuple(self.output),
            stop_reason="stop" if self.stopped else "length",
            logprobs=tuple(self.logprobs),
            prompt_tokens=len(self.request.ids),
            cached_tokens=self.cached_tokens,
            seconds=time.perf_counter() - self.request.started,
        )


@dataclass
class Batch:
    """Rows that are decoded together, and their joined cache: its positions are as many as the longest
    row's.
    """

    rows: list[Row]
    cache: Cache

    @property
    def width(self) -> int:
        return max(row.length for row in self.rows)
