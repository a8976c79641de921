"""The conformance suite of engines on the real server, and what only a real server can be asked."""

import asyncio
import json
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from runtime.engines.base import Sampling
from runtime.engines.embedded import EmbeddedEngine
from runtime.engines.sglang import SGLangEngine
from runtime.engines.sglang_launch import Server
from runtime.model_files import vocabulary_size
from tests.runtime.conformance import Bench, Case, cases_for

from .conversation import Conversation
from .memorized import CONTEXT

HAS = ("tokenizer", "longest", "vocabulary", "dead")


@pytest.fixture(scope="session")
def prompt(server: Server, model_directory: Path) -> tuple[int, ...]:
    """A prompt after which the model does not end its turn for a while."""

    async def search() -> tuple[int, ...]:
        engine = EmbeddedEngine.load(model_directory, device="cpu")
        try:
            for start in range(300, 340):
                ids = tuple(start + 7 * at for at in range(8))
                for part in (ids, ids[:3], ids[:5], ids[:1]):
                    found = await engine.generate(part, Sampling(max_tokens=90, stop_ids=(2,)))
                    if found.stop_reason == "stop":
                        break
                else:
                    return ids
        finally:
            await engine.close()
        raise AssertionError("the model ends its turn after every prompt")

    return asyncio.run(search())


@asynccontextmanager
async def bench_of(
    server: Server, model: Path, conversation: Conversation, prompt: tuple[int, ...]
) -> AsyncIterator[Bench]:
    vocabulary = vocabulary_size(model)
    engine = SGLangEngine(server.url, timeout_s=60, vocabulary=vocabulary)
    dead = SGLangEngine("http://127.0.0.1:9", attempts=2, backoff_s=0.01)
    try:
        # SGLang keeps some of its context back: it takes no longer prompt, and leaves this much after one.
        yield Bench(engine, dead, prompt, conversation.tokenizer, CONTEXT - 7, 5, vocabulary)
    finally:
        await engine.close()
        await dead.close()


@pytest.mark.parametrize("case", [pytest.param(case, id=case.__name__) for case in cases_for(HAS)])
def test_conformance(
    case: Case, server: Server, model_directory: Path, conversation: Conversation, prompt: tuple[int, ...]
) -> None:
    async def tried() -> None:
        async with bench_of(server, model_directory, conversation, prompt) as bench:
            await case(bench)

    asyncio.run(tried())


def running(server: Server) -> int:
    """How many requests the server's scheduler works on or holds."""
    with urllib.request.urlopen(f"{server.url}/v1/loads", timeout=10) as answer:
        loads: list[dict[str, Any]] = json.load(answer)["loads"]
    return sum(load["num_running_reqs"] + load["num_waiting_reqs"] for load in loads)


async def until_running(server: Server, count: int) -> None:
    async with asyncio.timeout(20):
        while await asyncio.to_thread(running, server) != count:
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("streamed", [False, True])
def test_the_server_stops_working_on_what_was_cancelled(
    server: Server, prompt: tuple[int, ...], streamed: bool
) -> None:
    async def case() -> None:
        engine = SGLangEngine(server.url)
        # Alone it would run for ten seconds and more.
        sampling = Sampling(max_tokens=3500)

        async def ask() -> None:
            if streamed:
                async for _ in engine.stream(prompt, sampling):
                    pass
            else:
                await engine.generate(prompt, sampling)

        task = asyncio.ensure_future(ask())
        await until_running(server, 1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await until_running(server, 0)
        await engine.close()

    asyncio.run(case())


def test_logprobs_are_those_of_the_model_in_this_process(
    server: Server, conversation: Conversation, model_directory: Path
) -> None:
    """Two implementations of one network: SGLang's and that of transformers."""
    ids = conversation.row.ids[:2000]
    sampling = Sampling(max_tokens=8, logprobs=True)

    async def case() -> None:
        engine, here = SGLangEngine(server.url), EmbeddedEngine.load(model_directory, device="cpu")
        served, own = await engine.generate(ids, sampling), await here.generate(ids, sampling)
        await engine.close()
        await here.close()
        assert served.ids == own.ids
        assert served.logprobs == pytest.approx(own.logprobs, abs=2e-3)

    asyncio.run(case())


def test_the_server_itself_read_the_ids_that_were_sent(server: Server, conversation: Conversation) -> None:
    """It echoes its input's ids with their log-probabilities: no one decoded and encoded them on the way."""
    ids = list(conversation.row.ids)
    body = {
        "input_ids": ids,
        "sampling_params": {"max_new_tokens": 1, "temperature": 0},
        "return_logprob": True,
        "logprob_start_len": 0,
    }
    request = urllib.request.Request(
        f"{server.url}/generate", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        meta = json.load(answer)["meta_info"]
    assert [triple[1] for triple in meta["input_token_logprobs"]] == ids
