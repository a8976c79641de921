"""Validity of a Core and of a Surface, as a list of problems. An IR that a program built may hold anything.

`verify_core` is what lowering ends with; `verify_surface` is what the checker of certificates begins with.
"""

from collections.abc import Container, Iterator

from pydantic_core import PydanticSerializationError

from harness_dsl.ir.core import Core, Expectation, ExpectCall, ExpectSkill, Hook
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.index import index
from harness_dsl.ir.listing import section_order
from harness_dsl.ir.naming import symbols
from harness_dsl.ir.problems import Problem
from harness_dsl.ir.verify_expressions import Scope, expression_problems
from harness_dsl.ir.verify_ids import declared_ids, id_problems
from harness_dsl.ir.verify_surface import sanitised, verify_surface
from harness_dsl.ir.verify_texts import text_problems
from harness_dsl.ir.verify_types import type_problems, value_problems
from harness_dsl.ir.walk import predicates

__all__ = ["Problem", "sanitised", "verify_core", "verify_surface"]


def verify_core(core: Core) -> list[Problem]:
    """Everything wrong with `core`; an empty list means that it renders, runs and digests.

    Faults of ids and of types hide the rest, which relies on them. Never raises on a `Core` that loads.
    """
    for problems in (_unwritable, id_problems, type_problems, _meaning_problems):
        if found := list(problems(core)):
            return found
    return []


def _unwritable(core: Core) -> Iterator[Problem]:
    try:
        core.model_dump_json()
    except PydanticSerializationError:
        yield Problem(core.prompt.id, "a text or value has no form in JSON, such as half of a surrogate pair")


def _meaning_problems(core: Core) -> Iterator[Problem]:
    yield from value_problems(core)
    yield from text_problems(core)
    yield from _predicates(core)
    for skill in core.skills:
        yield from _unknown(skill.id, skill.uses, index(core).tools)
    for hook in core.hooks:
        yield from _hook(hook, core)
    yield from _order(core)
    yield from _tests(core)
    yield from _names(core)


def _unknown(
    owner: SemanticId, ids: tuple[SemanticId, ...], known: Container[SemanticId]
) -> Iterator[Problem]:
    for id_ in ids:
        if id_ not in known:
            yield Problem(owner, f"`{id_}` is not declared")


def _predicates(core: Core) -> Iterator[Problem]:
    hooks = {hook.id: hook for hook in core.hooks}
    asked = frozenset(leaf(param.id) for tool in core.tools for param in tool.params)
    for owner, predicate in predicates(core):
        hook = hooks.get(owner)
        about_call = hook is not None and hook.event in ("before_call", "after_call")
        arguments = asked if about_call else frozenset()
        yield from expression_problems(
            predicate,
            Scope(core, owner, prose=False, loop={}, arguments=arguments, about_call=about_call),
        )


def _hook(hook: Hook, core: Core) -> Iterator[Problem]:
    if hook.action == "require" and hook.target is None:
        yield Problem(hook.id, "`require` names nothing that it requires")
    if hook.action != "require" and hook.target is not None:
        yield Problem(hook.id, f"`{hook.action}` has a target, which only `require` takes")
    if hook.target is not None:
        known = index(core)
        named = known.tools if hook.target in known.tools else known.skills
        yield from _unknown(hook.id, (hook.target,), named)
    if hook.action in ("replace", "inject") and hook.message is None:
        yield Problem(hook.id, f"`{hook.action}` has no message")
    if hook.max < 1:
        yield Problem(hook.id, "the hook may act less than once a turn")


def _order(core: Core) -> Iterator[Problem]:
    prompt = core.prompt
    known = {section.id for section in prompt.sections}
    for constraint in prompt.order:
        named = (constraint.section,) if constraint.other is None else (constraint.section, constraint.other)
        yield from _unknown(prompt.id, named, known)
        if (constraint.relation == "before") != (constraint.other is not None):
            yield Problem(prompt.id, f"`{constraint.relation}` names the wrong number of sections")
    if list(prompt.order) != sorted(prompt.order, key=lambda c: (c.relation, c.section, c.other or "")):
        yield Problem(prompt.id, "constraints of order are not sorted")
    if section_order(core) is None:
        yield Problem(prompt.id, "no order of sections satisfies every constraint")


def _tests(core: Core) -> Iterator[Problem]:
    inputs = index(core).inputs
    for test in core.tests:
        given = [value.input for value in test.given]
        yield from _unknown(test.id, tuple(given), inputs)
        if given != sorted(set(given)):
            yield Problem(test.id, "given inputs are not sorted by id, each once")
        if not test.user:
            yield Problem(test.id, "a test has no user turn")
        for expectation in test.expect:
            yield from _expectation(test.id, expectation, core)


def _expectation(owner: SemanticId, expectation: Expectation, core: Core) -> Iterator[Problem]:
    match expectation:
        case ExpectSkill():
            yield from _unknown(owner, (expectation.skill,), index(core).skills)
        case ExpectCall():
            yield from _unknown(owner, (expectation.tool,), index(core).tools)
            names = [name for name, _ in expectation.arguments]
            if names != sorted(set(names)):
                yield Problem(owner, "expected arguments are not sorted by name, each once")
        case _:
            return


def _names(core: Core) -> Iterator[Problem]:
    shown = set(symbols(core))
    for id_, names in core.declared_names:
        yield from _unknown(id_, (id_,), shown)
        if not all(name.strip() for name in names) or len(names) != len(set(names)):
            yield Problem(id_, "declared names are empty or repeated")
    present = set(declared_ids(core))
    for moved in core.moved:
        yield from _unknown(moved.new, (moved.new,), present)
        if moved.old in present:
            yield Problem(moved.old, "a moved id is still declared")
    olds = [moved.old for moved in core.moved]
    if len(olds) != len(set(olds)):
        yield Problem(core.prompt.id, "an id has moved twice")
