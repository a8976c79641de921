"""Starting an SGLang server: its flags judged before anything is loaded, and nothing left when it ends."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runtime.engines.base import EngineError
from runtime.engines.sglang_flags import problems
from runtime.engines.sglang_format import BOUNDARY

PROBE = Path(__file__).with_name("sglang_probe.py")
# The server becomes this process. Where Linux is, it is told to end when whoever started it is killed.
TIED = """
import ctypes, os, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
PROBE_S = 180.0
STOP_S = 10.0
CLEAR_S = 1.0
LAST_LINES = 12


@dataclass(frozen=True)
class Launch:
    """What to start. `flags` are SGLang's own, as it documents them; model, host and port are put before
    them.

    `python` is an interpreter that can import sglang: its pins differ from those of training, so it often
    has an environment of its own. `log` takes what the server prints; without it that goes to standard
    error.
    """

    model: Path
    flags: tuple[str, ...] = ()
    python: str = sys.executable
    environment: Mapping[str, str] = field(default_factory=dict)
    log: Path | None = None
    ready_s: float = 900.0


@dataclass(frozen=True)
class Server:
    """A server that answers at `url`. `process` leads a process group of its own."""

    url: str
    api_key: str | None
    process: subprocess.Popen[bytes]


@contextlib.contextmanager
def launched(launch: Launch) -> Iterator[Server]:
    """A server while the context lasts; at its end every process of it is killed.

    Raises `EngineError` for flags that it would not start with, one sentence for each, and when it ends, or
    does not answer within `ready_s`.
    """
    words = [*_defaults(launch), *launch.flags]
    values = _judged(launch, words)
    key = values.get("api_key") or None
    url = f"http://{_reachable(str(values['host']))}:{values['port']}"
    with contextlib.ExitStack() as stack:
        output: Any = sys.stderr
        if launch.log is not None:
            output = stack.enter_context(launch.log.open("ab"))
        process = subprocess.Popen(
            [launch.python, "-c", TIED, "-m", "sglang.launch_server", *words],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**os.environ, **launch.environment},
            start_new_session=True,
        )
        stack.callback(_stop, process)
        stack.enter_context(_ending_with_us())
        _wait(launch, process, url)
        yield Server(url, key, process)


def judge(launch: Launch) -> None:
    """Raises `EngineError` for flags that the server would not start with, or would do harm with."""
    _judged(launch, [*_defaults(launch), *launch.flags])


def _defaults(launch: Launch) -> list[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    return ["--model-path", str(launch.model), "--host", "127.0.0.1", "--port", str(port)]


def _judged(launch: Launch, words: list[str]) -> dict[str, Any]:
    """SGLang's arguments by name."""
    report = _probed(launch, words)
    values: dict[str, Any] = report["values"]
    found = problems(values, report["gpus"]) if values else []
    if values and values["model_path"] != str(launch.model):
        found.append(f"--model-path is given already: {launch.model}")
    # Where one of ours explains it, SGLang's own word is often a traceback's last line.
    if not found and report["error"] is not None:
        found.append(str(report["error"]))
    if found:
        raise EngineError(BOUNDARY, "; ".join(found))
    return values


def _probed(launch: Launch, words: list[str]) -> dict[str, Any]:
    try:
        ran = subprocess.run(
            [launch.python, "-c", PROBE.read_text("utf-8"), *words],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=PROBE_S,
            env={**os.environ, **launch.environment},
        )
    except OSError as error:
        raise EngineError(BOUNDARY, f"{launch.python} cannot be run: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise EngineError(BOUNDARY, f"checking the flags took more than {PROBE_S:g} s") from error
    line = next((line for line in ran.stdout.splitlines() if line.startswith("probe ")), None)
    if line is None:
        raise EngineError(BOUNDARY, f"{launch.python} could not check the flags (status {ran.returncode})")
    report: dict[str, Any] = json.loads(line.removeprefix("probe "))
    return report


def _wait(launch: Launch, process: subprocess.Popen[bytes], url: str) -> None:
    deadline = time.monotonic() + launch.ready_s
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise EngineError(BOUNDARY, f"the server ended with status {process.returncode}{_last(launch)}")
        try:
            with urllib.request.urlopen(f"{url}/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(0.25)
    raise EngineError(BOUNDARY, f"the server was not ready within {launch.ready_s:g} s{_last(launch)}")


def _last(launch: Launch) -> str:
    if launch.log is None:
        return ""
    lines = launch.log.read_text("utf-8", "replace").splitlines()[-LAST_LINES:]
    return ":\n" + "\n".join(lines)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """First asked, so that running requests end, then the whole group is killed: workers outlive their
    parent. Between the two these have a moment to clear away what they share.
    """
    if process.poll() is None:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_S)
    deadline = time.monotonic() + CLEAR_S
    with contextlib.suppress(ProcessLookupError):
        while time.monotonic() < deadline:
            os.killpg(process.pid, 0)
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextlib.contextmanager
def _ending_with_us() -> Iterator[None]:
    """SIGTERM unwinds the stack, as an interrupt does: by default it would leave the server behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _reachable(host: str) -> str:
    """Where a server that binds to `host` is reached from this machine."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{host}]" if ":" in host else host
