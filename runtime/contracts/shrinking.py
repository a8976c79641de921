"""The smallest event found of those that show a disagreement."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.facts import CallFact, Facts, limit_values
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.values import check_value

TRIES = 600
"""So many smaller events are tried."""


def shrunk(facts: Facts, core: Core, disagrees: Callable[[Facts], bool], tries: int = TRIES) -> Facts:
    """An event as small as it was found for which `disagrees` holds, as it does for `facts`.

    Inputs stay of their types; what is left out of a call or a reply is what a model may leave out as well.
    """
    left = tries
    while True:
        for smaller in _smaller(facts, core):
            left -= 1
            if disagrees(smaller):
                facts = smaller
                break
            if left <= 0:
                return facts
        else:
            return facts
        if left <= 0:
            return facts


def _smaller(facts: Facts, core: Core) -> Iterator[Facts]:
    if facts.limits != limit_values(core):
        yield replace(facts, limits=limit_values(core))
    others = [call for call in facts.calls if call != facts.call]
    for at in range(len(facts.calls)):
        if facts.calls[at] in others:
            yield replace(facts, calls=(*facts.calls[:at], *facts.calls[at + 1 :]))
    for skill in sorted(facts.loaded):
        yield replace(facts, loaded=facts.loaded - {skill})
    if facts.reply is not None:
        yield from (replace(facts, reply=text) for text in _shorter(facts.reply))
    if facts.call is not None:
        yield from _smaller_call(facts, facts.call)
    for name, value in facts.inputs.items():
        for smaller in _less(value):
            if _fits(core, name, smaller):
                yield replace(facts, inputs={**facts.inputs, name: smaller})


def _smaller_call(facts: Facts, call: CallFact) -> Iterator[Facts]:
    for name, value in call.arguments.items():
        rest = {key: kept for key, kept in call.arguments.items() if key != name}
        for arguments in (rest, *({**call.arguments, name: smaller} for smaller in _less(value))):
            changed = replace(call, arguments=arguments)
            calls = tuple(changed if one is call or one == call else one for one in facts.calls)
            yield replace(facts, call=changed, calls=calls)


def _fits(core: Core, name: str, value: Any) -> bool:
    types = [node.type for node in core.inputs if leaf(node.id) == name]
    return all(check_value(value, type_, core) is None for type_ in types)


def _less(value: Any) -> Iterator[Any]:
    """JSON data with something taken out of it."""
    match value:
        case bool() | None:
            return
        case str():
            yield from _shorter(value)
        case int() | float():
            yield from (smaller for smaller in (0, 1) if abs(smaller) < abs(value))
        case list():
            yield from ([*value[:at], *value[at + 1 :]] for at in range(len(value)))
            for at, item in enumerate(value):
                yield from ([*value[:at], smaller, *value[at + 1 :]] for smaller in _less(item))
        case Mapping():
            yield from ({key: kept for key, kept in value.items() if key != name} for name in value)
            for name, item in value.items():
                yield from ({**value, name: smaller} for smaller in (None, *_less(item)) if smaller != item)


def _shorter(text: str) -> Iterator[str]:
    if not text:
        return
    yield ""
    half = len(text) // 2
    if half:
        yield text[:half]
        yield text[half:]
    if len(text) <= 24:
        yield from (text[:at] + text[at + 1 :] for at in range(len(text)))
