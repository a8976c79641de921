"""What to do about a call that failed, from what the model sees of it alone."""

from harness_dsl.ir.core import Tool
from harness_dsl.ir.fault_plan import FaultKind, declared_failure
from harness_dsl.ir.transcript import Result

_PASSING: tuple[FaultKind, ...] = ("timeout", "rate_limited", "unavailable")


def may_repeat(tool: Tool) -> bool:
    """Whether a second call of `tool` does no harm, whatever became of the first."""
    return tool.effect == "read" or (tool.idempotent and tool.effect != "irreversible")


def may_be_over(tool: Tool, failure: str) -> bool:
    """Whether `failure` of `tool` can be gone when it is called again: a crash, or a refusal that says so."""
    return failure == "crashed" or any(failure == declared_failure(tool, kind) for kind in _PASSING)


def is_worth_another_call(tool: Tool, result: Result) -> bool:
    """Whether a model that read `result` should make the same call once more."""
    return result.failure is not None and may_repeat(tool) and may_be_over(tool, result.failure)
