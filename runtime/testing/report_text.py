"""Results of tests as a person reads them: those of the harness as they come, those of variants by test."""

import shlex
from collections.abc import Sequence

from runtime.testing.events import Event, Named, Outcome, Plan, Shown
from runtime.testing.results import FileResults

SHOWN = 3
"""Failing variants that are shown for each test."""


class TextReport:
    """Prints what happens. `many`: there is more than one file, so each is named."""

    def __init__(self, many: bool) -> None:
        self._many = many

    def opened(self, file: FileResults) -> None:
        """`file` was loaded."""
        if self._many and file.tests:
            print(file.path, flush=True)

    def saw(self, file: FileResults, event: Event) -> None:
        """`event` happened while the tests of `file` ran."""
        if isinstance(event, Shown) and file.plan.alone:
            print(f"variant {event.row} of seed {file.plan.seed}, surface {event.surface}", flush=True)
        if isinstance(event, Outcome) and (event.row is None or file.plan.alone):
            print(f"{_mark(event.passed)}{event.test.title}  → {event.reply or '(nothing)'}", flush=True)
            for problem in event.problems:
                print(f"        {problem}", flush=True)

    def closed(self, file: FileResults) -> None:
        """Nothing more will be known of `file`."""
        if file.plan.variants and file.tests:
            many = "variant" if file.plan.variants == 1 else "variants"
            print(f"on {file.plan.variants} {many} of seed {file.plan.seed}:")
        for test in file.tests if file.plan.variants else ():
            self._over_variants(file, test)

    def _over_variants(self, file: FileResults, test: Named) -> None:
        known = [one for one in file.outcomes if one.row is not None and one.test == test]
        failing = [outcome for outcome in known if not outcome.passed]
        print(f"{_mark(not failing)}{test.title}  {len(known) - len(failing)} of {len(known)} variants")
        for outcome in failing[:SHOWN]:
            print(f"        variant {outcome.row}: {outcome.problems[0]}")
            print(f"          again: {again(file.plan, outcome)}")
        if len(failing) > SHOWN:
            rows = ", ".join(str(outcome.row) for outcome in failing[SHOWN : SHOWN + 20])
            more = ", …" if len(failing) > SHOWN + 20 else ""
            print(f"        and variants {rows}{more}")

    def total(self, files: Sequence[FileResults]) -> None:
        """The last lines: how many passed."""
        plain: list[Outcome] = []
        varied: list[Outcome] = []
        for file in files:
            for one in file.outcomes:
                (plain if one.row is None or file.plan.alone else varied).append(one)
        said = f"{sum(one.passed for one in plain)} of {len(plain)} tests passed"
        if varied:
            said += f", {sum(one.passed for one in varied)} of {len(varied)} on variants"
        print(said)


def again(plan: Plan, outcome: Outcome) -> str:
    """The command that runs the test of `outcome` on its variant alone."""
    words = ["harnessc", "test", plan.harness, "--variant", str(outcome.row), "--seed", str(plan.seed)]
    words += ["--policy", plan.policy] if plan.policy is not None else []
    words += ["--engine", plan.engine] if plan.engine != "scripted" else []
    words += ["--model", plan.model] if plan.model is not None else []
    words += ["--url", plan.url] if plan.url is not None else []
    words += ["--max-tokens", str(plan.max_tokens)] if plan.max_tokens != Plan.max_tokens else []
    return shlex.join([*words, "--only", outcome.test.title])


def _mark(passed: bool) -> str:
    return "ok      " if passed else "FAILED  "
