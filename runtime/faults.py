"""Faults of a plan, met by the calls of one conversation.

They stand where a tool's own faults would come up, so that the loop answers them as it answers those.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harness_dsl.ir.core import Core, Tool
from harness_dsl.ir.fault_plan import LASTING, Fault, FaultPlan
from harness_dsl.ir.fault_results import asked, distorted
from harness_dsl.ir.ids import SemanticId


class InjectedError(Exception):
    """What a service says that refuses a call: raised in place of a tool's function."""


@dataclass(frozen=True)
class Meeting:
    """A call that is under way: which of its tool's calls it is, and what it meets. `previous`: what the
    latest equal call that was over gave when this one began, so that calls side by side do not race.
    """

    number: int
    fault: Fault | None = None
    previous: Any = None
    asked: str = ""

    def at(self, attempt: int) -> Fault | None:
        """What attempt number `attempt` at this call meets."""
        fault = self.fault
        if fault is None or fault.kind in LASTING or attempt <= fault.attempts:
            return fault
        return None


@dataclass
class Faults:
    """What `plan` does to one conversation. Calls are counted as they reach their tools."""

    plan: FaultPlan
    _calls: Counter[SemanticId] = field(default_factory=Counter)
    _given: dict[str, tuple[int, Any]] = field(default_factory=dict)

    def next(self, tool: Tool, arguments: Mapping[str, Any]) -> Meeting:
        """What the next call of `tool` meets; to be asked once for each call."""
        self._calls[tool.id] += 1
        number = self._calls[tool.id]
        key = asked(tool, arguments)
        _, previous = self._given.get(key, (0, None))
        return Meeting(number, self.plan.at(tool.id, number), previous, key)

    def remember(self, meeting: Meeting, value: Any) -> None:
        """The call gave `value`, which may come again as a stale result."""
        if meeting.number > self._given.get(meeting.asked, (0, None))[0]:
            self._given[meeting.asked] = (meeting.number, value)

    def arriving(self, core: Core, tool: Tool, meeting: Meeting, value: Any) -> Any:
        """What arrives of `value`, which the call gave."""
        self.remember(meeting, value)
        if meeting.fault is None:
            return value
        return distorted(core, tool, meeting.fault, value, meeting.previous)
