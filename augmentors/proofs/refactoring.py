"""Proof 1 of a refactored Core: it can be taken back, and its adapter is an inverse on the types.

An edit cannot be taken back: of an edited Core it is proved that it is well-formed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import TypeAdapter

from augmentors.adapters.move_rule import MoveRule, judged
from augmentors.adapters.refactorings import Refactored, Shape
from augmentors.adapters.reshaping import AdapterError, Reshaping
from augmentors.adapters.rewriting import moved_type
from augmentors.changes import changes
from augmentors.index import all_ids
from augmentors.proofs.claim import Claim
from harness_dsl.ir.core import Core, Member, Param, Tool
from harness_dsl.ir.identity import ByIdentity
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call
from harness_dsl.ir.types import EnumType, NamedType, Type, UnionType
from harness_dsl.ir.verify import verify_core

_DATA: TypeAdapter[Refactored] = TypeAdapter(Refactored)
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
        if (back := step.inverse(before.core)) is None:
            # Read anew from what a row says, whoever made it.
            said = _DATA.validate_python(step.model_dump())
            problem = said.problem(before.core, before.surface)
            if problem is not None or said.applied(before.core) != after.core:
                yield f"`{step.kind}` cannot be applied: {problem or 'it gives another Core'}"
            elif said.shown(before.core, before.surface) != after.surface:
                yield f"`{step.kind}` gives another default Surface"
        else:
            yield from _not_taken_back(step, back, before, after)
            yield from _arguments(step, before.core, after.core)
        yield from _constraints(step, before.core, after.core)
        after = before


def _constraints(step: Reshaping, before: Core, after: Core) -> Iterator[str]:
    """A rule that has moved must hold in the turns in which it held; others are led by `_not_taken_back`."""
    if isinstance(step, MoveRule) and judged(before) != judged(after):
        yield f"`{step.kind}` changes in which turns `{step.rule}` holds"


def _not_taken_back(step: Reshaping, back: Reshaping, before: Shape, after: Shape) -> Iterator[str]:
    problem = back.problem(after.core, after.surface)
    if problem is not None:
        yield f"`{step.kind}` cannot be taken back: {problem}"
    elif back.applied(after.core) != before.core:
        yield f"`{step.kind}` taken back gives another Core"
    else:
        again = back.shown(after.core, after.surface)
        for id_ in sorted(_shown_otherwise(before, after, again)):
            yield f"`{step.kind}` taken back shows `{id_}` otherwise"


def _shown_otherwise(before: Shape, after: Shape, again: Surface) -> set[SemanticId]:
    """What both shapes have and `again`, the default Surface taken back, does not show as it was."""
    both = all_ids(before.core) & all_ids(after.core)
    no_orders: dict[str, Any] = {"orders": {}}
    shown, now = (surface.model_copy(update=no_orders) for surface in (before.surface, again))
    return (changes(before.core, shown, now) & both) | {
        key
        for key, order in before.surface.orders.items()
        if [id_ for id_ in order if id_ in both] != [id_ for id_ in again.orders.get(key, ()) if id_ in both]
    }


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
        for member in fields:
            yield from inside(here, member)

    return {place.path: place for param in tool.params for place in inside((), param)}


@dataclass
class _Led:
    """Where the arguments of all tools were led to.

    places     the places that some argument was led to, by tool
    constants  by tool and path, what stands there of itself
    calls      the tools that make each call, told apart by what stands there of itself
    """

    places: set[tuple[SemanticId, tuple[str, ...]]] = field(default_factory=set)
    constants: dict[tuple[SemanticId, tuple[str, ...]], set[Any]] = field(default_factory=dict)
    calls: set[tuple[Any, ...]] = field(default_factory=set)


def _arguments(step: Reshaping, before: Core, after: Core) -> Iterator[str]:
    """Each argument of each tool is marked, must be found in a new place of its type, and must come back.

    Where one tool becomes several, it is the arguments of those that are marked and led back.
    """
    there, back = (step.call_back, step.call) if step.one_to_many else (step.call, step.call_back)
    first, then = (after, before) if step.one_to_many else (before, after)
    tools, led = {tool.id: tool for tool in then.tools}, _Led()
    for tool in first.tools:
        places = {f"\0{at}": place for at, place in enumerate(_places(first, tool).values())}
        call = Call(tool=tool.id, arguments=_marked(places))
        try:
            new = there(call)
            returned = back(new)
        except AdapterError as error:
            yield f"`{step.kind}` has no way for a call of `{tool.id}`: {error}"
            continue
        if returned != call:
            yield f"`{step.kind}` gives back another call of `{tool.id}`"
        if new.tool not in tools:
            yield f"`{step.kind}` makes a call of `{tool.id}` one of `{new.tool}`, which is no tool"
            continue
        yield from _led(tool, places, new, then, tools[new.tool], led)
    yield from _not_led_to(then, led)


def _led(
    tool: Tool, places: dict[str, _Place], call: Call, core: Core, new: Tool, led: _Led
) -> Iterator[str]:
    """What is wrong with `call` of `new`, which a marked call of `tool` has become."""
    found, constants = _places(core, new), []
    for path, value in _leaves(call.arguments):
        place, old = found.get(path), places.get(value) if isinstance(value, str) else None
        if old is not None:
            led.places.add((new.id, path))
            if place != replace(old, path=path):
                yield f"`{'.'.join(old.path)}` of `{tool.id}` is led to a place of another type"
            continue
        constants.append((path, value))
        led.constants.setdefault((new.id, path), set()).add(value)
    made = (new.id, *constants)
    if made in led.calls:
        yield f"a call of `{new.id}` does not tell `{tool.id}` from another tool"
    led.calls.add(made)
    if not _within(moved_type(tool.returns, "somewhere"), moved_type(new.returns, "somewhere")):
        yield f"`{new.id}` does not return what `{tool.id}` does"


def _not_led_to(core: Core, led: _Led) -> Iterator[str]:
    """Arguments that no call has, and words of a choice that mean nothing."""
    for tool in core.tools:
        for path, place in _places(core, tool).items():
            constants = led.constants.get((tool.id, path))
            if constants is None:
                if (tool.id, path) not in led.places:
                    yield f"`{'.'.join(path)}` of `{tool.id}` is led to by no argument"
                continue
            words = (
                {member.value for member in place.type.members} if isinstance(place.type, EnumType) else {}
            )
            if constants != words or not place.required:
                yield f"the words of `{'.'.join(path)}` of `{tool.id}` are not the tools that they mean"


def _within(type_: Type, other: Type) -> bool:
    """Whether every value of `type_` is one of `other`, as far as that is said in so many words."""
    options = other.options if isinstance(other, UnionType) else (other,)
    return type_ == other or all(
        option in options for option in (type_.options if isinstance(type_, UnionType) else (type_,))
    )


def _marked(places: dict[str, _Place]) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    for mark, place in places.items():
        inner = arguments
        for key in place.path[:-1]:
            inner = inner.setdefault(key, {})
        inner[place.path[-1]] = mark
    return arguments


def _leaves(arguments: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in arguments.items():
        if isinstance(value, dict):
            yield from _leaves(value, (*path, key))
        else:
            yield (*path, key), value
