"""Proof 1 of a refactored Core: it can be taken back, and its adapter is an inverse on the types.

An edit cannot be taken back: of an edited Core it is proved that it is well-formed.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from augmentors.adapters.refactorings import Shape
from augmentors.adapters.reshaping import AdapterError, Reshaping
from augmentors.adapters.rewriting import moved_type
from augmentors.proofs.claim import Claim
from harness_dsl.ir.core import Core, Member, Param, Tool
from harness_dsl.ir.identity import ByIdentity
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.transcript import Call
from harness_dsl.ir.types import NamedType, Type
from harness_dsl.ir.verify import verify_core

_known: ByIdentity[tuple[str, ...]] = ByIdentity(64)


def refactoring(claim: Claim) -> Iterator[str]:
    """What does not hold of the refactorings of `claim`. They are applied already, one after the other."""
    steps = claim.certificate.refactorings
    if not steps:
        return
    yield from _known.get(claim.shape, lambda: tuple(_faults(claim)))
    claimed = {id_ for applied in claim.certificate.operators for id_ in applied.changed}
    for step in steps:
        for id_ in step.symbols:
            if id_ not in claimed:
                yield f"`{id_}` has another shape, and no operator claims to have changed it"


def _faults(claim: Claim) -> Iterator[str]:
    after = claim.shape
    while (before := after.earlier) is not None:
        step = after.refactorings[-1]
        yield from (f"`{p.id}`: {p.message}" for p in verify_core(after.core)[:1])
        if (back := step.inverse(before.core)) is not None:
            yield from _not_taken_back(step, back, before, after)
            yield from _arguments(step, before.core, after.core)
        after = before


def _not_taken_back(step: Reshaping, back: Reshaping, before: Shape, after: Shape) -> Iterator[str]:
    problem = back.problem(after.core, after.surface)
    if problem is not None:
        yield f"`{step.kind}` cannot be taken back: {problem}"
    elif back.applied(after.core) != before.core:
        yield f"`{step.kind}` taken back gives another Core"


@dataclass(frozen=True)
class _Place:
    """An argument, or a field of a record in it that is always there: where it is, and what may stand there.

    Ids of enum values, which follow their owner, are no part of the type.
    """

    path: tuple[str, ...]
    type: Type
    required: bool
    default: Any


def _places(core: Core, tool: Tool) -> dict[tuple[str, ...], _Place]:
    """Where the arguments of `tool` are, by path."""
    records = {decl.id: decl.fields for decl in core.types}

    def inside(path: tuple[str, ...], node: Param | Member) -> Iterator[_Place]:
        here, required = (*path, leaf(node.id)), not node.optional
        default = (node.has_default, node.default) if isinstance(node, Param) else (False, None)
        fields = records.get(node.type.type) if isinstance(node.type, NamedType) else None
        if not fields or not required or default[0]:
            yield _Place(here, moved_type(node.type, "somewhere"), required, default)
            return
        # A record cannot hold itself where it is always there, so this ends.
        for field in fields:
            yield from inside(here, field)

    return {place.path: place for param in tool.params for place in inside((), param)}


def _arguments(step: Reshaping, before: Core, after: Core) -> Iterator[str]:
    """Each argument of each tool is marked, must be found in a new place of its type, and must come back."""
    tools = {tool.id: tool for tool in after.tools}
    reached: Counter[tuple[str, ...]] = Counter()
    for tool in before.tools:
        places = {f"\0{at}": place for at, place in enumerate(_places(before, tool).values())}
        call = Call(tool=tool.id, arguments=_marked(places))
        try:
            new = step.call(call)
            back = step.call_back(new)
        except AdapterError as error:
            yield f"`{step.kind}` has no way for a call of `{tool.id}`: {error}"
            continue
        if back != call:
            yield f"`{step.kind}` gives back another call of `{tool.id}`"
        if new.tool not in tools:
            yield f"`{step.kind}` makes a call of `{tool.id}` one of `{new.tool}`, which is no tool"
            continue
        found = _places(after, tools[new.tool])
        for path, mark in _marks(new.arguments):
            reached[(new.tool, *path)] += 1
            old = places[mark]
            if found.get(path) != replace(old, path=path):
                yield f"`{'.'.join(old.path)}` of `{tool.id}` is led to a place of another type"
    for tool in after.tools:
        for path in _places(after, tool):
            if not reached[(tool.id, *path)]:
                yield f"`{'.'.join(path)}` of `{tool.id}` is led to by no argument"


def _marked(places: dict[str, _Place]) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    for mark, place in places.items():
        inner = arguments
        for key in place.path[:-1]:
            inner = inner.setdefault(key, {})
        inner[place.path[-1]] = mark
    return arguments


def _marks(arguments: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    for key, value in arguments.items():
        if isinstance(value, dict):
            yield from _marks(value, (*path, key))
        elif isinstance(value, str) and value.startswith("\0"):
            yield (*path, key), value
