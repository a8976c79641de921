"""Templates to text, piece by piece with its source. What a value prints is never parsed again."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple, assert_never

from harness_dsl.ir.evaluate import evaluate, text_of, truth
from harness_dsl.ir.expressions import InputValue, LimitValue
from harness_dsl.ir.facts import Facts, LimitValues
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.texts import For, If, Interpolation, Literally, Part, Reference, Template
from harness_dsl.ir.walk import subexpressions


class Piece(NamedTuple):
    """`source`: the symbol, limit or input the text comes from; None: the author's words, or a constant.

    kind "text": the author's words; "symbol": the shown name of `source`, or the value of a limit referred
    to; "value": a run-time value.
    """

    text: str
    source: SemanticId | None
    kind: Literal["text", "symbol", "value"]


def render_template(
    template: Template,
    naming: Naming,
    inputs: Mapping[str, Any],
    limits: LimitValues,
    loop: Mapping[str, Any] | None = None,
) -> list[Piece]:
    """`template` under the names of `naming`, without empty pieces.

    `inputs` are JSON values by declared identifier, `limits` values by id (`facts.limit_values`). Total, as
    `evaluate` is: a value that is absent prints `null`.
    """
    facts = Facts(inputs=inputs, limits=limits, loop=loop or {})
    return [piece for piece in _pieces(template, naming, facts) if piece.text]


def _pieces(template: Template, naming: Naming, facts: Facts) -> Iterator[Piece]:
    for part in template:
        yield from _piece(part, naming, facts)


def _piece(part: Part, naming: Naming, facts: Facts) -> Iterator[Piece]:
    match part:
        case Literally():
            yield Piece(part.text, None, "text")
        case Reference():
            limit = facts.limits.get(part.target)
            yield Piece(naming.name(part.target) if limit is None else text_of(limit), part.target, "symbol")
        case Interpolation():
            yield Piece(text_of(evaluate(part.value, facts)), _source(part), "value")
        case If():
            chosen = part.then if truth(evaluate(part.condition, facts)) else part.otherwise
            yield from _pieces(chosen, naming, facts)
        case For():
            values = evaluate(part.values, facts)
            for value in values if isinstance(values, list | tuple) else ():
                yield from _pieces(
                    part.body, naming, replace(facts, loop={**facts.loop, part.variable: value})
                )
        case _:
            assert_never(part)


def _source(part: Interpolation) -> SemanticId | None:
    for inner in subexpressions(part.value):
        if isinstance(inner, InputValue):
            return inner.input
        if isinstance(inner, LimitValue):
            return inner.limit
    return None
