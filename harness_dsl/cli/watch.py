"""`check --watch`: again whenever something that was looked at has changed."""

from __future__ import annotations

import os
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
        while not (changed := _changed(checked, files, looks.seen)):
            pass
        more = f" and {len(changed) - 1} more" if changed[1:] else ""
        print(f"\n{time.strftime('%H:%M:%S')} changed: {_called(changed[0])}{more}", file=sys.stderr)


def _changed(checked: list[str], files: Callable[[], list[str]], seen: list[Look]) -> list[str]:
    """The files that are not as they were; where all are, [] after a pause."""
    started = time.monotonic()
    now = files()
    changed = [path for path in [*now, *checked] if (path in now) != (path in checked)]
    changed += [look[1] for look in dict.fromkeys(seen) if not still(look)]
    if changed or now != checked:
        return list(dict.fromkeys(map(os.path.abspath, changed or now)))
    time.sleep(max(PAUSE, (time.monotonic() - started) * (1 / SHARE - 1)))
    return []


def _called(path: str) -> str:
    """`path` from the folder the command was started in, where it is below that."""
    below = os.path.relpath(path)
    return path if below.startswith(os.pardir) else below
