"""The two arms of the demo: the same base, tasks and steps, with the fixed harness and with HSA.

`run_arms` runs them at the same time, each in a process with one thread: two cores, and no threads that
wait for each other.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from trainer.evaluate.report import Score, SuiteName, SuiteResult
from trainer.evaluate.run import evaluate
from trainer.sft.config import load_config
from trainer.sft.logs import write_json
from trainer.sft.manifest import Manifest
from trainer.sft.train import Progress, Run, train

ArmName = Literal["fixed", "hsa"]
SUITES: tuple[SuiteName, ...] = ("own", "variants", "uptake")
ARMS: tuple[ArmName, ...] = ("fixed", "hsa")

Report = Callable[[ArmName, str, int, int], None]
"""Called with the arm, what it does, how far it is, and how far it goes."""


class ArmFailed(Exception):
    """An arm's process ended without a result; the message holds the end of what it wrote."""


class ArmResult(BaseModel):
    """One arm. `seconds` is the wall time of training and evaluation together."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    arm: ArmName
    model: Path
    manifest: Manifest
    suites: tuple[SuiteResult, ...]
    seconds: float

    def score(self, suite: SuiteName) -> Score:
        return next(result.score for result in self.suites if result.suite == suite)


@dataclass(frozen=True)
class Results:
    """Both arms; `seconds` is the wall time of all of it."""

    fixed: ArmResult
    hsa: ArmResult
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """What `results.json` of the demo holds: percentages by arm and suite, seconds, prompt tokens."""
        shares: dict[str, Any] = {
            arm.arm: {suite: round(100 * arm.score(suite).share, 1) for suite in SUITES}
            for arm in (self.fixed, self.hsa)
        }
        return {
            **shares,
            "seconds": round(self.seconds, 1),
            "prompt_tokens": self.fixed.manifest.prompt_tokens,
        }


def train_arm(
    config: Path, hsa: bool, out: Path, progress: Progress = lambda step, steps, metrics: None
) -> Run:
    """Train one arm of the run that `config` describes into `out`; raises as `trainer.sft.train.train`."""
    return train(load_config(config, hsa=hsa, out=out.resolve()), progress)


def evaluate_model(
    harness: Path, model: Path, *, n: int = 200, seed: int = 0, suites: Sequence[SuiteName] = SUITES
) -> tuple[SuiteResult, ...]:
    """Score `model` on each suite with `n` items. Raises as `trainer.evaluate.run.evaluate` does."""
    return tuple(evaluate(harness, model, suites, n=n, seed=seed))


def run_arm(config: Path, arm: ArmName, out: Path, n: int, report: Report) -> ArmResult:
    """Train and evaluate one arm in this process, and write `arm.json` into `out`."""
    started = time.monotonic()
    run = train_arm(config, arm == "hsa", out, lambda step, steps, metrics: report(arm, "train", step, steps))
    suites: list[SuiteResult] = []
    for at, suite in enumerate(SUITES):
        report(arm, f"evaluate {suite}", at, len(SUITES))
        suites += evaluate_model(load_config(config).harness, run.model, n=n, suites=(suite,))
    seconds = round(time.monotonic() - started, 1)
    result = ArmResult(arm=arm, model=run.model, manifest=run.manifest, suites=tuple(suites), seconds=seconds)
    write_json(out / "arm.json", result.model_dump(mode="json"))
    return result


def run_arms(
    config: Path, out: Path, n: int = 200, report: Report = lambda arm, what, at, of: None
) -> Results:
    """Both arms at the same time, under `out`/fixed and `out`/hsa. Raises `ArmFailed`."""
    started = time.monotonic()
    followed = [_Follower(arm, config, out / arm, n, report) for arm in ARMS]
    try:
        for follower in followed:
            follower.wait()
    except BaseException:
        for follower in followed:
            follower.stop()
        raise
    fixed, hsa = (ArmResult.model_validate_json((out / arm / "arm.json").read_text("utf-8")) for arm in ARMS)
    return Results(fixed, hsa, time.monotonic() - started)


class _Follower:
    """One arm's process; what it says about its progress is passed on."""

    def __init__(self, arm: ArmName, config: Path, out: Path, n: int, report: Report) -> None:
        self._arm, self._report = arm, report
        self._said: list[str] = []
        command = [sys.executable, "-m", "trainer.demo", arm, str(config), str(out), str(n)]
        one_thread = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
        self._process = subprocess.Popen(
            command,
            env={**os.environ, **one_thread},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait(self) -> None:
        self._reader.join()
        if self._process.wait() != 0:
            raise ArmFailed(
                f"the {self._arm} arm ended with {self._process.returncode}:\n" + "".join(self._said[-20:])
            )

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(_MARK):
                what, at, of = json.loads(line.removeprefix(_MARK))
                self._report(self._arm, what, at, of)
            else:
                self._said.append(line)


_MARK = "\x1eprogress "


def _main(arm: ArmName, config: str, out: str, n: str) -> None:
    def report(arm: ArmName, what: str, at: int, of: int) -> None:
        print(_MARK + json.dumps([what, at, of]), flush=True)

    import transformers

    transformers.logging.set_verbosity_error()
    run_arm(Path(config), arm, Path(out), int(n), report)


if __name__ == "__main__":
    _main(*sys.argv[1:])  # type: ignore[arg-type]  # the parent process gives the four
