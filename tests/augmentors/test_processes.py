"""Work is shared among processes in order, and a process that is killed ends it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from augmentors.processes import WorkerLostError, in_order

SMALL = """harness small "1.0.0"
tool look_up(item: string) -> int {
  \"\"\"Look up the price of an item.\"\"\"
}
prompt system {
  section tools catalog tools
}
"""


def work(mode: str, job: int) -> int:
    if job == 3 and mode == "raises":
        raise ValueError("three")
    if job == 3 and mode == "is killed":
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.01 * (job % 2))
    return job * job


def test_answers_come_in_order_and_jobs_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []
    jobs = (taken.append(job) or job for job in range(1000))
    answers = in_order(work, "", jobs, 2)
    assert [next(answers) for _ in range(20)] == [job * job for job in range(20)]
    assert len(taken) <= 24
    answers.close()
    assert [*in_order(work, "", range(1), 8)] == [0] and [*in_order(work, "", [], 2)] == []


def test_what_the_work_raises_and_that_it_was_killed_is_told_after_the_answers_before() -> None:
    with pytest.raises(ValueError, match="three"):
        list(in_order(work, "raises", range(9), 1))
    got = []
    with pytest.raises(WorkerLostError, match=r"was killed \(SIGKILL\)"):
        for answer in in_order(work, "is killed", range(9), 1):
            got.append(answer)
    assert got == [0, 1, 4]


def interrupts(_: str, job: int) -> int:
    os.kill(os.getpid(), signal.SIGINT)
    return job


def test_ctrl_c_is_heard_by_the_process_that_shares_out_the_work_alone() -> None:
    assert [*in_order(interrupts, "", [1, 2], 2)] == [1, 2]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds the processes in /proc")
def test_a_killed_worker_ends_the_command_and_whole_rows_are_kept(tmp_path: Path) -> None:
    out, partial = tmp_path / "rows.jsonl", tmp_path / "rows.jsonl.partial"
    harness = tmp_path / "small.harness"
    harness.write_text(SMALL)
    command = [sys.executable, "-m", "harness_dsl.cli.main", "augment", str(harness), "-n", "100000"]
    command += ["--workers", "2", "-o", str(out), "--coverage", str(tmp_path / "coverage.json")]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (partial.is_file() and partial.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(_workers(running.pid)[0], signal.SIGKILL)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 2 and "Traceback" not in err
    assert "a worker process was killed (SIGKILL)" in err
    assert {*tmp_path.iterdir()} == {harness, partial}
    assert partial.read_bytes().endswith(b"\n")
    assert f"harnessc: {partial.read_bytes().count(10)} of 100000 rows are kept in {partial}" in err


def _workers(parent: int) -> list[int]:
    """The processes that `parent` works with."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if int(words[1]) == parent and b"spawn_main" in command:
            found.append(int(folder.name))
    return found
