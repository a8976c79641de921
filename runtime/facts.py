"""What hooks can look at while a turn runs: the same facts that rules and tests read off its transcript."""

from collections.abc import Mapping
from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.facts import CallFact, Facts, limit_values
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.transcript import Call, Result
from harness_dsl.ir.types import StringType
from runtime.turn import Progress
from runtime.version import Version


def facts(
    version: Version,
    turn: Progress,
    *,
    reply: str | None = None,
    call: Call | None = None,
    result: Result | None = None,
) -> Facts:
    """The facts of `turn` so far; `call` and its `result` are those that a hook looks at."""
    looked_at = None if call is None else _fact(call, result)
    return Facts(
        reply=reply,
        inputs=turn.inputs,
        limits=limit_values(version.core),
        calls=tuple(_fact(record.call, record.result) for record in turn.calls),
        loaded=frozenset(turn.loaded),
        call=looked_at,
    )


def turn_inputs(
    core: Core, given: Mapping[str, Any], state: Mapping[str, Any], viewer: str
) -> dict[str, Any]:
    """The input values of a turn: `state`, and the viewer's text for untrusted texts that were not
    `given`.
    """
    texts = [
        leaf(input_.id)
        for input_ in core.inputs
        if input_.untrusted and isinstance(input_.type, StringType) and not given.get(leaf(input_.id))
    ]
    return {**state, **dict.fromkeys(texts, viewer)}


def _fact(call: Call, result: Result | None) -> CallFact:
    if result is None:
        return CallFact(call.tool, call.arguments, returned=False)
    return CallFact(call.tool, call.arguments, value=result.value, failure=result.failure)
