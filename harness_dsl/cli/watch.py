"""`check --watch`: again whenever something that was looked at has changed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from harness_dsl.reading import Look, Looks, still

PAUSE = 0.3
"""Seconds between two looks. Polling needs no library, and sees changes on network file systems too."""
SHARE = 0.1
"""Of the time, at most so much is spent looking, however large the folders are."""


def watch(check: Callable[[], tuple[list[str], int]], files: Callable[[], list[str]]) -> int:
    """Runs `check` for as long as nobody interrupts. It gives the files it has checked and an exit status;
    `files` lists those that there are now. Raises `KeyboardInterrupt`.
    """
    while True:
        with Looks() as looks:
            checked, _ = check()
        print("watching; Ctrl-C ends it", file=sys.stderr, flush=True)
        sys.stdout.flush()
        while _same(checked, files, looks.seen):
            pass
        print(f"\n{time.strftime('%H:%M:%S')} something changed", file=sys.stderr)


def _same(checked: list[str], files: Callable[[], list[str]], seen: list[Look]) -> bool:
    """Whether all is as it was; where it is, only after a pause."""
    started = time.monotonic()
    if files() != checked or not all(still(look) for look in dict.fromkeys(seen)):
        return False
    time.sleep(max(PAUSE, (time.monotonic() - started) * (1 / SHARE - 1)))
    return True
