"""Prose: references resolve, values can be printed, alternatives mention what the canonical wording does."""

from collections.abc import Iterator, Mapping
from typing import assert_never

from harness_dsl.ir.canonical import canonical_json
from harness_dsl.ir.core import Core
from harness_dsl.ir.expressions import Expression, InputValue, LoopValue
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.naming import symbols
from harness_dsl.ir.problems import Problem
from harness_dsl.ir.texts import For, If, Interpolation, Literally, Part, Reference, Template
from harness_dsl.ir.types import ListType, Type
from harness_dsl.ir.verify_expressions import ANY, Scope, expression_problems, kind, resolved, type_of
from harness_dsl.ir.walk import prompt_texts, subexpressions, texts


def text_problems(core: Core) -> Iterator[Problem]:
    """Faults of every text of `core`, in each of its wordings."""
    targets = frozenset(symbols(core)) | {limit.id for limit in core.limits}
    in_prompt = {text.id for text in prompt_texts(core)}
    for text in texts(core):
        wanted = mentions(text.canonical)
        for wording in (text.canonical, *text.alternatives):
            yield from _faults(wording, targets, Scope(core, text.id, prose=True, loop={}))
            if text.id in in_prompt and shows_untrusted(wording, core):
                yield Problem(text.id, "an untrusted input is printed in the prompt")
            if mentions(wording) != wanted:
                yield Problem(
                    text.id, "an alternative does not mention exactly what the canonical wording does"
                )


def mentions(template: Template) -> frozenset[object]:
    """What `template` refers to and prints, and under which conditions; equal for wordings that may stand for
    each other. How often and in which order something is mentioned does not count."""
    return frozenset(_mention(part) for part in template if not isinstance(part, Literally))


def _mention(part: Part) -> object:
    match part:
        case Literally():
            return ()
        case Reference():
            return ("reference", part.target)
        case Interpolation():
            return ("value", canonical_json(part.value))
        case If():
            return ("if", canonical_json(part.condition), mentions(part.then), mentions(part.otherwise))
        case For():
            return ("for", part.variable, canonical_json(part.values), mentions(part.body))
        case _:
            assert_never(part)


def _faults(template: Template, targets: frozenset[SemanticId], scope: Scope) -> Iterator[Problem]:
    for part in template:
        match part:
            case Literally():
                pass
            case Reference():
                if part.target not in targets:
                    yield Problem(scope.owner, f"reference to `{part.target}`, which has no name to print")
            case Interpolation():
                yield from expression_problems(part.value, scope)
            case If():
                yield from expression_problems(part.condition, scope)
                yield from _faults(part.then, targets, scope)
                yield from _faults(part.otherwise, targets, scope)
            case For():
                yield from expression_problems(part.values, scope)
                values = type_of(part.values, scope)
                if kind(values, scope.core) not in ("list", "any"):
                    yield Problem(scope.owner, f"`for {part.variable}` does not go through a list")
                inner = _inside(scope, part.variable, values)
                yield from _faults(part.body, targets, inner)
            case _:
                assert_never(part)


def _inside(scope: Scope, variable: str, values: Type) -> Scope:
    listed = resolved(values, scope.core)
    item = listed.item if isinstance(listed, ListType) else ANY
    return Scope(scope.core, scope.owner, scope.prose, {**scope.loop, variable: item}, scope.arguments)


def shows_untrusted(template: Template, core: Core) -> bool:
    """Whether `template` may print a value of an untrusted input. A condition on one prints nothing."""
    untrusted = {input_.id for input_ in core.inputs if input_.untrusted}
    return _shows(template, untrusted, {})


def _shows(template: Template, untrusted: set[SemanticId], loop: Mapping[str, bool]) -> bool:
    for part in template:
        match part:
            case Interpolation() if _tainted(part.value, untrusted, loop):
                return True
            case If() if _shows(part.then, untrusted, loop) or _shows(part.otherwise, untrusted, loop):
                return True
            case For() if _shows(
                part.body, untrusted, {**loop, part.variable: _tainted(part.values, untrusted, loop)}
            ):
                return True
            case _:
                pass
    return False


def _tainted(expression: Expression, untrusted: set[SemanticId], loop: Mapping[str, bool]) -> bool:
    for part in subexpressions(expression):
        if isinstance(part, InputValue) and part.input in untrusted:
            return True
        if isinstance(part, LoopValue) and loop.get(part.name, False):
            return True
    return False
