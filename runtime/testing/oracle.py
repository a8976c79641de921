"""A model that knows what a test expects, and does it: expected skills, expected calls, then a reply that
states the expected facts. It obeys hooks that require something.

It shows that the expectations can be met through the loop, the tools and the hooks. It says nothing about a
model.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from harness_dsl.ir.core import (
    Core,
    ExpectCall,
    ExpectFact,
    ExpectPredicate,
    ExpectSkill,
    TestCase,
)
from harness_dsl.ir.evaluate import Facts, last_turn, text_of
from harness_dsl.ir.expressions import Affix, Constant, Expression
from harness_dsl.ir.ids import SemanticId, kind, leaf
from harness_dsl.ir.rules import broken, rules
from harness_dsl.ir.transcript import (
    Call,
    Event,
    HookNote,
    LoadSkill,
    ModelEvent,
    ReplyText,
    Transcript,
    User,
)
from harness_dsl.ir.values import check_value
from harness_dsl.ir.walk import subexpressions
from runtime.testing.expectations import failures
from runtime.testing.samples import sample
from runtime.version import Version

SMALL_TALK = "好的"


def next_output(test: TestCase, version: Version, transcript: Transcript) -> tuple[ModelEvent, ...]:
    """What the oracle does after `transcript`, which ends where the model goes on."""
    core = version.core
    turn = _current_turn(transcript.events)
    facts = last_turn(transcript, core)
    is_last = sum(isinstance(event, User) for event in transcript.events) == len(test.user)
    calls = [e for e in test.expect if isinstance(e, ExpectCall) and not e.negated] if is_last else []
    for skill in _skills(test if is_last else None, version, calls):
        if skill not in facts.loaded:
            return (LoadSkill(skill=skill),)
    if len(facts.calls) < len(calls):
        return (_call(calls[len(facts.calls)], core),)
    demand = _demanded(turn, version, facts)
    if demand is not None:
        return (demand,)
    return (ReplyText(text=(_reply(test if is_last else None, version, transcript, facts),)),)


def _current_turn(events: Sequence[Event]) -> Sequence[Event]:
    start = max(at for at, event in enumerate(events) if isinstance(event, User))
    return events[start:]


def _skills(test: TestCase | None, version: Version, calls: Sequence[ExpectCall]) -> list[SemanticId]:
    """The expected skills, and a reply skill if the harness wants one and none is expected."""
    expected = [] if test is None else [e for e in test.expect if isinstance(e, ExpectSkill)]
    wanted = [e.skill for e in expected if not e.negated]
    refused = {e.skill for e in expected if e.negated}
    replying = version.reply_skills
    if not replying or replying.intersection(wanted):
        return wanted
    tools = {call.tool for call in calls}
    free = sorted(skill for skill in replying if skill not in refused)
    if not free:
        return wanted
    uses = {skill.id: tools.difference(skill.uses) for skill in version.core.skills}
    return [*wanted, min(free, key=lambda skill: len(uses[skill]))]


def _call(expected: ExpectCall, core: Core) -> Call:
    """The expected call; required arguments that are left free get some value of their type."""
    arguments = dict(expected.arguments)
    tool = next(tool for tool in core.tools if tool.id == expected.tool)
    for param in tool.params:
        if param.required:
            arguments.setdefault(leaf(param.id), sample(param.type, core))
    return Call(tool=tool.id, arguments=arguments)


def unmade(expected: ExpectCall, core: Core) -> list[str]:
    """The required parameters that `expected` leaves free and for which no value was found."""
    named = dict(expected.arguments)
    tool = next(tool for tool in core.tools if tool.id == expected.tool)
    return [
        leaf(param.id)
        for param in tool.params
        if param.required
        and leaf(param.id) not in named
        and check_value(sample(param.type, core), param.type, core) is not None
    ]


def _demanded(turn: Sequence[Event], version: Version, facts: Facts) -> ModelEvent | None:
    """The tool or skill that a hook required in this turn and that is still due."""
    asked = {event.hook for event in turn if isinstance(event, HookNote) and event.action == "require"}
    for hook in version.core.hooks:
        if hook.id not in asked or hook.target is None:
            continue
        if kind(hook.target) == "skill" and hook.target not in facts.loaded:
            return LoadSkill(skill=hook.target)
        if kind(hook.target) == "tool" and all(call.tool != hook.target for call in facts.calls):
            return _call(ExpectCall(tool=hook.target), version.core)
    return None


def _reply(test: TestCase | None, version: Version, transcript: Transcript, facts: Facts) -> str:
    """Of the replies that meet the expectations, if any do, the first that breaks the fewest rules."""
    core = version.core
    expected = () if test is None else test.expect
    stated = [_statement(e) for e in expected if isinstance(e, ExpectFact)]
    candidates = list(_candidates("，".join(stated) or SMALL_TALK, test, core))
    meeting = [c for c in candidates if test is None or not failures(test, core, transcript, c)]
    return min(meeting or candidates, key=lambda said: len(broken(core, replace(facts, reply=said))))


def _statement(fact: ExpectFact) -> str:
    if fact.fact == "price":
        return f"{text_of(fact.value)}元"
    return text_of(fact.value)


def _candidates(body: str, test: TestCase | None, core: Core) -> Iterator[str]:
    """`body` alone, and between words that rules and expectations name at the beginning, inside or at the
    end.
    """
    named = [text for expression in _all_predicates(test, core) for text in _named_texts(expression, core)]
    first = ["", *dict.fromkeys(text for where, text in named if where == "start")]
    inside = ["", *dict.fromkeys(text for where, text in named if where == "inside")]
    last = ["", *dict.fromkeys(text for where, text in named if where == "end")]
    for end, middle, start in product(last[:6], inside[:12], first[:6]):
        parts = [part for part in (start, middle) if part]
        yield "，".join([*parts, body]) + end


def _all_predicates(test: TestCase | None, core: Core) -> Iterator[Expression]:
    if test is not None:
        yield from (e.predicate for e in test.expect if isinstance(e, ExpectPredicate))
    every_skill = {skill.id for skill in core.skills}
    yield from (rule.check for rule in rules(core, every_skill) if rule.check is not None)


def _named_texts(expression: Expression, core: Core) -> Iterator[tuple[str, str]]:
    """Where in a text which words are looked for: constants, and words of limits."""
    limits: dict[str, Any] = {limit.id: limit.value for limit in core.limits}
    for part in subexpressions(expression):
        if not isinstance(part, Affix):
            continue
        value = part.text.value if isinstance(part.text, Constant) else None
        if part.text.kind == "limit_value":
            value = limits.get(part.text.limit)
        if isinstance(value, str):
            yield part.where, value
