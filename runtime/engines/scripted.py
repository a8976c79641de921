"""An engine without a model: it plays given outputs, or asks a policy what comes after the prompt."""

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from harness_dsl.ir.transcript import ModelEvent
from runtime.engines.base import EngineError, Generation, Piece, Sampling

Policy = Callable[[Sequence[int]], Sequence[int] | Awaitable[Sequence[int]]]
Encode = Callable[[Sequence[ModelEvent]], Sequence[int]]
Output = Sequence[int] | Sequence[ModelEvent]


class ScriptedEngine:
    """Answers with what `policy` returns for the prompt ids. A policy may be async, and may raise: an
    `EngineError`.

    An output is cut after the first of `stop_ids` and at `max_tokens`. One that holds no stop id stops by
    length, as it would with a model. Each id is certain, so its log-probability is 0. `delay_s` passes before
    each answer.
    """

    name = "scripted"

    def __init__(self, policy: Policy, *, delay_s: float = 0.0) -> None:
        self._policy = policy
        self._delay_s = delay_s
        self.prompts: list[tuple[int, ...]] = []

    @classmethod
    def playing(
        cls, outputs: Sequence[Output], encode: Encode | None = None, *, delay_s: float = 0.0
    ) -> "ScriptedEngine":
        """Plays `outputs` one after another: each a sequence of ids, or of events that `encode` turns into
        ids.

        When all are played the next request is an `EngineError`.
        """
        remaining = iter(outputs)

        def play(_: Sequence[int]) -> Sequence[int]:
            output = next(remaining, None)
            if output is None:
                raise EngineError("scripted", f"all {len(outputs)} outputs have been played")
            return _as_ids(output, encode)

        return cls(play, delay_s=delay_s)

    async def generate(
        self, ids: Sequence[int], sampling: Sampling, *, session: str | None = None
    ) -> Generation:
        """What the policy says for `ids`; `session` makes no difference to it."""
        if not ids:
            raise ValueError("the prompt is empty")
        if sampling.grammar is not None:
            raise EngineError("scripted", "it plays what it is given: a grammar would change nothing")
        started = time.perf_counter()
        self.prompts.append(tuple(ids))
        await asyncio.sleep(self._delay_s)
        produced = await self._ask(ids)
        output, stopped = _cut(produced, sampling)
        return Generation(
            ids=output,
            stop_reason="stop" if stopped else "length",
            logprobs=(0.0,) * len(output) if sampling.logprobs else (),
            prompt_tokens=len(ids),
            seconds=time.perf_counter() - started,
        )

    async def stream(
        self, ids: Sequence[int], sampling: Sampling, *, session: str | None = None
    ) -> AsyncIterator[Piece]:
        """The output of `generate`, one id a piece."""
        whole = await self.generate(ids, sampling, session=session)
        for at, id_ in enumerate(whole.ids):
            last = at + 1 == len(whole.ids)
            yield Piece((id_,), whole.logprobs[at : at + 1], whole if last else None)
        if not whole.ids:
            yield Piece((), (), whole)

    async def close(self) -> None:
        """Nothing is held."""

    async def _ask(self, ids: Sequence[int]) -> Sequence[int]:
        try:
            produced = self._policy(ids)
            return tuple(await produced if inspect.isawaitable(produced) else produced)
        except EngineError:
            raise
        except Exception as error:
            raise EngineError("scripted", f"the policy raised {type(error).__name__}: {error}") from error


def _as_ids(output: Output, encode: Encode | None) -> Sequence[int]:
    ids = [item for item in output if isinstance(item, int)]
    if len(ids) == len(output):
        return ids
    if encode is None:
        raise EngineError("scripted", "events were given without an encoder")
    return encode([item for item in output if not isinstance(item, int)])


def _cut(ids: Sequence[int], sampling: Sampling) -> tuple[tuple[int, ...], bool]:
    """`ids` up to the first stop id and the token limit, and whether a stop id ended them."""
    end = next((at + 1 for at, id_ in enumerate(ids) if id_ in sampling.stop_ids), len(ids) + 1)
    if end <= min(len(ids), sampling.max_tokens):
        return tuple(ids[:end]), True
    return tuple(ids[: sampling.max_tokens]), False
