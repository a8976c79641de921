"""An event in words, in one line."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from harness_dsl.ir.core import Core, Hook
from harness_dsl.ir.evaluate import Facts, text_of
from harness_dsl.ir.expressions import InputValue
from harness_dsl.ir.facts import CallFact, limit_values
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.walk import subexpressions

_LONGEST = 80
_MOST_CALLS = 2


def described(facts: Facts, core: Core, hook: Hook) -> str:
    """The event in one line: what the condition can look at, as far as there is any of it."""
    return ", ".join(_parts(facts, core, hook)) or "an event without any fact"


def _parts(facts: Facts, core: Core, hook: Hook) -> Iterator[str]:
    if facts.call is not None:
        yield f"the call {_call(facts.call)}"
    if facts.reply is not None:
        yield f"the reply {_json(facts.reply)}"
    earlier = [call for call in facts.calls if call != facts.call]
    yield from (f"an earlier call {_call(call)}" for call in earlier[:_MOST_CALLS])
    if len(earlier) > _MOST_CALLS:
        yield f"{len(earlier) - _MOST_CALLS} more calls"
    for skill in sorted(facts.loaded):
        yield f"skill `{leaf(skill)}` loaded"
    yield from _inputs(facts.inputs, hook)
    usual = limit_values(core)
    for id_, value in facts.limits.items():
        if value != usual.get(id_):
            yield f"limit `{leaf(id_)}` = {text_of(value)}"


def _call(call: CallFact) -> str:
    arguments = ", ".join(f"{name}={_json(value)}" for name, value in call.arguments.items())
    shown = f"{leaf(call.tool)}({arguments})"
    if not call.returned:
        return shown
    return f"{shown} -> {call.failure}" if call.failure is not None else f"{shown} -> {_json(call.value)}"


def _inputs(inputs: Mapping[str, Any], hook: Hook) -> Iterator[str]:
    """What the condition reads of the inputs; where it reads none, those that are short."""
    read = [part for part in subexpressions(hook.condition) if isinstance(part, InputValue)]
    for part in dict.fromkeys(read):
        value: Any = inputs.get(leaf(part.input))
        for name in part.path:
            value = value.get(name) if isinstance(value, Mapping) else None
        yield f"{'.'.join([leaf(part.input), *part.path])} = {_json(value)}"
    if not read:
        shown = ((name, _json(value)) for name, value in inputs.items())
        yield from (f"{name} = {text}" for name, text in shown if len(text) < _LONGEST and text != '""')


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
