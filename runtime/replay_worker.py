"""The process in which conversations are played again: code of the project may end it, flood it or hang it.

It reads a proof and then rows, pickled by the process that started it, and answers each with a line of JSON.
"""

import json
import os
import pickle
import sys
import threading
from pathlib import Path
from typing import Any

from augmentors.dataset import Row
from runtime.replay_proof import ReplayProof
from runtime.testing.worker import calls_running, end_with, limit_memory


def main(memory_mb: str) -> None:
    """Answers until no more is asked, and ends the process; called in a process of its own."""
    asked, told = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "w", encoding="ascii")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    limit_memory(int(memory_mb))

    def tell(answer: dict[str, Any]) -> None:
        told.write(json.dumps(answer) + "\n")
        told.flush()

    try:
        proof: ReplayProof = pickle.load(asked)
        proof.prepare()
        tell({})
        while True:
            tell(_answer(proof, pickle.load(asked)))
    except EOFError:
        # Threads of calls that hang must not keep it.
        os._exit(0)


def _answer(proof: ReplayProof, row: Row) -> dict[str, Any]:
    """`leaving`: code of the project still runs, so that another process is to go on."""
    try:
        proved = proof(row)
    except MemoryError:
        return {"faults": ["proof 5: there is not enough memory to play it"], "unproved": "", "leaving": True}
    return {"faults": proved.faults, "unproved": proved.unproved, "leaving": calls_running()}
