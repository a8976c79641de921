"""Many boxes: our engine through the real router. The workers are stand-ins that record what reaches them."""

import asyncio
import contextlib
import json
import subprocess
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from runtime.engines.base import EngineError, Sampling
from runtime.engines.recording import RecordingServer
from runtime.engines.scripted import ScriptedEngine
from runtime.engines.sglang import SGLangEngine
from tests.runtime.conformance import collected, whole
from tests.runtime.test_serve_command import free_port

SAMPLING = Sampling(max_tokens=3)
PREFIXES = 6
QUESTIONS = 12


def answer(ids: Sequence[int]) -> list[int]:
    return [(sum(ids) + at) % 60 for at in range(12)]


def prefix(number: int) -> list[int]:
    """The system prompt of one harness."""
    return [(number * 17 + at * at * (number + 1)) % 60 for at in range(200)]


def healthy(port: int) -> int:
    """How many workers the router on `port` can send to."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/workers", timeout=5) as answer:
            return sum(worker["is_healthy"] for worker in json.load(answer)["workers"])
    except (OSError, urllib.error.URLError):
        return 0


@dataclass
class Boxes:
    engine: SGLangEngine
    workers: list[RecordingServer]
    servers: list[contextlib.AsyncExitStack]


@asynccontextmanager
async def boxes(python: str, log: Path) -> AsyncIterator[Boxes]:
    """Two workers behind a router that looks at prefixes."""
    workers = [RecordingServer(ScriptedEngine(answer, delay_s=0.05)) for _ in range(2)]
    servers = [contextlib.AsyncExitStack() for _ in workers]
    for worker, server in zip(workers, servers, strict=True):
        await server.enter_async_context(worker.listening())
    port, metrics = free_port(), free_port()
    words = [
        *(python, "-m", "sglang_router.launch_router", "--host", "127.0.0.1", "--port", str(port)),
        *("--worker-urls", *(worker.url for worker in workers), "--policy", "cache_aware"),
        *("--prometheus-host", "127.0.0.1", "--prometheus-port", str(metrics)),
    ]
    engine = SGLangEngine(f"http://127.0.0.1:{port}", timeout_s=30)
    with log.open("wb") as output:
        process = subprocess.Popen(words, stdout=output, stderr=output)
    try:
        async with asyncio.timeout(120):
            while await asyncio.to_thread(healthy, port) < len(workers):
                assert process.poll() is None, log.read_text()[-2000:]
                await asyncio.sleep(0.1)
        yield Boxes(engine, workers, servers)
    finally:
        process.kill()
        process.wait()
        await engine.close()
        for server in servers:
            await server.aclose()


def test_ids_pass_the_router_and_each_harness_stays_on_one_box(python: str, tmp_path: Path) -> None:
    async def case() -> None:
        async with boxes(python, tmp_path / "router.log") as there:
            asked = [[*prefix(number), at] for at in range(QUESTIONS) for number in range(PREFIXES)]
            said = await asyncio.gather(*(there.engine.generate(ids, SAMPLING) for ids in asked))
            assert [g.ids for g in said] == [tuple(answer(ids)[:3]) for ids in asked]
            seen = [[body["input_ids"] for body in worker.requests] for worker in there.workers]
            assert sorted(seen[0] + seen[1]) == sorted(asked), "nothing is lost, sent twice or changed"
            homes = [
                [sum(ids[:200] == prefix(number) for ids in worker) for worker in seen]
                for number in range(PREFIXES)
            ]
            # Prefix caches are of use where the same prompts come to the same box.
            assert all(min(home) == 0 for home in homes), homes
            assert all(seen), "both boxes work"
            pieces = await collected(there.engine, asked[0], SAMPLING)
            assert whole(pieces).ids == said[0].ids

    asyncio.run(case())


def test_a_box_that_dies_takes_no_later_request_along(python: str, tmp_path: Path) -> None:
    async def case() -> None:
        async with boxes(python, tmp_path / "router.log") as there:
            await asyncio.gather(*(there.engine.generate([*prefix(n), 1], SAMPLING) for n in range(PREFIXES)))
            await there.servers[0].aclose()
            for number in range(PREFIXES):
                found = await there.engine.generate([*prefix(number), 2], SAMPLING)
                assert found.ids == tuple(answer([*prefix(number), 2])[:3])
            await there.servers[1].aclose()
            with pytest.raises(EngineError) as caught:
                await there.engine.generate(prefix(0), SAMPLING)
            assert caught.value.retryable

    asyncio.run(case())
