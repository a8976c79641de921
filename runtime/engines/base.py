"""The interface of engines that promise tokens: ids in, the very ids that were sampled out."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

GrammarKind = Literal["json_schema", "regex", "ebnf", "structural_tag"]


@dataclass(frozen=True)
class Grammar:
    """What an output may be, in the words of xgrammar: the text of a JSON Schema, a regular expression, an
    EBNF grammar, or a structural tag (JSON).
    """

    kind: GrammarKind
    text: str


@dataclass(frozen=True)
class Sampling:
    """How to sample. `temperature` 0 is greedy. `stop_ids` end a turn and stand at the end of the output.

    `grammar` bars every id that cannot go on to an output it allows. `logprobs` asks for log-probabilities
    among the ids that it leaves, at this temperature (at 1 for greedy), before `top_p` cuts the tail.
    `seed` repeats the draws where the engine can: a server that batches requests cannot.
    """

    max_tokens: int = 256
    temperature: float = 0.0
    top_p: float = 1.0
    stop_ids: tuple[int, ...] = ()
    seed: int | None = None
    logprobs: bool = False
    grammar: Grammar | None = None


@dataclass(frozen=True)
class Generation:
    """One model output. `logprobs` has one natural-log probability per id, or is empty if not asked for.

    `cached_tokens` counts prompt tokens that the engine did not have to prefill; `seconds` is wall time.
    `draft_acceptance` is the share of drafted tokens that were accepted, where the engine speculates.
    """

    ids: tuple[int, ...]
    stop_reason: Literal["stop", "length", "abort"]
    logprobs: tuple[float, ...] = ()
    prompt_tokens: int = 0
    cached_tokens: int = 0
    seconds: float = field(default=0.0, compare=False)
    draft_acceptance: float | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Piece:
    """New ids of an output as they arrive, with their log-probabilities if those were asked for. The last
    piece of a stream, and no other, has the whole `generation`.
    """

    ids: tuple[int, ...]
    logprobs: tuple[float, ...] = ()
    generation: Generation | None = None


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

        The output ends by length where the model's context does. Raises `EngineError` when the engine cannot
        answer, `ValueError` for a prompt that is empty, over-long or not in the vocabulary.
        """
        ...

    def stream(
        self, ids: Sequence[int], sampling: Sampling, *, session: str | None = None
    ) -> AsyncIterator[Piece]:
        """The same output in pieces. Closing the iterator early ends the request. Raises as `generate`
        does.
        """
        ...

    async def close(self) -> None:
        """Release what the engine holds; idempotent."""
        ...
