"""What is known of the tests of one file when they have been run."""

from dataclasses import dataclass, field

from runtime.testing.events import Event, Failed, Loaded, Named, Outcome, Plan, Shown


@dataclass
class FileResults:
    """The results of `plan`. `shown` has the digests of each row, and `failed` says why there are no more
    results than these.
    """

    plan: Plan
    harness: str = ""
    tests: tuple[Named, ...] = ()
    unknown: tuple[str, ...] = ()
    shown: dict[int | None, Shown] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)
    failed: Failed | None = None

    @property
    def path(self) -> str:
        """The file."""
        return self.plan.harness

    @property
    def passed(self) -> int:
        """How many results are without problems."""
        return sum(outcome.passed for outcome in self.outcomes)

    def add(self, event: Event) -> None:
        """Takes in what a worker told."""
        match event:
            case Loaded():
                self.harness, self.tests, self.unknown = event.harness, event.tests, event.unknown
            case Shown():
                self.shown[event.row] = event
            case Outcome():
                self.outcomes.append(event)
            case Failed():
                self.failed = event
            case _:
                pass

    def rows(self) -> list[tuple[Shown, list[Outcome]]]:
        """The results of each row, in the order in which rows were run."""
        return [
            (shown, [outcome for outcome in self.outcomes if outcome.row == row])
            for row, shown in self.shown.items()
        ]
