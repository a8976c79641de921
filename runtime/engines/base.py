"""The interface of engines that promise tokens: ids in, the very ids that were sampled out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol


@dataclass(frozen=True)
class Sampling:
    """How to sample. `temperature` 0 is greedy. `stop_ids` end a turn and stand at the end of the output.

    `logprobs` asks for log-probabilities at this temperature (at 1 for greedy), before `top_p` cuts the tail.
    """

    max_tokens: int = 256
    temperature: float = 0.0
    top_p: float = 1.0
    stop_ids: tuple[int, ...] = ()
    seed: int | None = None
    logprobs: bool = False


@dataclass(frozen=True)
class Generation:
    """One model output. `logprobs` has one natural-log probability per id, or is empty if not asked for.

    `cached_tokens` counts prompt tokens that the engine did not have to prefill; `seconds` is wall time.
    """

    ids: tuple[int, ...]
    stop_reason: Literal["stop", "length", "abort"]
    logprobs: tuple[float, ...] = ()
    prompt_tokens: int = 0
    cached_tokens: int = 0
    seconds: float = field(default=0.0, compare=False)


class EngineError(Exception):
    """A failure outside us: `boundary` names the engine, `retryable` whether the same request may succeed
    later.
    """

    def __init__(self, boundary: str, message: str, *, retryable: bool = False) -> None:
        super().__init__(f"{boundary}: {message}")
        self.boundary = boundary
        self.retryable = retryable


class Engine(Protocol):
    """One model behind one interface. Implementations are safe to call from many sessions of one event
    loop.
    """

    name: str

    async def generate(
        self, ids: Sequence[int], sampling: Sampling, *, session: str | None = None
    ) -> Generation:
        """Continue `ids`. `session` lets an engine keep a cache across the turns of one conversation.

        Raises `EngineError` when the engine cannot answer, `ValueError` for an empty or over-long prompt.
        """
        ...

    async def close(self) -> None:
        """Release what the engine holds; idempotent."""
        ...
