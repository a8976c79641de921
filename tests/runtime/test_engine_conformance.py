"""The same cases on every engine: what callers of `Engine` may rely on."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from runtime.engines.base import EngineError, Sampling

from .conftest import opened

ENGINES = ("scripted", "embedded_attention", "embedded_hybrid", "sglang")
PROMPT = (3, 1, 4, 1, 5, 9, 2, 6)

pytestmark = pytest.mark.parametrize("kind", ENGINES)


def test_output_ends_with_a_stop_id_and_says_so(kind: str, run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with opened(kind) as engine:
            free = await engine.generate(PROMPT, Sampling(max_tokens=12))
            stop = free.ids[5]
            stopped = await engine.generate(PROMPT, Sampling(max_tokens=12, stop_ids=(stop,)))
            assert free.stop_reason == "length"
            assert len(free.ids) == 12
            assert stopped.ids == free.ids[: free.ids.index(stop) + 1]
            assert stopped.stop_reason == "stop"

    run(case())


def test_a_stop_id_at_the_token_limit_is_a_stop(kind: str, run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with opened(kind) as engine:
            free = await engine.generate(PROMPT, Sampling(max_tokens=1))
            again = await engine.generate(PROMPT, Sampling(max_tokens=1, stop_ids=free.ids))
            assert again.ids == free.ids
            assert (free.stop_reason, again.stop_reason) == ("length", "stop")

    run(case())


def test_greedy_output_is_the_same_twice_and_beside_others(kind: str, run: Callable[..., Any]) -> None:
    async def case() -> None:
        prompts = [PROMPT[:length] for length in (8, 3, 5, 1)]
        async with opened(kind) as engine:
            alone = [await engine.generate(prompt, Sampling(max_tokens=10)) for prompt in prompts]
            together = await asyncio.gather(*(engine.generate(p, Sampling(max_tokens=10)) for p in prompts))
            assert [g.ids for g in together] == [g.ids for g in alone]
            assert [g.prompt_tokens for g in together] == [8, 3, 5, 1]

    run(case())


def test_logprobs_come_when_asked_for_only(kind: str, run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with opened(kind) as engine:
            asked = await engine.generate(PROMPT, Sampling(max_tokens=6, logprobs=True))
            silent = await engine.generate(PROMPT, Sampling(max_tokens=6))
            assert len(asked.logprobs) == len(asked.ids)
            assert all(value <= 0 for value in asked.logprobs)
            assert silent.logprobs == ()

    run(case())


def test_an_empty_prompt_is_a_value_error(kind: str, run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with opened(kind) as engine:
            with pytest.raises(ValueError, match="empty"):
                await engine.generate((), Sampling())

    run(case())


def test_cancelling_one_request_leaves_the_engine_usable(kind: str, run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with opened(kind) as engine:
            expected = await engine.generate(PROMPT, Sampling(max_tokens=5))
            task = asyncio.ensure_future(engine.generate(PROMPT, Sampling(max_tokens=80)))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            after = await engine.generate(PROMPT, Sampling(max_tokens=5))
            assert after.ids == expected.ids

    run(case())


def test_the_session_changes_nothing_in_the_output(kind: str, run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with opened(kind) as engine:
            for session in (None, "room"):
                first = await engine.generate(PROMPT, Sampling(max_tokens=4), session=session)
                longer = (*PROMPT, *first.ids, 7, 8)
                second = await engine.generate(longer, Sampling(max_tokens=4), session=session)
                fresh = await engine.generate(longer, Sampling(max_tokens=4))
                assert second.ids == fresh.ids

    run(case())


def test_closing_twice_is_fine_and_a_closed_embedded_engine_refuses(
    kind: str, run: Callable[..., Any]
) -> None:
    async def case() -> None:
        async with opened(kind) as engine:
            await engine.generate(PROMPT, Sampling(max_tokens=2))
            await engine.close()
            await engine.close()
            if kind.startswith("embedded"):
                with pytest.raises(EngineError, match="closed"):
                    await engine.generate(PROMPT, Sampling(max_tokens=2))

    run(case())
