"""What a line of a dataset has in common with others: where its conversation comes from, how it is shown.

Lines may be transcripts (`harnessc lift`), certified rows (`harnessc augment`), or conversations as messages.
No harness is needed to tell.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from augmentors.certificates import BadRow, object_of
from augmentors.registry import OPERATORS
from harness_dsl.ir.transcript import Transcript, User

CONVERSATION = "conversation"
"""The lineage of what says no other: the conversation itself, by its user turns."""


@dataclass(frozen=True)
class Entry:
    """One line.

    lineage   kinds of origin (`task`, `product`, `session` …) with their values
    pools     where its names come from, and families of what changed how it is shown
    surface   digest of how it is shown, None for what is shown as its harness says, or in no way yet
    turns     what users say in it, in order
    """

    number: int
    lineage: Mapping[str, str]
    pools: frozenset[str]
    families: frozenset[str]
    surface: str | None
    turns: tuple[str, ...]


def entry(number: int, line: str) -> Entry:
    """The line with this number. Raises `BadRow` for what is no transcript, row or conversation."""
    try:
        data = object_of(line)
    except BadRow as error:
        raise BadRow(f"line {number}: {error}") from None
    if not any(key in data for key in ("events", "surface", "messages")):
        raise BadRow(f"line {number}: this is no transcript, no row and no conversation")
    applied = dict(_applied(data))
    turns = tuple(_turns(data))
    return Entry(
        number=number,
        lineage=_lineage(data, turns),
        pools=frozenset(data.get("pools", ())) | pools_of(applied),
        families=frozenset(OPERATORS[name].family for name in applied if name in OPERATORS),
        surface=_surface(data) if applied else None,
        turns=turns,
    )


def lineage_of(transcript: Transcript) -> dict[str, str]:
    """What `transcript` says of its origin, or else the conversation itself."""
    turns = tuple(event.text for event in transcript.events if isinstance(event, User))
    return dict(transcript.lineage) or {CONVERSATION: digest_of(turns)}


def digest_of(turns: tuple[str, ...]) -> str:
    """A short name for a conversation, by what users say in it."""
    return hashlib.sha256(json.dumps(turns).encode()).hexdigest()[:16]


def _lineage(data: Mapping[str, Any], turns: tuple[str, ...]) -> dict[str, str]:
    said = data.get("lineage")
    found = {str(key): str(value) for key, value in said.items()} if isinstance(said, dict) else {}
    if not found and turns:
        return {CONVERSATION: digest_of(turns)}
    return found


def _applied(data: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The operators of a row, each with the parameters that are not the default."""
    if isinstance(data.get("ops"), str):
        parameters = data.get("parameters", {})
        for at, said in enumerate(data["ops"].split()):
            yield said.partition(":")[0], parameters.get(str(at), {})
        return
    operators = data.get("operators", ())
    for one in operators if isinstance(operators, list) else ():
        if isinstance(one, str):
            yield one, {"pool": None}
        elif isinstance(one, dict) and isinstance(one.get("operator"), str):
            yield one["operator"], one.get("parameters", {})


def pools_of(applied: Mapping[str, Mapping[str, Any]]) -> frozenset[str]:
    """The pools that operators draw from, by their names and parameters."""
    pools = set()
    for name, settings in applied.items():
        field = OPERATORS[name].parameters_model.model_fields.get("pool") if name in OPERATORS else None
        pool = None if field is None else settings.get("pool", field.default)
        if pool is not None:
            pools.add(str(pool))
    return frozenset(pools)


def _surface(data: Mapping[str, Any]) -> str | None:
    said = data.get("surface_digest", data.get("surface"))
    return said if isinstance(said, str) else None


def _turns(data: Mapping[str, Any]) -> Iterator[str]:
    for event in data.get("events", ()):
        if isinstance(event, dict) and event.get("kind") == "user" and isinstance(event.get("text"), str):
            yield event["text"]
    messages = data.get("messages")
    for message in messages if isinstance(messages, list) else ():
        if not isinstance(message, dict) or message.get("role") != "user" or "harness" in message:
            continue
        if isinstance(message.get("content"), str):
            yield message["content"]
