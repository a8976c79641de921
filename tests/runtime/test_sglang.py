"""What the HTTP engine sends and reads, and how it behaves when the server does not."""

import asyncio
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runtime.engines.base import EngineError, Sampling
from runtime.engines.recording import RecordingServer
from runtime.engines.scripted import ScriptedEngine
from runtime.engines.sglang import SGLangEngine
from runtime.engines.sglang_format import read_generation

from .conftest import arithmetic

PROMPT = (3, 1, 4, 1, 5)
STOP = Sampling(stop_ids=(2,))


def answer(**changes: Any) -> dict[str, Any]:
    """An answer as SGLang 0.5 gives it."""
    meta = {
        "id": "r",
        "finish_reason": {"type": "stop", "matched": 2},
        "prompt_tokens": 5,
        "completion_tokens": 3,
        "cached_tokens": 4,
        "output_token_logprobs": [[-0.5, 8, None], [-0.25, 9, None], [-0.125, 2, None]],
    }
    return {"text": "", "output_ids": [8, 9, 2], "meta_info": meta | changes}


def test_ids_go_over_the_wire_as_they_are_and_come_back_as_sampled(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    async def case() -> None:
        log = tmp_path / "wire.jsonl"
        recording = RecordingServer(ScriptedEngine.playing([[8, 9, 2]]), log=log)
        async with recording.listening() as server:
            engine = SGLangEngine(server.url)
            generation = await engine.generate(PROMPT, Sampling(max_tokens=7, stop_ids=(2,), seed=5))
            await engine.close()
        assert generation.ids == (8, 9, 2)
        (body,) = recording.requests
        assert body["input_ids"] == list(PROMPT)
        parameters = body["sampling_params"]
        assert parameters["max_new_tokens"] == 7
        assert parameters["stop_token_ids"] == [2]
        assert parameters["sampling_seed"] == 5
        assert json.loads(log.read_text()) == body

    run(case())


def test_chat_markers_are_not_stripped_and_nothing_is_null(run: Callable[..., Any]) -> None:
    """Known bugs 32 and 37: a null in a request, and special tokens that vanish from the output."""

    async def case() -> None:
        async with RecordingServer(ScriptedEngine(arithmetic)).listening() as server:
            engine = SGLangEngine(server.url)
            await engine.generate(PROMPT, Sampling(max_tokens=3))
            await engine.close()
            (body,) = server.requests
        assert body["sampling_params"]["skip_special_tokens"] is False
        assert body["sampling_params"]["no_stop_trim"] is True
        assert "null" not in json.dumps(body)

    run(case())


@pytest.mark.parametrize("status", [429, 500, 503])
def test_overload_and_server_errors_are_tried_again(run: Callable[..., Any], status: int) -> None:
    async def case() -> None:
        async with RecordingServer(ScriptedEngine(arithmetic)).listening() as server:
            engine = SGLangEngine(server.url, backoff_s=0.001, attempts=3)
            server.failures = [status, status]
            assert len((await engine.generate(PROMPT, Sampling(max_tokens=4))).ids) == 4
            assert len(server.requests) == 3
            server.failures = [status] * 5
            with pytest.raises(EngineError, match=f"status {status}.*after 3 attempts") as caught:
                await engine.generate(PROMPT, Sampling(max_tokens=4))
            assert caught.value.retryable
            assert len(server.requests) == 6
            await engine.close()

    run(case())


def test_a_refused_request_is_not_tried_again(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with RecordingServer(ScriptedEngine(arithmetic)).listening() as server:
            engine = SGLangEngine(server.url, backoff_s=0.001)
            server.failures = [422]
            with pytest.raises(EngineError, match="status 422") as caught:
                await engine.generate(PROMPT, Sampling())
            assert not caught.value.retryable
            assert len(server.requests) == 1
            await engine.close()

    run(case())


def test_a_dead_server_is_a_bounded_error(run: Callable[..., Any]) -> None:
    async def case() -> None:
        engine = SGLangEngine("http://127.0.0.1:9", backoff_s=0.001, attempts=2)
        with pytest.raises(EngineError, match=r"sglang: .*cannot be reached.*after 2 attempts") as caught:
            await engine.generate(PROMPT, Sampling())
        assert caught.value.retryable
        assert not await engine.healthy()
        await engine.close()

    run(case())


def test_a_hanging_server_times_out_and_the_request_is_aborted(run: Callable[..., Any]) -> None:
    async def case() -> None:
        slow = ScriptedEngine(arithmetic, delay_s=3)
        async with RecordingServer(slow).listening() as server:
            engine = SGLangEngine(server.url, timeout_s=0.1)
            with pytest.raises(EngineError, match="no answer within") as caught:
                await engine.generate(PROMPT, Sampling())
            await engine.close()
            assert caught.value.retryable
            assert server.aborted == [server.requests[0]["rid"]]

    run(case())


def test_cancelling_aborts_on_the_server(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with RecordingServer(ScriptedEngine(arithmetic, delay_s=3)).listening() as server:
            engine = SGLangEngine(server.url)
            task = asyncio.ensure_future(engine.generate(PROMPT, Sampling()))
            while not server.requests:
                await asyncio.sleep(0.005)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await engine.close()
            assert server.aborted == [server.requests[0]["rid"]]

    run(case())


def test_flush_and_health_reach_the_server(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with RecordingServer(ScriptedEngine(arithmetic)).listening() as server:
            engine = SGLangEngine(server.url)
            assert await engine.healthy()
            await engine.flush_cache()
            await engine.close()
            assert server.flushes == 1

    run(case())


def test_waits_between_attempts_have_jitter_and_obey_the_server(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[tuple[float, float]] = []

    def draw(low: float, high: float) -> float:
        waits.append((low, high))
        return 0.0

    monkeypatch.setattr(random, "uniform", draw)

    async def case() -> None:
        engine = SGLangEngine("http://127.0.0.1:9", backoff_s=0.5, attempts=4)
        with pytest.raises(EngineError):
            await engine.generate(PROMPT, Sampling())
        await engine.close()

    run(case())
    assert waits == [(0, 0.5), (0, 1.0), (0, 2.0)]


def test_an_answer_of_the_server_is_read_whole() -> None:
    generation = read_generation(answer(), Sampling(stop_ids=(2,), logprobs=True), 0.5)
    assert generation.ids == (8, 9, 2)
    assert generation.logprobs == (-0.5, -0.25, -0.125)
    assert (generation.stop_reason, generation.prompt_tokens, generation.cached_tokens) == ("stop", 5, 4)


def test_ids_are_taken_from_the_logprobs_where_the_server_sends_none() -> None:
    body = answer()
    del body["output_ids"]
    assert read_generation(body, STOP, 0).ids == (8, 9, 2)


def test_a_trimmed_end_token_is_put_back() -> None:
    body = answer() | {"output_ids": [8, 9]}
    assert read_generation(body, STOP, 0).ids == (8, 9, 2)


def test_an_end_token_of_the_models_own_is_kept_as_sampled() -> None:
    triples = [[-0.5, 8, None], [-0.25, 9, None], [-0.125, 7, None]]
    finish = {"type": "stop", "matched": 7}
    body = answer(finish_reason=finish, output_token_logprobs=triples) | {"output_ids": [8, 9, 7]}
    generation = read_generation(body, STOP, 0)
    assert (generation.ids, generation.stop_reason) == ((8, 9, 7), "stop")
    with pytest.raises(EngineError, match="without the id it stopped at"):
        read_generation(body | {"output_ids": [8, 9]}, STOP, 0)


def test_the_length_limit_is_told_by_the_stop_reason_and_not_by_the_last_id() -> None:
    body = answer(finish_reason={"type": "length", "length": 3})
    assert read_generation(body, STOP, 0).stop_reason == "length"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ([], "no meta_info"),
        ({"output_ids": [1]}, "no meta_info"),
        (answer(finish_reason=None), "no finish_reason"),
        (answer(finish_reason={"type": "abort", "message": "out of memory"}), "aborted.*out of memory"),
        (answer(output_token_logprobs=[[-0.5, 8, None]]), "1 log-probabilities for 3 ids"),
        (answer() | {"output_ids": ["x"]}, "cannot be read"),
        (answer() | {"output_ids": [8, 9]}, "2 ids"),
        ({"meta_info": {"finish_reason": {"type": "length"}}}, "neither output_ids nor"),
    ],
)
def test_a_broken_answer_is_a_typed_error(body: Any, message: str) -> None:
    with pytest.raises(EngineError, match=message):
        read_generation(body, Sampling(stop_ids=(2,), logprobs=True), 0)


def test_text_that_is_not_json_is_a_typed_error(run: Callable[..., Any]) -> None:
    from starlette.responses import PlainTextResponse

    async def case() -> None:
        server = RecordingServer(ScriptedEngine(arithmetic))
        server.app.router.routes[0].app = PlainTextResponse("<html>")  # type: ignore[attr-defined]
        async with server.listening():
            engine = SGLangEngine(server.url)
            with pytest.raises(EngineError, match="did not answer with JSON"):
                await engine.generate(PROMPT, Sampling())
            await engine.close()

    run(case())


def test_a_recording_server_stands_between_a_client_and_another_server(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with RecordingServer(ScriptedEngine(arithmetic)).listening() as upstream:
            forwarding = SGLangEngine(upstream.url, attempts=1)
            between = RecordingServer(forwarding)
            async with between.listening() as proxy:
                engine = SGLangEngine(proxy.url, backoff_s=0.001)
                direct = SGLangEngine(upstream.url)
                sampling = Sampling(max_tokens=6, stop_ids=(9,), logprobs=True)
                through = await engine.generate(PROMPT, sampling)
                assert through == await direct.generate(PROMPT, sampling)
                assert between.requests[0]["input_ids"] == list(PROMPT)
                upstream.failures = [503]
                assert (await engine.generate(PROMPT, sampling)).ids == through.ids, "it was tried again"
                for one in (engine, direct, forwarding):
                    await one.close()

    run(case())
