"""Events that a hook may meet, generated from the types of the Core: the same for the same seed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from hashlib import sha256
from random import Random
from typing import Any

from harness_dsl.ir.core import Choice, Core, Hook, Input, Span, Tool
from harness_dsl.ir.evaluate import evaluate, truth
from harness_dsl.ir.expressions import (
    Called,
    Calling,
    Constant,
    Expression,
    Extract,
    LimitValue,
    Matches,
    Results,
)
from harness_dsl.ir.facts import CallFact, Facts, limit_values
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.values import check_value
from harness_dsl.ir.walk import subexpressions
from runtime.contracts.patterns import matching, near, otherwise
from runtime.contracts.values import Values

COUNT = 400
"""So many events are generated for each hook."""
_RUNTIME_FAILURES = ("denied", "bad_arguments", "limit", "timeout", "bad_result")
_MISFITS: tuple[Any, ...] = (None, True, -1, "", [], {}, "長")
_PRICES = ("89元", "¥89", "89.5 yuan", "八十九块", "０元", "-1元")
_TRIES = 6


@dataclass(frozen=True)
class Spoken:
    """What a condition speaks of: patterns, texts, numbers, and the tools it asks about."""

    patterns: tuple[str, ...]
    texts: tuple[str, ...]
    numbers: tuple[Decimal, ...]
    tools: tuple[SemanticId, ...]
    limits: frozenset[SemanticId]
    is_about_numbers: bool


def spoken_of(condition: Expression) -> Spoken:
    """What `condition` speaks of, each once and in order."""
    found = [*subexpressions(condition)]
    constants = [part.value for part in found if isinstance(part, Constant)]
    tools = [part.tool for part in found if isinstance(part, Called | Calling | Results)]
    numbers = [
        value for value in constants if isinstance(value, int | Decimal) and not isinstance(value, bool)
    ]
    return Spoken(
        patterns=tuple(dict.fromkeys(part.pattern for part in found if isinstance(part, Matches))),
        texts=tuple(dict.fromkeys(value for value in constants if isinstance(value, str))),
        numbers=tuple(dict.fromkeys(map(Decimal, numbers))),
        tools=tuple(dict.fromkeys(tools)),
        limits=frozenset(part.limit for part in found if isinstance(part, LimitValue)),
        is_about_numbers=any(isinstance(part, Extract) for part in found),
    )


def generated(core: Core, hook: Hook, seed: int = 0, count: int = COUNT) -> list[Facts]:
    """`count` events of `hook`; every other one begins from the inputs of a declared test, if there is any.

    The second half are neighbours of events in which the condition answers as it does in few: there is where
    two implementations part.
    """
    spoken = spoken_of(hook.condition)
    given = [{leaf(one.input): one.value for one in test.given} for test in core.tests if test.given]
    events: list[Facts] = []
    holds: list[bool] = []
    for number in range(count):
        rng = Random(int.from_bytes(sha256(f"{seed}/{hook.id}/{number}".encode()).digest()))
        drawing = _Drawing(core, hook, spoken, rng)
        rarer = sum(holds) * 2 <= len(holds)
        rare = [event for event, held in zip(events, holds, strict=True) if held == rarer]
        if number >= count // 2 and rare:
            events.append(drawing.neighbour(rng.choice(rare)))
        else:
            events.append(drawing.event(rng.choice(given) if given and number % 2 else {}))
        holds.append(truth(evaluate(hook.condition, events[-1])))
    return events


class _Drawing:
    """One event."""

    def __init__(self, core: Core, hook: Hook, spoken: Spoken, rng: Random) -> None:
        self._core = core
        self._hook = hook
        self._spoken = spoken
        self._rng = rng
        self._limits = self._moved_limits()
        texts = [*spoken.texts, *self._matching(), *map(str, self._limits.values())]
        numbers = [*spoken.numbers, *(Decimal(v) for v in self._limits.values() if not isinstance(v, str))]
        self._values = Values(core, texts, numbers, rng)

    def event(self, given: Mapping[str, Any]) -> Facts:
        event = self._hook.event
        inputs = {leaf(node.id): self._input(node, given) for node in self._core.inputs}
        if event == "before_turn":
            return Facts(inputs=inputs, limits=self._limits)
        calls = tuple(self._call() for _ in range(self._rng.choice((0, 0, 1, 1, 2, 3))))
        skills = [skill.id for skill in self._core.skills]
        loaded = frozenset(self._rng.sample(skills, self._rng.randint(0, min(2, len(skills)))))
        if event == "before_reply":
            return Facts(self._reply(calls), inputs, self._limits, calls, loaded)
        looked_at = self._call()
        if event == "before_call":
            looked_at = CallFact(looked_at.tool, looked_at.arguments, returned=False)
        else:
            calls = (*calls, looked_at)
        return Facts(None, inputs, self._limits, calls, loaded, looked_at)

    def neighbour(self, facts: Facts) -> Facts:
        """`facts` with one thing changed, or two."""
        for _ in range(self._rng.choice((1, 1, 2))):
            facts = self._rng.choice((self._other_text, self._other_input, self._other_call))(facts)
        return facts

    def _other_text(self, facts: Facts) -> Facts:
        if facts.reply is None:
            return self._other_input(facts)
        return replace(facts, reply=otherwise(facts.reply, self._rng))

    def _other_input(self, facts: Facts) -> Facts:
        inputs = dict(facts.inputs)
        for node in self._core.inputs:
            name = leaf(node.id)
            text = inputs[name]
            changed = otherwise(text, self._rng) if isinstance(text, str) else self._input(node, {})
            if self._rng.random() < 0.5 and check_value(changed, node.type, self._core) is None:
                inputs[name] = changed
        return replace(facts, inputs=inputs)

    def _other_call(self, facts: Facts) -> Facts:
        """A call that turns out otherwise, is left out, or comes in addition."""
        if self._hook.event == "before_turn":
            return self._other_input(facts)
        rng, calls = self._rng, list(facts.calls)
        own = [at for at, call in enumerate(calls) if call is not facts.call]
        choice = rng.random()
        if not own or choice < 0.4:
            calls.insert(0, self._call())
        elif choice < 0.6:
            del calls[rng.choice(own)]
        else:
            at = rng.choice(own)
            calls[at] = replace(calls[at], value=None, failure=rng.choice(_RUNTIME_FAILURES))
        return replace(facts, calls=tuple(calls))

    def _input(self, node: Input, given: Mapping[str, Any]) -> Any:
        """What a test gives, or a value of the type; what no drawing fits keeps the last one."""
        name, value = leaf(node.id), None
        if name in given and not node.untrusted:
            return given[name]
        for _ in range(_TRIES):
            value = self._values.draw(node.type)
            if check_value(value, node.type, self._core) is None:
                break
        return value

    def _call(self) -> CallFact:
        """A call of a tool that the condition asks about, or of any; some misfit, as a model may write it."""
        rng, tools = self._rng, self._core.tools
        asked = [tool for tool in tools if tool.id in self._spoken.tools]
        if not tools:
            return CallFact("foreign/none", failure="unknown_tool")
        tool = rng.choice(asked if asked and rng.random() < 0.7 else tools)
        arguments = self._arguments(tool)
        if rng.random() < 0.25:
            return CallFact(tool.id, arguments, failure=rng.choice((*tool.fails, *_RUNTIME_FAILURES)))
        return CallFact(tool.id, arguments, value=self._values.draw(tool.returns))

    def _arguments(self, tool: Tool) -> dict[str, Any]:
        rng, arguments = self._rng, {}
        for param in tool.params:
            if param.required or rng.random() < 0.6:
                arguments[leaf(param.id)] = self._values.draw(param.type)
        if arguments and rng.random() < 0.15:
            name = rng.choice(sorted(arguments))
            if rng.random() < 0.5:
                del arguments[name]
            else:
                arguments[name] = rng.choice(_MISFITS)
        return arguments

    def _reply(self, calls: tuple[CallFact, ...]) -> str:
        """Texts that the condition is about, at lengths that it is about, with values of earlier calls."""
        rng = self._rng
        pieces = [self._values.text() for _ in range(rng.choice((0, 1, 1, 2)))]
        if self._spoken.is_about_numbers and rng.random() < 0.7:
            values = [text for call in calls for text in _numbers_in(call.value)]
            pieces.append(rng.choice([*(f"{text}元" for text in values), *_PRICES]))
        text = rng.choice(("", " ", "，")).join(pieces)
        lengths = [int(value) for value in self._limits.values() if not isinstance(value, str)]
        lengths = [length for length in [*map(int, self._spoken.numbers), *lengths] if 0 < length <= 5000]
        if lengths and rng.random() < 0.3:
            length = max(0, rng.choice(lengths) + rng.choice((-1, 0, 1)))
            text = (text + "好" * length)[:length]
        return text

    def _matching(self) -> list[str]:
        found = []
        for pattern in self._spoken.patterns:
            text = matching(pattern, self._rng)
            found += [text, near(text, self._rng), f"好{text}吗"]
        return found

    def _moved_limits(self) -> dict[SemanticId, int | Decimal | str]:
        """The limits as declared, or those that the condition asks about at an end of their range."""
        values = limit_values(self._core)
        for limit in self._core.limits:
            if limit.id not in self._spoken.limits or self._rng.random() < 0.6:
                continue
            if isinstance(limit.legal, Choice):
                values[limit.id] = self._rng.choice(limit.legal.values)
            elif isinstance(limit.legal, Span):
                end = self._rng.choice((limit.legal.min, limit.legal.max))
                values[limit.id] = int(end) if isinstance(limit.value, int) else end
        return values


def _numbers_in(value: Any) -> list[str]:
    """The numbers anywhere in JSON data, as texts."""
    match value:
        case bool():
            return []
        case int() | float() | Decimal():
            return [str(value)]
        case list():
            return [text for item in value for text in _numbers_in(item)]
        case dict():
            return [text for item in value.values() for text in _numbers_in(item)]
        case _:
            return []
