"""What commands do grows with their file and no faster: calls and memory are counted, no time is taken.

The figures beside another program are printed by `benchmarks/check_scale.py`.
"""

import gc
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.material.scale import harness
from harness_dsl.cli.main import main

SMALL, TIMES = 10, 3
SLACK = 1.1
"""Lists take memory in steps. Calls need none: what every run does once makes up for more than that."""


def calls(work: Callable[[], object]) -> int:
    """Python and C functions called."""
    count = 0

    def seen(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def peak(work: Callable[[], object]) -> int:
    """The most memory in use at once, in bytes."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("words", [["check", "--no-cache"], ["fmt", "--check"], ["compile"]])
def test_work_and_memory_grow_with_the_file(words: list[str], tmp_path: Path) -> None:
    def command(units: int) -> Callable[[], object]:
        file = tmp_path / f"{units}.harness"
        file.write_text(harness(units))
        rest = ["-o", str(tmp_path / "out.json")] if words[0] == "compile" else []
        return lambda: main([*words, str(file), *rest])

    small, large = command(SMALL), command(SMALL * TIMES)
    small()
    assert calls(large) <= calls(small) * TIMES
    assert peak(large) <= peak(small) * TIMES * SLACK


def test_the_material_has_no_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "desk.harness").write_text(harness(3))
    assert main(["check", "--info", str(tmp_path / "desk.harness")]) == 0
    assert capsys.readouterr().out == ""
    assert main(["fmt", "--check", str(tmp_path / "desk.harness")]) == 0
