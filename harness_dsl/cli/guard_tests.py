"""The tests of a staged harness, run by `harnessc test` in a process of its own.

Another process, because the tests import functions of the project, and each state of it has its own.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LIMIT = 300
"""Seconds after which the tests of one harness are given up."""


@dataclass(frozen=True)
class Tests:
    """`failed`: the problems of each failing test, by id. `trouble`: why there are no results."""

    __test__ = False

    passed: int
    total: int
    failed: dict[str, tuple[str, ...]]
    trouble: str = ""


def run_tests(harness: Path) -> Tests:
    """Runs the tests of the harness at `harness`, on the oracle of each."""
    command = [sys.executable, "-P", "-m", "harness_dsl.cli.main", "test", str(harness), "--json"]
    # A test that asks git is to find its own repository, not the one that is being committed to.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            command,
            cwd=harness.parent,
            env=environment,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Tests(0, 0, {}, f"they were not done after {LIMIT} seconds")
    try:
        tests = json.loads(done.stdout)["tests"]
    except (ValueError, KeyError, TypeError):
        said = done.stderr.strip().splitlines()
        return Tests(0, 0, {}, said[-1].removeprefix("harnessc test: ") if said else "no reason was given")
    failed = {test["id"]: tuple(test["problems"]) for test in tests if not test["passed"]}
    return Tests(len(tests) - len(failed), len(tests), failed)
