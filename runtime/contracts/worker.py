"""The process in which implementations are asked: code of the project may end it, flood it or hang it."""

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from runtime.contracts.plan import MEMORY_MB, At, Failed, Plan, Told, Verdict, line_of, plan_of
from runtime.contracts.report import described
from runtime.contracts.suite import disagreement
from runtime.load import LoadError, load_harness
from runtime.testing.worker import end_with, limit_memory


def main(plan: str) -> None:
    """Asks what the plan says and ends the process. What code of the project prints goes nowhere."""
    lines = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    def tell(told: Told) -> None:
        lines.write(line_of(told))
        lines.flush()

    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    limit_memory(MEMORY_MB)
    try:
        ask(plan_of(plan), tell)
    except (LoadError, ValueError, OSError) as error:
        tell(Failed(str(error)))
    # Threads of calls that hang must not keep it.
    os._exit(0)


def ask(plan: Plan, tell: Callable[[Told], None]) -> None:
    """Tells a verdict on every implementation that is left. Raises `LoadError`, `OSError`, `ValueError`."""
    harness = load_harness(Path(plan.harness))
    core, functions = harness.core, harness.hooks(harness.core)
    for hook, number in plan.jobs(core):
        events = plan.events_of(core, harness.surface, hook)

        def saw(number: int, event: int, hook_id: str = hook.id) -> None:
            tell(At(hook_id, number, event))

        function, target = functions[hook.id][number - 1], hook.implementations[number - 1].target
        found = disagreement(core, hook, number, function, events, plan.timeout_s, saw)
        if found is None:
            tell(Verdict(hook.id, number, target, len(events)))
            continue
        words = described(found.event, core, hook)
        tell(Verdict(hook.id, number, target, len(events), words, str(found.expected), str(found.said)))
