"""Starting a server: flags that SGLang lets pass and dies of, and processes that must not be left behind.

The server is a stand-in that answers `/health`; `tests/sglang` starts the real one.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runtime.engines.base import EngineError
from runtime.engines.sglang_flags import problems
from runtime.engines.sglang_launch import Launch, judge, launched

# What SGLang 0.5.23 makes of its arguments where none is given.
DEFAULTS: dict[str, Any] = {
    "tp_size": 1,
    "dp_size": 1,
    "pp_size": 1,
    "nnodes": 1,
    "device": "cuda",
    "host": "127.0.0.1",
    "port": 30000,
    "api_key": None,
    "enable_dp_attention": False,
    "allow_auto_truncate": False,
    "mem_fraction_static": None,
    "context_length": None,
    "max_running_requests": None,
    "max_total_tokens": None,
    "max_prefill_tokens": 16384,
    "chunked_prefill_size": None,
    "speculative_algorithm": None,
    "speculative_draft_model_path": None,
    "speculative_num_steps": None,
    "speculative_eagle_topk": None,
    "speculative_num_draft_tokens": None,
}


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """Models: `plain`, `mtp` with layers for multi-token prediction, `draft`, `other` with other words."""
    configs = {
        "plain": {"vocab_size": 100},
        "mtp": {"vocab_size": 100, "text_config": {"mtp_num_hidden_layers": 1}},
        "draft": {"vocab_size": 100},
        "other": {"vocab_size": 90},
    }
    for name, config in configs.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(json.dumps(config))
    return tmp_path


def spoken(models: Path, changes: dict[str, Any], gpus: int = 8) -> list[str]:
    values = {**DEFAULTS, "model_path": "plain", **changes}
    for name in ("model_path", "speculative_draft_model_path"):
        if values[name] is not None:
            values[name] = str(models / values[name])
    return problems(values, gpus)


def shape(steps: int | None, width: int | None, size: int | None) -> dict[str, Any]:
    return {
        "speculative_algorithm": "STANDALONE",
        "speculative_draft_model_path": "draft",
        "speculative_num_steps": steps,
        "speculative_eagle_topk": width,
        "speculative_num_draft_tokens": size,
    }


GOOD: list[dict[str, Any]] = [
    {},
    {"tp_size": 4, "dp_size": 2},
    {"tp_size": 8, "dp_size": 4, "enable_dp_attention": True},
    {"chunked_prefill_size": -1, "mem_fraction_static": 0.8, "context_length": 4096},
    {"model_path": "mtp", "speculative_algorithm": "EAGLE"},
    {"model_path": "mtp", "speculative_algorithm": "NEXTN"},
    {"speculative_algorithm": "EAGLE3", "speculative_draft_model_path": "draft"},
    {"speculative_algorithm": "NGRAM"},
    shape(None, None, None),
    shape(3, 1, 4),
    shape(2, 2, 7),
    shape(2, 2, 4),
]


@pytest.mark.parametrize("changes", GOOD)
def test_good_flags_are_let_pass(models: Path, changes: dict[str, Any]) -> None:
    assert spoken(models, changes) == []


BAD: list[tuple[dict[str, Any], str]] = [
    ({"tp_size": 0}, "--tp-size must be at least 1"),
    ({"dp_size": -1}, "--dp-size must be at least 1"),
    ({"context_length": 0}, "--context-length must be at least 1"),
    ({"max_total_tokens": 0}, "--max-total-tokens must be at least 1"),
    ({"mem_fraction_static": 2.0}, "is a share between 0 and 1"),
    ({"mem_fraction_static": -0.1}, "is a share between 0 and 1"),
    ({"chunked_prefill_size": 0}, "would never prefill"),
    ({"port": 99999}, "--port is from 1 to 65535"),
    ({"tp_size": 8, "dp_size": 3}, "ask for 24 GPUs (tensor × pipeline × data), this machine has 8"),
    ({"tp_size": 8, "dp_size": 3, "enable_dp_attention": True}, "--tp-size 8 is no multiple of --dp-size 3"),
    ({"allow_auto_truncate": True}, "would cut prompts in silence"),
    ({"speculative_num_steps": 3}, "--speculative-num-steps does nothing without --speculative-algorithm"),
    ({"speculative_draft_model_path": "draft"}, "does nothing without --speculative-algorithm"),
    ({"speculative_algorithm": "STANDALONE"}, "STANDALONE needs --speculative-draft-model-path"),
    ({"speculative_algorithm": "EAGLE3"}, "EAGLE3 needs --speculative-draft-model-path"),
    ({"speculative_algorithm": "EAGLE"}, "no layers for multi-token prediction"),
    ({"speculative_algorithm": "NEXTN"}, "no layers for multi-token prediction"),
    (
        {"speculative_algorithm": "EAGLE3", "speculative_draft_model_path": "nowhere"},
        "nowhere is no model directory",
    ),
    (
        {"speculative_algorithm": "STANDALONE", "speculative_draft_model_path": "other"},
        "the draft model has a vocabulary of 90, the model one of 100",
    ),
    (shape(3, None, None), "go together"),
    (shape(0, 1, 1), "must be at least 1"),
    (shape(3, 1, 9), "9 is more than a tree of 3 steps and width 1 has: 4"),
    (shape(2, 2, 64), "64 is more than a tree of 2 steps and width 2 has: 7"),
    (shape(3, 1, 2), "2 leaves drafted tokens out: a chain of 3 steps has 4"),
]


@pytest.mark.parametrize(("changes", "message"), BAD)
def test_what_the_server_would_die_of_is_one_sentence(
    models: Path, changes: dict[str, Any], message: str
) -> None:
    found = spoken(models, changes)
    assert len(found) == 1
    assert message in found[0]


@pytest.fixture
def stand_in(tmp_path: Path) -> Callable[..., str]:
    """Makes an interpreter: asked for the probe it prints `values`, told to serve it runs `serve`."""

    def make(serve: str, error: str | None = None, **values: Any) -> str:
        report = {"values": {**DEFAULTS, "device": "cpu", **values}, "gpus": 0, "error": error}
        script = tmp_path / "python"
        script.write_text(
            f"#!{sys.executable}\n"
            "import json, subprocess, sys, time\n"
            "from http.server import BaseHTTPRequestHandler, HTTPServer\n"
            "if 'execv' in sys.argv[2]:\n"
            f"    sys.executable = {str(script)!r}\n"
            "    code, sys.argv[:] = sys.argv[2], sys.argv[2:]\n"
            "    exec(code)\n"
            "words = dict(zip(sys.argv[3::2], sys.argv[4::2]))\n"
            f"report = json.loads({json.dumps(report)!r})\n"
            "if sys.argv[1] == '-c':\n"
            "    report['values'].setdefault('model_path', words['--model-path'])\n"
            "    report['values']['port'] = int(words['--port'])\n"
            "    print('chatter'); print('probe ' + json.dumps(report)); raise SystemExit\n"
            "class Healthy(BaseHTTPRequestHandler):\n"
            "    def do_GET(self): self.send_response(200); self.end_headers()\n"
            "    def log_message(self, *_): pass\n"
            "def answer(): HTTPServer(('127.0.0.1', int(words['--port'])), Healthy).serve_forever()\n"
            + textwrap.dedent(serve)
        )
        script.chmod(0o755)
        return str(script)

    return make


def launch(python: str, tmp_path: Path, *flags: str, ready_s: float = 10) -> Launch:
    return Launch(tmp_path, flags, python=python, log=tmp_path / "log", ready_s=ready_s)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(pids: list[int]) -> bool:
    """Whether all have ended; the kernel takes a moment to bury what was killed."""
    deadline = time.monotonic() + 5
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not any(map(alive, pids))


WITH_A_WORKER = """
    import signal
    worker = subprocess.Popen([sys.executable, '-c', 'import signal, time; signal.signal(15, lambda *_: 0);'
                               'time.sleep(1); time.sleep(600)'])
    print('worker', worker.pid, flush=True)
    answer()
