"""`harnessc serve --engine sglang --launch`: one command judges the flags, starts server and service, and
ends both.
"""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from runtime.engines.base import EngineError
from runtime.engines.sglang_launch import Launch, judge
from tests.runtime.test_serve_command import free_port

from .conftest import FLAGS
from .conversation import ROOM, SHOP, TURNS, Conversation


def members(group: int) -> list[str]:
    """The living processes that were started by the leader of `group`, wherever they belong now."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text().rpartition(")")
        except OSError:
            continue
        state, _, _, session = rest.split()[:4]
        if int(session) == group and state != "Z":
            found.append(name)
    return found


def server_of(service: int) -> int:
    """The server's process, which leads its own session: the child that the service started."""
    children = Path(f"/proc/{service}/task/{service}/children").read_text().split()
    leaders = [int(child) for child in children if os.getsid(int(child)) == int(child)]
    assert len(leaders) == 1, children
    return leaders[0]


async def until_up(client: httpx.AsyncClient, process: "subprocess.Popen[bytes]", log: Path) -> None:
    async with asyncio.timeout(700):
        while True:
            assert process.poll() is None, f"the service ended: {log.read_text()[-2000:]}"
            try:
                if (await client.get("/readyz")).status_code == 200:
                    return
            except httpx.TransportError:
                await asyncio.sleep(0.25)


def test_one_command_serves_a_whole_conversation_and_leaves_nothing_behind(
    python: str,
    environment: dict[str, str],
    model_directory: Path,
    conversation: Conversation,
    tmp_path: Path,
) -> None:
    port, log = free_port(), tmp_path / "service.log"
    words = [
        *("serve", str(SHOP / "shop.harness"), "--model", str(model_directory), "--room", str(ROOM)),
        *("--port", str(port), "--engine", "sglang", "--sglang-python", python, "--launch", *FLAGS),
    ]

    async def case(process: "subprocess.Popen[bytes]") -> None:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            await until_up(client, process, log)
            for room in ("a", "b"):
                for text, _, said in TURNS:
                    answer = await client.post(f"/v1/rooms/{room}/danmaku", json={"text": text})
                    assert answer.status_code == 200, answer.text
                    assert answer.json()["reply"] == said
            counts = answer.json()["counts"]
            assert counts["cached_tokens"] > 0.9 * counts["prompt_tokens"]

    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "harness_dsl.cli.main", *words],
            env={**os.environ, **environment},
            stdout=output,
            stderr=output,
        )
        try:
            asyncio.run(case(process))
            group = server_of(process.pid)
            assert len(members(group)) >= 3
            process.send_signal(signal.SIGTERM)
            process.wait(60)
            # The kernel takes a moment to bury what was killed.
            deadline = time.monotonic() + 5
            while members(group) and time.monotonic() < deadline:
                time.sleep(0.05)
            assert members(group) == []
        finally:
            process.kill()
            process.wait()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        # SGLang's own check lets a size of 0 pass, and ends in a TypeError at lone steps.
        (
            ("--tp", "0", "--speculative-algorithm", "STANDALONE", "--speculative-num-steps", "3"),
            "sglang: --tp-size must be at least 1; "
            "--speculative-algorithm STANDALONE needs --speculative-draft-model-path; "
            "--speculative-num-steps, --speculative-eagle-topk and "
            "--speculative-num-draft-tokens go together",
        ),
        # This it refuses itself.
        (("--nonsense", "3"), "sglang: unrecognized arguments: --nonsense 3"),
    ],
)
def test_flags_are_judged_by_the_real_server_arguments(
    python: str, environment: dict[str, str], model_directory: Path, flags: tuple[str, ...], message: str
) -> None:
    with pytest.raises(EngineError) as caught:
        judge(Launch(model_directory, (*FLAGS, *flags), python=python, environment=environment))
    assert str(caught.value) == message
