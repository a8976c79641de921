"""What tools may do to a replay that calls them: fail these rows, and nothing else."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from augmentors.policy import Policy
from augmentors.rows import make
from harness_dsl.cli.main import main
from tests.runtime.recorded import recipe

HOSTILE = {
    "is_fine": "pass",
    "exits": "os._exit(3)",
    "prints": "print('spam', flush=True); os.write(1, b'spam')",
    "holds_the_interpreter": "re.match('(a+)+$', 'a' * 60 + 'b')",
    "is_fine_too": "pass",
}


def tools(folder: Path, bodies: dict[str, str]) -> None:
    functions = "".join(f"def {name}():\n    {body}\n    return 1\n\n\n" for name, body in bodies.items())
    (folder / "replayed_tools.py").write_text(f"import os, re, signal, time\n\n\n{functions}")


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A row for each tool, recorded while the tools were harmless."""
    tmp_path = tmp_path_factory.mktemp("hostile")
    declared = "".join(
        f'tool {name}() -> int {{\n  """Do."""\n  timeout 60s\n  impl python "replayed_tools:{name}"\n}}\n'
        for name in HOSTILE
    )
    tests = "".join(
        f'test "{at} {name}" {{\n  user "?"\n  expect call {name}()\n}}\n' for at, name in enumerate(HOSTILE)
    )
    harness = tmp_path / "hostile.harness"
    harness.write_text(
        f'harness hostile "1.0.0"\n{declared}prompt system {{\n  section tools catalog tools\n}}\n{tests}'
    )
    (tmp_path / "harness.toml").write_text('[runtime]\nallow = ["replayed_tools"]\n')
    tools(tmp_path, dict.fromkeys(HOSTILE, "pass"))
    made = recipe(str(harness), Policy(original=1.0), with_messages=True)
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(make(made, row).line for row in range(len(HOSTILE))), "utf-8")
    return path


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_a_tool_can_only_fail_the_row_that_calls_it(
    rows: Path, workers: str, capfd: pytest.CaptureFixture[str]
) -> None:
    tools(rows.parent, HOSTILE)
    options = ("--harness", str(rows.parent / "hostile.harness"), "--replay", "--timeout", "2")
    assert main(["verify", str(rows), *options, "--workers", workers]) == 1
    printed = capfd.readouterr()
    faults = {line.split(": ")[1]: line for line in printed.out.splitlines()}
    assert list(faults) == ["row 1", "row 3"], printed
    assert "proof 5: a tool or hook ended the process (exit status 3)" in faults["row 1"]
    assert "proof 5: it ran longer than 2 s" in faults["row 3"]
    assert "3 of 5 rows hold" in printed.err and "spamspam" in printed.err.replace("\n", "")


def test_a_module_that_ends_the_process_fails_every_row_at_once(
    rows: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (rows.parent / "replayed_tools.py").write_text("import os\nos._exit(5)\n")
    assert main(["verify", str(rows), "--harness", str(rows.parent / "hostile.harness"), "--replay"]) == 1
    said = capfd.readouterr().out
    assert said.count("ended while it loaded (exit status 5)") == len(HOSTILE)


@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.slow), "2"])
def test_ctrl_c_ends_the_replay_too(rows: Path, workers: str) -> None:
    waits = "open('pid', 'w').write(str(os.getpid())); time.sleep(100)"
    tools(rows.parent, dict.fromkeys(HOSTILE, waits))
    pid = rows.parent / "pid"
    pid.unlink(missing_ok=True)
    command = [sys.executable, "-m", "harness_dsl.cli.main", "verify", str(rows), "--replay"]
    command += ["--harness", "hostile.harness", "--workers", workers]
    running = subprocess.Popen(
        command,
        cwd=rows.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not (pid.is_file() and pid.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    # As a terminal does: to the whole group.
    os.killpg(running.pid, signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130 and err == b"harnessc: interrupted\n"
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
