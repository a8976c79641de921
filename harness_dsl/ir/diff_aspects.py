"""One comparable aspect of a symbol, and how a change of it is judged.

Every judge is an ultrametric: judge(x, z) is at most the maximum of judge(x, y) and judge(y, z). That is what
makes the class of a chain of edits at most the maximum of its steps; so a judge sees the two values only.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness_dsl.ir.canonical import canonical_json
from harness_dsl.ir.core import Hook
from harness_dsl.ir.diff_levels import (
    NARROWER,
    NOTHING,
    POLICY,
    SAFETY,
    SURFACE,
    WIDER,
    WORDING,
    Level,
)
from harness_dsl.ir.evaluate import json_text
from harness_dsl.ir.expressions import Binary, Expression
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.sites import Sites
from harness_dsl.ir.spelling import spell_expression, spell_template, spell_type
from harness_dsl.ir.subtyping import admits, same_values
from harness_dsl.ir.texts import Template
from harness_dsl.ir.types import Type
from harness_dsl.ir.verify_texts import mentions

Judge = Callable[[Any, Any], Level | None]

EFFECTS = ("read", "write", "irreversible")
STRENGTH = {"deny": 2, "retry": 2, "replace": 2, "require": 1, "inject": 0, "log": 0}
"""What a hook keeps from happening: everything its condition meets, what has not met its target, nothing."""

GUARDS = frozenset(action for action, strength in STRENGTH.items() if strength)


@dataclass(frozen=True)
class Aspect:
    """`judge` classifies a change between two values that differ; None: nothing changed after all."""

    value: Any
    judge: Judge
    show: Callable[[Any], str] = str


def flat(value: Any, level: Level, show: Callable[[Any], str] = json_text) -> Aspect:
    """Any change counts the same."""
    return Aspect(value, lambda old, new: level, show)


def json_aspect(value: Any, level: Level) -> Aspect:
    """JSON data, compared by canonical bytes: 1 is not true."""
    return Aspect(
        value, lambda old, new: None if canonical_json(old) == canonical_json(new) else level, json_text
    )


def relaxing(value: bool, relaxed: Level, tightened: Level, words: tuple[str, str] = ("yes", "no")) -> Aspect:
    """Something that holds: letting it go is `relaxed`. `words`: how on and off are shown."""
    return Aspect(
        value, lambda old, new: relaxed if old else tightened, lambda on: words[0] if on else words[1]
    )


def fixed(value: bool) -> Aspect:
    return relaxing(value, SAFETY, SURFACE)


def type_aspect(type_: Type) -> Aspect:
    def judge(old: Type, new: Type) -> Level:
        if same_values(old, new):
            return WORDING
        return WIDER if admits(new, old) else NARROWER

    return Aspect(type_, judge, spell_type)


def effect(value: str) -> Aspect:
    def judge(old: str, new: str) -> Level:
        relaxed = EFFECTS.index(new) > EFFECTS.index(old)
        return NARROWER.join(SAFETY if relaxed else NOTHING)

    return Aspect(value, judge)


def required(value: bool) -> Aspect:
    return Aspect(
        value, lambda old, new: NARROWER if new else WIDER, lambda on: "required" if on else "optional"
    )


def default(value: tuple[Any, ...]) -> Aspect:
    """`value` holds the default, or nothing. Another one changes what a call without the argument does."""

    def judge(old: tuple[Any, ...], new: tuple[Any, ...]) -> Level | None:
        if canonical_json(old) == canonical_json(new):
            return None
        return NARROWER if old else WIDER

    return Aspect(value, judge, lambda given: json_text(given[0]) if given else "no default")


def template(value: Template, mentioning: Level) -> Aspect:
    """Prose: reworded if it mentions the same, else `mentioning`."""

    def judge(old: Template, new: Template) -> Level:
        return WORDING if mentions(old) == mentions(new) else mentioning

    return Aspect(value, judge, lambda text: spell_template(text) or "no text")


def chosen(wording: Template | None) -> Aspect:
    """The wording that a Surface shows; None: the canonical one."""
    return flat(wording, SURFACE, lambda value: "canonical" if value is None else spell_template(value))


def predicate(value: Expression | None) -> Aspect:
    def judge(old: Expression | None, new: Expression | None) -> Level | None:
        return None if _bytes(old) == _bytes(new) else POLICY

    return Aspect(value, judge, _spelled)


def condition(hook: Hook) -> Aspect:
    """A guard is weakened unless its new condition can be seen to hold whenever the old one did."""

    def judge(old: tuple[Expression, bool], new: tuple[Expression, bool]) -> Level | None:
        if _bytes(old[0]) == _bytes(new[0]):
            return None
        return SAFETY if old[1] and new[1] and not _implies(old[0], new[0]) else POLICY

    return Aspect((hook.condition, hook.action in GUARDS), judge, lambda value: spell_expression(value[0]))


def guarded(value: str, hook: Hook) -> Aspect:
    """Something that a guard stands on: a change of it may open the guard."""

    def judge(old: tuple[str, bool], new: tuple[str, bool]) -> Level | None:
        if old[0] == new[0]:
            return None
        return SAFETY if old[1] and new[1] else POLICY

    return Aspect((value, hook.action in GUARDS), judge, lambda pair: str(pair[0]))


def action(value: str) -> Aspect:
    return Aspect(value, lambda old, new: SAFETY if STRENGTH[new] < STRENGTH[old] else POLICY)


def of_action(value: str, hook: Hook, level: Level) -> Aspect:
    """What an action takes; under another action it is part of that change, which is judged itself."""

    def judge(old: tuple[str, str], new: tuple[str, str]) -> Level | None:
        return None if old[0] == new[0] or old[1] != new[1] else level

    return Aspect((value, hook.action), judge, lambda pair: str(pair[0]))


def order(ids: tuple[SemanticId, ...], level: Level) -> Aspect:
    """Only what stands in both lists counts; what came or went is another edit."""

    def judge(old: tuple[SemanticId, ...], new: tuple[SemanticId, ...]) -> Level | None:
        both = set(old) & set(new)
        return None if [i for i in old if i in both] == [i for i in new if i in both] else level

    return Aspect(ids, judge, lambda shown: ", ".join(shown))


def field_required(value: bool, sites: Sites) -> Aspect:
    """Becoming required narrows what is passed in; becoming optional narrows what is handed out."""

    def judge(old: tuple[bool, Sites], new: tuple[bool, Sites]) -> Level | None:
        if old[0] == new[0]:
            return None
        passed, returned = old[1].passed & new[1].passed, old[1].returned & new[1].returned
        narrower = passed if new[0] else returned
        return NARROWER if narrower else WIDER

    return Aspect((value, sites), judge, lambda pair: "required" if pair[0] else "optional")


def _bytes(expression: Expression | None) -> bytes:
    return b"" if expression is None else canonical_json(expression)


def _spelled(expression: Expression | None) -> str:
    return "no check" if expression is None else spell_expression(expression)


def _implies(old: Expression, new: Expression) -> bool:
    """Whether `new` can be seen to hold whenever `old` does: each alternative of `old` has one in `new` that
    asks for no more."""
    wanted = [_conjuncts(part) for part in _flat(new, "or")]
    return all(any(less <= _conjuncts(part) for less in wanted) for part in _flat(old, "or"))


def _conjuncts(expression: Expression) -> frozenset[bytes]:
    return frozenset(canonical_json(part) for part in _flat(expression, "and"))


def _flat(expression: Expression, operator: str) -> list[Expression]:
    if isinstance(expression, Binary) and expression.operator == operator:
        return [*_flat(expression.left, operator), *_flat(expression.right, operator)]
    return [expression]
