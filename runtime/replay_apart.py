"""Proof 5 in a process of its own: a tool that ends or keeps it fails the row, and the others go on."""

import json
import pickle
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from augmentors.dataset import Row
from augmentors.verifying import Proved
from runtime.child import Child
from runtime.replay_proof import ReplayProof

LOADING_S = 60.0
"""Seconds that a harness has to load."""
TIMEOUT_S = 60.0
"""Seconds for one row, unless told otherwise."""
MEMORY_MB = 4096
MOST_STOPPED = 10
"""So many rows are waited for in vain by one process, lest a tool that always hangs take hours."""


@dataclass(eq=False)
class ReplayApart:
    """`proof`, asked in another process, which is started when there is a row, and again after each row that
    it does not survive. A copy in another process has one of its own.
    """

    proof: ReplayProof
    timeout_s: float = TIMEOUT_S
    memory_mb: int = MEMORY_MB
    _child: Child | None = field(default=None, init=False, repr=False)
    _end_child: Callable[[], object] = field(default=bool, init=False, repr=False)
    _stopped: int = field(default=0, init=False, repr=False)
    _never: str = field(default="", init=False, repr=False)

    def __reduce__(self) -> tuple[type["ReplayApart"], tuple[ReplayProof, float, int]]:
        return ReplayApart, (self.proof, self.timeout_s, self.memory_mb)

    def __call__(self, row: Row) -> Proved:
        """As `ReplayProof`, and that the process did not survive it."""
        if self._never:
            return Proved((self._never,))
        if self._stopped >= MOST_STOPPED:
            return Proved(unproved=f"{MOST_STOPPED} rows before it ran longer than {self.timeout_s:g} s")
        child = self._child or self._started()
        if child is None:
            return Proved((self._never,))
        child.send(pickle.dumps(row))
        try:
            line = child.line(self.timeout_s)
        except TimeoutError:
            self._stopped += 1
            return self._lost(f"it ran longer than {self.timeout_s:g} s (`--timeout` sets how many)")
        answer = _answer_of(line)
        if answer is None:
            return self._lost(f"a tool or hook ended the process ({child.end(2.0)})")
        if answer["leaving"]:
            self._end()
        return Proved(tuple(answer["faults"]), answer["unproved"])

    def _started(self) -> Child | None:
        child = self._child = Child("runtime.replay_worker", str(self.memory_mb), listens=True)
        # Also when this process is interrupted.
        self._end_child = weakref.finalize(self, child.end)
        child.send(pickle.dumps(self.proof))
        try:
            if child.line(LOADING_S) is not None:
                return child
            how = f"the process ended while it loaded ({child.end(2.0)})"
        except TimeoutError:
            how = f"it did not load within {LOADING_S:g} s"
        self._never = self._lost(f"the harness's code cannot run here: {how}").faults[0]
        return None

    def _lost(self, how: str) -> Proved:
        self._end()
        return Proved((f"proof 5: {how}",))

    def _end(self) -> None:
        self._end_child()
        self._child = None


def _answer_of(line: bytes | None) -> dict[str, Any] | None:
    """None for a process that has ended, also while it told."""
    try:
        answer: dict[str, Any] = json.loads(line or b"")
    except ValueError:
        return None
    return answer
