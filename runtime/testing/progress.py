"""How far a long run of tests is, on standard error."""

import sys
import time

from runtime.testing.events import Event, Shown
from runtime.testing.results import FileResults


class Progress:
    """Says which variant is under way: on a terminal at once, elsewhere every `every_s` seconds, so that a CI
    system does not take a long run for a dead one.
    """

    def __init__(self, every_s: float = 30.0) -> None:
        self._live = sys.stderr.isatty()
        self._every_s = every_s
        self._said = time.monotonic()

    def saw(self, file: FileResults, event: Event) -> None:
        """`event` happened while the tests of `file` ran."""
        if not isinstance(event, Shown) or event.row is None or file.plan.alone:
            return
        line = f"{file.path}: variant {event.row + 1} of {file.plan.variants}"
        if self._live:
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - self._said >= self._every_s:
            self._said = time.monotonic()
            print(line, file=sys.stderr, flush=True)

    def close(self) -> None:
        """What is printed next begins on an empty line."""
        if self._live:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
