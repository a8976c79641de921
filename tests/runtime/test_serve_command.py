"""`harnessc serve`: a real process, and mistakes that are one clear sentence."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness_dsl.cli.main import main
from runtime.engines.recording import RecordingServer
from runtime.engines.scripted import ScriptedEngine
from trainer.tiny.tokenizer import build

from .shop import tokenizer

HARNESS = '''harness echo "1.0.0"
input room: any
tool ask(n: int) -> int {
  """Ask."""
  impl python "served_tools:ask"
}
prompt system {
  section persona """You answer in {{ room.name }}."""
  section tools catalog tools
}
'''


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delitem(sys.modules, "served_tools", raising=False)
    (tmp_path / "echo.harness").write_text(HARNESS)
    (tmp_path / "harness.toml").write_text('[runtime]\nallow = ["served_tools"]\n')
    (tmp_path / "served_tools.py").write_text("def ask(n):\n    return n + 1\n")
    (tmp_path / "room.yaml").write_text("name: 一号间\n")
    build().save_pretrained(tmp_path / "model")
    return tmp_path


def arguments(project: Path, *more: str) -> list[str]:
    return [
        "serve",
        str(project / "echo.harness"),
        "--model",
        str(project / "model"),
        "--room",
        str(project / "room.yaml"),
        *more,
    ]


def answer(ids: Sequence[int]) -> Sequence[int]:
    """Calls the tool by the name that the prompt shows, then says what it returned."""
    text = tokenizer().decode(ids)
    turn = text[text.rindex("<|im_start|>user") :]
    if "tool_response" in turn:
        said = "得到" + turn.split("<tool_response>\n")[1].split("\n")[0]
    else:
        name = "query" if "query(" in text or '"query"' in text else "ask"
        said = f'<tool_call>\n{{"name": "{name}", "arguments": {{"n": 5}}}}\n</tool_call>'
    return [*tokenizer().encode(said), tokenizer().added_tokens["<|im_end|>"]]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def until_up(client: httpx.AsyncClient, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(400):
        assert process.poll() is None, "the service ended"
        try:
            if (await client.get("/healthz")).status_code == 200:
                return
        except httpx.TransportError:
            await asyncio.sleep(0.1)
    raise AssertionError("the service did not come up")


def test_a_service_answers_swaps_its_harness_and_ends_gracefully(
    project: Path, run: Callable[..., Any]
) -> None:
    async def case() -> None:
        async with RecordingServer(ScriptedEngine(answer)).listening() as engine:
            port = free_port()
            words = arguments(
                project,
                *("--engine", "sglang", "--url", engine.url, "--port", str(port)),
                *("--admin-token-env", "ADMIN"),
            )
            process = subprocess.Popen(
                [sys.executable, "-m", "harness_dsl.cli.main", *words], env={**os.environ, "ADMIN": "secret"}
            )
            try:
                async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=20) as client:
                    await until_up(client, process)
                    await talk(client, project, engine)
                process.send_signal(signal.SIGTERM)
                assert await asyncio.to_thread(process.wait, 15) in (0, -signal.SIGTERM)
            finally:
                process.kill()

    run(case())


async def talk(client: httpx.AsyncClient, project: Path, engine: RecordingServer) -> None:
    first = (await client.post("/v1/rooms/a/danmaku", json={"text": "几？"})).json()
    assert first["reply"] == "得到6"
    assert "一号间" in tokenizer().decode(engine.requests[0]["input_ids"])
    edited = project / "edited.harness"
    edited.write_text(HARNESS.replace("tool ask", 'tool ask named "query"').replace("1.0.0", "1.0.1"))
    compiled = project / "edited.json"
    assert main(["compile", str(edited), "-o", str(compiled)]) == 0
    swapped = await client.post(
        "/admin/harness", content=compiled.read_bytes(), headers={"Authorization": "Bearer secret"}
    )
    assert swapped.status_code == 200, swapped.text
    second = (await client.post("/v1/rooms/a/danmaku", json={"text": "再来"})).json()
    assert (second["reply"], second["version"]) == ("得到6", "1.0.1")
    assert "query" in tokenizer().decode(engine.requests[-2]["input_ids"])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--engine", "sglang"], "--engine sglang goes with --url URL or --launch"),
        (["--url", "http://x"], "goes with"),
        (["--launch"], "goes with"),
        (["--engine", "sglang", "--url", "http://x", "--launch"], "give one of them"),
        (["--engine", "sglang", "--launch", "--tp", "2"], "cannot import it"),
        (["--engine", "sglang", "--sglang-python", "/no/python", "--launch"], "/no/python cannot be run"),
        (["--engine-key-env", "SURELY_NOT_SET"], "the environment variable SURELY_NOT_SET is not set"),
        (["--port", "70000"], "--port is from 0 to 65535"),
        (["--max-tokens", "0"], "at least 1"),
        (["--temperature", "-1"], "must not be negative"),
        (["--input", "room"], "takes NAME=FILE"),
        (["--input", "stage=nowhere.yaml"], "there is no file `nowhere.yaml`"),
        (["--admin-token-env", "SURELY_NOT_SET"], "the environment variable SURELY_NOT_SET is not set"),
        (["--engine", "vllm"], "invalid choice"),
    ],
)
def test_wrong_usage_is_one_sentence_and_status_2(
    project: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    assert main(arguments(project, *more)) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert len(captured.err.strip().splitlines()) == 1


def no_tokenizer(project: Path) -> None:
    (project / "model" / "tokenizer.json").unlink()


def no_weights(project: Path) -> None:
    (project / "model" / "config.json").write_text("{}")


def no_room(project: Path) -> None:
    (project / "room.yaml").write_text("[1, 2")


def not_allowed(project: Path) -> None:
    (project / "harness.toml").unlink()


def mistake(project: Path) -> None:
    (project / "echo.harness").write_text(HARNESS.replace("catalog", "catalogue"))


@pytest.mark.parametrize(
    ("damage", "status", "message"),
    [
        (no_tokenizer, 2, "no tokenizer.json that can be used"),
        (no_weights, 2, "has no model.safetensors"),
        (no_room, 2, "is no YAML in line"),
        (not_allowed, 2, "may not run"),
        (mistake, 1, "echo.harness:"),
    ],
)
def test_what_cannot_be_served_is_said_before_it_starts(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    damage: Callable[[Path], None],
    status: int,
    message: str,
) -> None:
    damage(project)
    assert main(arguments(project)) == status
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err
