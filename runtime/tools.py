"""Running the tools of a harness: arguments and results checked against the Core, every failure a result."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from harness_dsl.ir.core import Core, Tool
from harness_dsl.ir.fault_plan import FaultKind, declared_failure
from harness_dsl.ir.fault_results import CRASHED, REASONS, TOO_SLOW
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.same_json import same_json
from harness_dsl.ir.transcript import Call, Result
from harness_dsl.ir.values import check_arguments, check_value
from harness_dsl.protocol.markers import encodable
from runtime.faults import Faults, InjectedError, Meeting
from runtime.signatures import Signature, read_signature
from runtime.threads import Crashed, TimedOut, run_bounded
from runtime.values import NotJson, json_value, longest_json

DEFAULT_TIMEOUT_MS = 10_000
RESULT_LIMIT = 20_000


class ToolFailure(Exception):
    """Raised by a tool to fail with one of its declared failures; `detail` is what the model reads about
    it.
    """

    def __init__(self, failure: str, detail: str = "") -> None:
        super().__init__(f"{failure}: {detail}" if detail else failure)
        self.failure = failure
        self.detail = detail


@dataclass(frozen=True)
class Ran:
    """A call that is over. `error` tells an operator what went wrong; the model reads only `result`."""

    result: Result
    seconds: float = 0.0
    attempts: int = 0
    error: str = ""


@dataclass
class TurnCalls:
    """What was done in one turn and must not be done twice: irreversible calls, by tool and arguments, with
    declared defaults among them.
    """

    done: dict[str, Result] = field(default_factory=dict)


class Toolbox:
    """The tools of `core`, each with the function that carries it out.

    `functions` maps a tool's id, or its declared identifier, to a function, sync (run in a thread) or async.
    It is called with the declared identifiers as keywords; a keyword-only parameter that is no parameter of
    the tool and is named like an input receives the input's value. A dictionary of canned functions is a
    simulation. `patience`: how many times longer than its timeout each may take. Raises `ValueError` for a
    function that cannot take the tool's parameters.
    """

    def __init__(
        self, core: Core, functions: Mapping[str, Callable[..., Any]], *, patience: float = 1.0
    ) -> None:
        self._core = core
        self._patience = patience
        self._tools = {tool.id: tool for tool in core.tools}
        inputs = [leaf(input_.id) for input_ in core.inputs]
        self._signatures: dict[SemanticId, Signature] = {}
        for tool in core.tools:
            function = functions.get(tool.id) or functions.get(leaf(tool.id))
            if function is not None:
                self._signatures[tool.id] = read_signature(function, tool, inputs)

    @property
    def missing(self) -> tuple[SemanticId, ...]:
        """Tools without a function; a call of one is a `crashed` result."""
        return tuple(id_ for id_ in self._tools if id_ not in self._signatures)

    def effect(self, tool: SemanticId) -> str:
        """The declared effect of `tool`."""
        return self._tools[tool].effect

    async def call(
        self,
        call: Call,
        state: Mapping[str, Any],
        naming: Naming,
        turn: TurnCalls,
        *,
        timeout_s: float | None = None,
        faults: Faults | None = None,
    ) -> Ran:
        """Carry out `call`; never raises for what the tool does.

        `state` holds the input values by declared identifier; a tool may change what is in them. `timeout_s`
        shortens the tool's own timeout. `faults` are those of the conversation.
        """
        tool = self._tools[call.tool]
        problem = check_arguments(call.arguments, tool, self._core, naming)
        if problem is not None:
            return Ran(Result(tool=tool.id, failure="bad_arguments", detail=problem))
        signature = self._signatures.get(tool.id)
        if signature is None:
            return Ran(_crashed(tool), error="the tool has no implementation")
        key = same_json([tool.id, {**signature.defaults, **call.arguments}])
        if tool.effect == "irreversible" and key in turn.done:
            return Ran(turn.done[key])
        if tool.effect == "irreversible":
            # Set before it runs: whatever interrupts it, whether it took effect is unknown, so it is not
            # repeated.
            turn.done[key] = Result(
                tool=tool.id, failure="denied", detail="it was begun already and is not repeated"
            )
        meeting = faults.next(tool, call.arguments) if faults is not None else Meeting(0)
        job = _Job(tool, signature, partial(signature.keywords, call.arguments, state), faults, meeting)
        ran = await self._run(job, timeout_s)
        if tool.effect == "irreversible" and ran.result.failure != "crashed":
            turn.done[key] = ran.result
        return ran

    async def _run(self, job: "_Job", timeout_s: float | None) -> Ran:
        """Once, or twice when the tool is idempotent and the first attempt crashed or timed out."""
        started = time.perf_counter()
        own = (job.tool.timeout_ms or DEFAULT_TIMEOUT_MS) / 1000 * self._patience
        timeout = own if timeout_s is None else min(own, timeout_s)
        attempts = 2 if job.tool.idempotent else 1
        for attempt in range(1, attempts + 1):
            result, error, again = await self._attempt(job, attempt, timeout)
            if not again or attempt == attempts:
                break
        return Ran(result, time.perf_counter() - started, attempt, error)

    async def _attempt(self, job: "_Job", attempt: int, timeout_s: float) -> tuple[Result, str, bool]:
        """The result, what to tell an operator, and whether another attempt may end better."""
        tool = job.tool
        try:
            value = json_value(await job.value(self._core, attempt, timeout_s))
        except TimedOut as error:
            failure = "timeout" if "timeout" in tool.fails else "crashed"
            return Result(tool=tool.id, failure=failure, detail=TOO_SLOW), str(error), True
        except Crashed as error:
            return self._raised(tool, error)
        except NotJson as error:
            return _crashed(tool), str(error), False
        size = longest_json(value, RESULT_LIMIT)
        if size > RESULT_LIMIT:
            return _crashed(tool), f"the result has more than {RESULT_LIMIT} characters", False
        problem = check_value(value, tool.returns, self._core)
        if problem is not None:
            return _crashed(tool), f"the result is not of the declared type: {problem}", False
        return Result(tool=tool.id, value=value), "", False

    def _raised(self, tool: Tool, error: Crashed) -> tuple[Result, str, bool]:
        cause = error.__cause__
        if not isinstance(cause, ToolFailure):
            return _crashed(tool), str(error), True
        if cause.failure not in tool.fails:
            return _crashed(tool), f"it failed with the undeclared {cause.failure}", False
        return Result(tool=tool.id, failure=cause.failure, detail=encodable(cause.detail[:500])), "", False


class _Job:
    """A call on its way to its function, through the faults of the conversation if there are any."""

    def __init__(
        self,
        tool: Tool,
        signature: Signature,
        keywords: Callable[[], dict[str, Any]],
        faults: Faults | None,
        meeting: Meeting,
    ) -> None:
        self.tool = tool
        self._signature = signature
        self._keywords = keywords
        self._faults = faults
        self._meeting = meeting

    async def value(self, core: Core, attempt: int, timeout_s: float) -> Any:
        """What the function gives. Raises `TimedOut` and `Crashed`."""
        fault = self._meeting.at(attempt)
        if fault is not None and fault.kind == "timeout":
            raise TimedOut("no result in time: a planned fault")
        if fault is not None and fault.kind in REASONS:
            raise Crashed(f"{REASONS[fault.kind]}: a planned fault") from refusal(self.tool, fault.kind)
        value = await run_bounded(self._signature.function, self._keywords(), timeout_s)
        if self._faults is None:
            return value
        return self._faults.arriving(core, self.tool, self._meeting, json_value(value))


def refusal(tool: Tool, kind: FaultKind) -> Exception:
    """What the function of `tool` raises when the service behind it refuses a call."""
    declared = declared_failure(tool, kind)
    return InjectedError(REASONS[kind]) if declared is None else ToolFailure(declared, REASONS[kind])


def _crashed(tool: Tool) -> Result:
    return Result(tool=tool.id, failure="crashed", detail=CRASHED)
