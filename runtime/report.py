"""Turns and conversations as JSON for clients: semantic ids, never thinking."""

import dataclasses
from typing import Any

from harness_dsl.ir.transcript import Call, Generated, LoadSkill, Published, Result, User
from runtime.session import Session
from runtime.turn import Turn


def turn_report(turn: Turn) -> dict[str, Any]:
    """What a client learns about `turn`; times are in milliseconds."""
    return {
        "reply": turn.published,
        "outcome": turn.outcome,
        "reason": turn.reason,
        "by": turn.by,
        "calls": [
            {"tool": record.call.tool, "arguments": record.call.arguments, **_result(record.result)}
            for record in turn.calls
        ],
        "hooks": [decision.hook for decision in turn.decisions if decision.taken],
        "version": turn.version,
        "core_digest": turn.core_digest,
        "surface_digest": turn.surface_digest,
        "tool_version": turn.tool_version,
        "counts": dataclasses.asdict(turn.counts),
        "milliseconds": {
            name: round(seconds * 1000, 3) for name, seconds in dataclasses.asdict(turn.timings).items()
        },
    }


def room_report(session: Session) -> dict[str, Any]:
    """What was said and done in a room, turn by turn, and the version that the room runs on."""
    turns: list[dict[str, Any]] = []
    for event in session.transcript.events:
        match event:
            case User():
                turns.append({"text": event.text, "skills": [], "calls": [], "results": [], "reply": None})
            case Generated() if turns:
                turns[-1]["skills"] += [e.skill for e in event.events if isinstance(e, LoadSkill)]
                turns[-1]["calls"] += [
                    {"tool": e.tool, "arguments": e.arguments} for e in event.events if isinstance(e, Call)
                ]
            case Result() if turns:
                turns[-1]["results"].append({"tool": event.tool, **_result(event)})
            case Published() if turns:
                turns[-1]["reply"] = event.text
    version = session.version
    return {
        "turns": turns,
        "segment": session.tokens.segment,
        "tokens": len(session.tokens.ids),
        "version": version.core.version,
        "core_digest": version.core_digest,
        "surface_digest": version.surface_digest,
    }


def _result(result: Result) -> dict[str, Any]:
    if result.failure is None:
        return {"value": result.value}
    return {"failure": result.failure, "detail": result.detail}