"""


def worker_of(folder: Path) -> int:
    return int((folder / "log").read_text().split("worker ")[1].split()[0])


def test_a_server_answers_while_the_context_lasts_and_leaves_no_process(
    stand_in: Callable[..., str], tmp_path: Path
) -> None:
    with launched(launch(stand_in(WITH_A_WORKER), tmp_path)) as server:
        with urllib.request.urlopen(f"{server.url}/health", timeout=5) as answer:
            assert answer.status == 200
        pids = [server.process.pid, worker_of(tmp_path)]
        assert all(map(alive, pids))
    # The worker ignores SIGTERM, as one that is stuck does.
    assert gone(pids)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_command_that_ends_takes_its_server_along(
    stand_in: Callable[..., str], tmp_path: Path, how: signal.Signals
) -> None:
    code = (
        "import sys, time; from pathlib import Path; "
        "from runtime.engines.sglang_launch import Launch, launched\n"
        "folder = Path(sys.argv[1])\n"
        "with launched(Launch(folder, python=sys.argv[2], log=folder / 'log')) as server:\n"
        "    print(server.process.pid, flush=True); time.sleep(60)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path), stand_in(WITH_A_WORKER)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert parent.stdout is not None
    leader, worker = int(parent.stdout.readline()), worker_of(tmp_path)
    try:
        assert alive(leader)
        assert alive(worker)
        parent.send_signal(how)
        parent.wait(20)
        # Whoever is killed cannot kill: then the server is asked to end, and has to end its own workers.
        assert gone([leader] if how == signal.SIGKILL else [leader, worker])
    finally:
        parent.kill()
        for pid in (leader, worker):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def test_a_server_that_ends_at_once_is_quoted(stand_in: Callable[..., str], tmp_path: Path) -> None:
    python = stand_in("print('out of memory', flush=True); raise SystemExit(7)")
    started = time.monotonic()
    with (
        pytest.raises(EngineError, match="ended with status 7:\nout of memory"),
        launched(launch(python, tmp_path)),
    ):
        pass
    assert time.monotonic() - started < 8


def test_a_server_that_is_never_ready_is_stopped(stand_in: Callable[..., str], tmp_path: Path) -> None:
    python = stand_in("import os; print('pid', os.getpid(), flush=True); time.sleep(600)")
    with (
        pytest.raises(EngineError, match=r"not ready within 1\.5 s:\npid"),
        launched(launch(python, tmp_path, ready_s=1.5)),
    ):
        pass
    assert gone([int((tmp_path / "log").read_text().split()[1])])


def test_flags_are_judged_by_us_and_by_the_server_before_anything_starts(
    stand_in: Callable[..., str], tmp_path: Path
) -> None:
    python = stand_in("raise SystemExit('started')", error="TypeError: '>' not supported", tp_size=0)
    with pytest.raises(EngineError, match=r"^sglang: --tp-size must be at least 1$"):
        judge(launch(python, tmp_path))
    python = stand_in("raise SystemExit('started')", error="unrecognized arguments: --nonsense")
    with pytest.raises(EngineError, match=r"^sglang: unrecognized arguments: --nonsense$"):
        judge(launch(python, tmp_path))
    python = stand_in("raise SystemExit('started')", model_path="/another/model")
    with pytest.raises(EngineError, match="--model-path is given already"):
        judge(launch(python, tmp_path))
    assert not (tmp_path / "log").exists()


def test_a_python_without_sglang_says_so(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="cannot import it: No module named 'sglang"):
        judge(launch(sys.executable, tmp_path))
    with pytest.raises(EngineError, match="/no/python cannot be run"):
        judge(launch("/no/python", tmp_path))
    with pytest.raises(EngineError, match=r"could not check the flags \(status 1\)"):
        judge(launch("/bin/false", tmp_path))


def test_a_server_is_reached_on_this_machine_wherever_it_binds(
    stand_in: Callable[..., str], tmp_path: Path
) -> None:
    with launched(launch(stand_in("answer()", host="0.0.0.0", api_key="secret"), tmp_path)) as server:
        assert server.url.startswith("http://127.0.0.1:")
        assert server.api_key == "secret"
        assert os.getsid(server.process.pid) == server.process.pid
