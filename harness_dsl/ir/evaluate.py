"""One evaluator for rule predicates, hook conditions, expectations and template values.

It is total: every expression has a value under every `Facts`. What is absent is null; a comparison of
things that cannot be compared is false; numbers are compared as exact decimals, a float by its shortest
decimal form.
"""

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, assert_never

from harness_dsl.ir.decimals import exact, plain
from harness_dsl.ir.expressions import (
    Affix,
    Argument,
    Binary,
    Called,
    Calling,
    Constant,
    Every,
    Expression,
    Extract,
    Filter,
    InputValue,
    LimitValue,
    Loaded,
    LoopValue,
    Matches,
    Measure,
    Not,
    Reply,
    Results,
)
from harness_dsl.ir.facts import CallFact, Facts, LimitValues, last_turn, limit_values
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.matching import found
from harness_dsl.ir.quantities import numbers, prices
from harness_dsl.ir.values import is_number

__all__ = [
    "CallFact",
    "Facts",
    "LimitValues",
    "evaluate",
    "last_turn",
    "limit_values",
    "same",
    "text_of",
    "truth",
]


def evaluate(expression: Expression, facts: Facts) -> Any:
    """The value of `expression`: bool, int, Decimal, str, None, list or dict. Never raises.

    Predicates give a bool: `not`, `and`, `or`, comparisons, `matches`, `called`, `calling`, `loaded`,
    `every`.
    """
    match expression:
        case Constant():
            return expression.value
        case InputValue():
            return _at(facts.inputs.get(leaf(expression.input)), expression.path)
        case LimitValue():
            return facts.limits.get(expression.limit)
        case LoopValue():
            return _at(facts.loop.get(expression.name), expression.path)
        case Reply():
            return facts.reply or ""
        case Argument():
            argument = None if facts.call is None else facts.call.arguments.get(expression.name)
            return _at(argument, expression.path)
        case Results():
            found_calls = (call for call in facts.calls if call.tool == expression.tool and call.succeeded)
            return [value for call in found_calls for value in _spread(call.value, expression.path)]
        case Called():
            return any(call.tool == expression.tool and call.carried_out for call in facts.calls)
        case Calling():
            return facts.call is not None and facts.call.tool == expression.tool
        case Loaded():
            return expression.skill in facts.loaded
        case Not():
            return not truth(evaluate(expression.operand, facts))
        case Measure() | Extract() | Matches() | Filter():
            return _of_one(expression, evaluate(expression.subject, facts))
        case Every():
            return _every(evaluate(expression.subject, facts), evaluate(expression.within, facts))
        case Affix():
            return _affix(
                expression.where, evaluate(expression.subject, facts), evaluate(expression.text, facts)
            )
        case Binary():
            return _binary(expression, facts)
        case _:
            assert_never(expression)


def truth(value: Any) -> bool:
    """Whether `value` holds as a condition: false are false, null, zero, and empty texts, lists and maps."""
    return bool(value)


def same(left: Any, right: Any) -> bool:
    """Equality of values: numbers by amount, booleans only with booleans, lists and maps part by part."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if is_number(left) and is_number(right):
        return exact(left) == exact(right)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    # A comparison with a signalling NaN would raise.
    return type(left) is type(right) and not isinstance(left, Decimal) and left == right


def text_of(value: Any) -> str:
    """`value` as printed in prose: texts as they are, numbers without exponent, the rest as compact JSON."""
    if isinstance(value, str):
        return value
    return plain(exact(value)) if is_number(value) else json_text(value)


def json_text(value: Any) -> str:
    """`value` as compact JSON text, not escaped beyond need. Decimals are numbers."""
    match value:
        case Mapping():
            pairs = (
                f"{json.dumps(str(key), ensure_ascii=False)}: {json_text(entry)}"
                for key, entry in value.items()
            )
            return "{" + ", ".join(pairs) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(json_text, value)) + "]"
        case bool() | None | str():
            return json.dumps(value, ensure_ascii=False)
        case _ if is_number(value):
            return plain(exact(value))
        case _:
            return json.dumps(str(value), ensure_ascii=False)


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def _spread(value: Any, path: tuple[str, ...]) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for entry in value:
            yield from _spread(entry, path)
    elif not path:
        yield value
    elif isinstance(value, Mapping) and path[0] in value:
        yield from _spread(value[path[0]], path[1:])


def _of_one(expression: Measure | Extract | Matches | Filter, subject: Any) -> Any:
    match expression:
        case Measure(function="chars"):
            return len(subject) if isinstance(subject, str) else 0
        case Measure():
            return len(subject) if isinstance(subject, list | tuple | Mapping) else 0
        case Extract(function="price"):
            return prices(subject) if isinstance(subject, str) else []
        case Extract():
            return numbers(subject) if isinstance(subject, str) else []
        case Matches():
            return isinstance(subject, str) and _found(expression.pattern, subject)
        case Filter():
            return _filtered(expression, subject)
        case _:
            assert_never(expression)


def _found(pattern: str, text: str) -> bool:
    try:
        return found(pattern, text)
    except re.error:
        return False


def _every(subject: Any, within: Any) -> bool:
    wanted = subject if isinstance(subject, list | tuple) else [subject]
    allowed = within if isinstance(within, list | tuple) else [within]
    return all(any(same(one, other) for other in allowed) for one in wanted)


def _affix(where: str, subject: Any, part: Any) -> bool:
    if where == "inside" and isinstance(subject, list | tuple):
        return any(same(part, entry) for entry in subject)
    if not isinstance(subject, str) or not isinstance(part, str):
        return False
    match where:
        case "start":
            return subject.startswith(part)
        case "end":
            return subject.endswith(part)
        case _:
            return part in subject


def _binary(expression: Binary, facts: Facts) -> bool:
    left = evaluate(expression.left, facts)
    match expression.operator:
        case "and":
            return truth(left) and truth(evaluate(expression.right, facts))
        case "or":
            return truth(left) or truth(evaluate(expression.right, facts))
        case "==":
            return same(left, evaluate(expression.right, facts))
        case "!=":
            return not same(left, evaluate(expression.right, facts))
        case "in":
            return _member(left, evaluate(expression.right, facts))
        case _:
            return _ordered(expression.operator, left, evaluate(expression.right, facts))


def _member(value: Any, container: Any) -> bool:
    match container:
        case list() | tuple():
            return any(same(value, entry) for entry in container)
        case str() | Mapping():
            return isinstance(value, str) and value in container
        case _:
            return False


def _ordered(operator: str, left: Any, right: Any) -> bool:
    if is_number(left) and is_number(right):
        left, right = exact(left), exact(right)
    elif not (isinstance(left, str) and isinstance(right, str)):
        return False
    match operator:
        case "<":
            return bool(left < right)
        case "<=":
            return bool(left <= right)
        case ">":
            return bool(left > right)
        case _:
            return bool(left >= right)


def _filtered(expression: Filter, subject: Any) -> Any:
    match expression.name:
        case "upper":
            return text_of(subject).upper()
        case "lower":
            return text_of(subject).lower()
        case "trim":
            return text_of(subject).strip()
        case "length":
            return len(subject) if isinstance(subject, str | list | tuple | Mapping) else 0
        case "join":
            entries = subject if isinstance(subject, list | tuple) else [subject]
            return (expression.argument or "").join(map(text_of, entries))
        case "default":
            return (expression.argument or "") if subject is None else subject
        case "json":
            return json_text(subject)
        case _:
            assert_never(expression.name)
