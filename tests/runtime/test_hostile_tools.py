"""What tools may do to the tests that call them: fail these, and nothing else."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from runtime.testing.events import Outcome, Plan
from runtime.testing.supervise import supervise

HOSTILE = {
    "exits": "os._exit(3)",
    "leaves_a_child": "os.fork() or time.sleep(60); os._exit(4)",
    "is_killed": "os.kill(os.getpid(), signal.SIGSEGV)",
    "says_exit": "sys.exit(0)",
    "interrupts": "raise KeyboardInterrupt",
    "spins": "[x for x in iter(int, 1)]",
    "holds_the_interpreter": "re.match('(a+)+$', 'a' * 60 + 'b')",
    "floods_memory": "bytearray(600 << 20)",
    "prints": "print('spam ' * 100_000)",
    "is_fine": "pass",
}


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    tools = "".join(
        f'tool {name}() -> int {{\n  """Do."""\n  timeout 300ms\n  impl python "hostile_tools:{name}"\n}}\n'
        for name in HOSTILE
    )
    tests = "".join(
        f'test "{at} {name}" {{\n  user "?"\n  expect call {name}()\n}}\n' for at, name in enumerate(HOSTILE)
    )
    prompt = "prompt system {\n  section tools catalog tools\n}\n"
    (tmp_path / "hostile.harness").write_text(f'harness hostile "1.0.0"\n{tools}{prompt}{tests}')
    (tmp_path / "harness.toml").write_text('[runtime]\nallow = ["hostile_tools"]\n')
    functions = "".join(f"def {name}():\n    {body}\n    return 1\n\n\n" for name, body in HOSTILE.items())
    (tmp_path / "hostile_tools.py").write_text(f"import os, re, signal, sys, time\n\n\n{functions}")
    return tmp_path / "hostile.harness"


def test_a_tool_can_only_fail_its_own_test(hostile: Path, capfd: pytest.CaptureFixture[str]) -> None:
    events = list(supervise(Plan(str(hostile), memory_mb=400), timeout_s=3))
    found = {one.test.title.split()[1]: " ".join(one.problems) for one in events if isinstance(one, Outcome)}
    assert list(found) == list(HOSTILE), "each has one result, in order"
    assert "(exit status 4)" in found["leaves_a_child"]
    assert "(exit status 3)" in found["exits"] and f"({signal.SIGSEGV.name})" in found["is_killed"]
    assert "SystemExit" in found["says_exit"] and "KeyboardInterrupt" in found["interrupts"]
    assert "no result within 0.3 s" in found["spins"]
    assert "no end after 3 seconds" in found["holds_the_interpreter"]
    assert "MemoryError" in found["floods_memory"] or "enough memory" in found["floods_memory"]
    assert found["prints"] == found["is_fine"] == ""
    printed = capfd.readouterr().err
    left_out, short = "what more is printed is left out" in printed, len(printed) < 100_000
    assert left_out and short


def test_ctrl_c_ends_the_worker_too(hostile: Path) -> None:
    (hostile.parent / "hostile_tools.py").write_text(
        "import os, pathlib, time\n"
        "def spins():\n    pathlib.Path('pid').write_text(str(os.getpid()))\n    time.sleep(100)\n"
        + "".join(f"def {name}():\n    return 1\n" for name in HOSTILE if name != "spins")
    )
    text = hostile.read_text().replace("timeout 300ms", "timeout 60s")
    hostile.write_text(text)
    command = [sys.executable, "-m", "harness_dsl.cli.main", "test", str(hostile), "--only", "5 spins"]
    running = subprocess.Popen(command, cwd=hostile.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    pid = hostile.parent / "pid"
    deadline = time.monotonic() + 60
    while not (pid.is_file() and pid.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130 and b"Traceback" not in err
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
