"""Why a turn did not do what a test expects of it: a hook that acted, or a call that was refused."""

from collections.abc import Callable, Sequence

from harness_dsl.ir.core import Expectation, ExpectCall, ExpectFact, ExpectPredicate, ExpectSkill
from harness_dsl.ir.evaluate import same
from harness_dsl.ir.facts import CallFact
from harness_dsl.ir.ids import SemanticId
from runtime.turn import CallRecord, Turn

Place = Callable[[SemanticId], str | None]
"""Where a symbol stands, as `path:line`; None where that is not known."""

SHOWN = 3
"""So many refused calls are named."""


def because(expectation: Expectation, turn: Turn, place: Place) -> str:
    """What is to be said behind the problem with `expectation`, with a colon before it; or nothing."""
    said: list[str] = []
    match expectation:
        case ExpectSkill() if not expectation.negated:
            said = ended(turn, place)
        case ExpectCall() if not expectation.negated:
            said = _refused(_meant(expectation, turn.calls), place) or ended(turn, place)
        case ExpectFact():
            said = ended(turn, place)
        case ExpectPredicate():
            said = [*_refused(turn.calls, place), *ended(turn, place)]
        case _:
            pass
    return f": {', '.join(dict.fromkeys(said))}" if said else ""


def ended(turn: Turn, place: Place) -> list[str]:
    """The hook that ended `turn` in place of a reply of the model, if one did."""
    if turn.by is None:
        return []
    acted = [one for one in turn.decisions if one.hook == turn.by and one.taken]
    what = "the reply" if acted and acted[-1].event == "before_reply" else "the turn"
    how = "sent back too often" if turn.outcome == "silenced" else turn.outcome
    return [f"{what} was {how} by {_hook(turn.by, turn, place)}"]


def _hook(hook: SemanticId, turn: Turn | None, place: Place) -> str:
    at = place(hook)
    said = hook if at is None else f"{hook} ({at})"
    errors = [one.error for one in turn.decisions if one.hook == hook and one.error] if turn else []
    return f"{said}, which did not work: {errors[-1]}" if errors else said


def _meant(expected: ExpectCall, calls: Sequence[CallRecord]) -> list[CallRecord]:
    """The calls that were `expected`; or all calls of the tool, if it was called otherwise."""
    of_tool = [record for record in calls if record.call.tool == expected.tool]
    exact = [
        record
        for record in of_tool
        if all(
            name in record.call.arguments and same(record.call.arguments[name], value)
            for name, value in expected.arguments
        )
    ]
    return exact or of_tool


def _refused(calls: Sequence[CallRecord], place: Place) -> list[str]:
    """Why each of `calls` that did not reach its tool did not."""
    said = []
    for record in calls:
        if CallFact(record.call.tool, failure=record.result.failure).carried_out:
            continue
        about, why = record.call.tool, record.result.detail
        if record.by is not None:
            what = (
                f"the result of {about} was withheld"
                if record.attempts
                else f"the call of {about} was denied"
            )
            said.append(f"{what} by {_hook(record.by, None, place)}")
        elif record.result.failure == "bad_arguments":
            said.append(f"the call of {about} was refused for bad arguments, {why}")
        else:
            said.append(
                f"the call of {about} was refused, {why}" if why else f"the call of {about} was refused"
            )
    return list(dict.fromkeys(said))[:SHOWN]
