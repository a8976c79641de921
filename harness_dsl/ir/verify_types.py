"""Types: they resolve, have values, their bounds can be met; values written in a Core are of their type."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, assert_never

from harness_dsl.ir.core import Core, ExpectCall, ExpectFact, Limit, Span
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.index import index
from harness_dsl.ir.problems import Problem
from harness_dsl.ir.types import (
    AnyType,
    BoolType,
    DecimalType,
    EnumType,
    FloatType,
    IntType,
    ListType,
    MapType,
    NamedType,
    NullableType,
    StringType,
    TimeType,
    Type,
    UnionType,
)
from harness_dsl.ir.values import check_value, is_json
from harness_dsl.ir.verify_expressions import MAX_INTEGER, pattern_fault
from harness_dsl.ir.walk import types


def type_problems(core: Core) -> Iterator[Problem]:
    """Faults of declared and written types."""
    declared = {decl.id for decl in core.types}
    for decl in core.types:
        if (decl.fields is None) == (decl.alias is None):
            yield Problem(decl.id, "a type is a record or an alias, one of the two")
    for owner, type_ in types(core):
        for part in _parts(type_):
            message = _type_fault(part, declared)
            if message is not None:
                yield Problem(owner, message)
    for id_ in sorted(declared - _inhabited(core)):
        yield Problem(id_, "the type has no finite value")
    aliases = {decl.id: decl.alias for decl in core.types if decl.alias is not None}
    for id_ in aliases:
        if id_ in _reached_at_once(id_, aliases):
            yield Problem(id_, "the alias stands for itself")


def _parts(type_: Type) -> Iterator[Type]:
    yield type_
    match type_:
        case ListType() | NullableType():
            yield from _parts(type_.item)
        case MapType():
            yield from _parts(type_.value)
        case UnionType():
            for option in type_.options:
                yield from _parts(option)
        case _:
            return


def _type_fault(type_: Type, declared: set[SemanticId]) -> str | None:
    match type_:
        case NamedType():
            return None if type_.type in declared else f"`{type_.type}` is not declared"
        case EnumType():
            return None if type_.members else "an enum has no values"
        case UnionType():
            return None if type_.options else "a union has no options"
        case StringType():
            pattern = None if type_.pattern is None else pattern_fault(type_.pattern)
            return pattern or _bounds(type_.min_length, type_.max_length)
        case ListType():
            return _bounds(type_.min_length, type_.max_length)
        case IntType() | DecimalType() | FloatType():
            return _bounds(type_.min, type_.max)
        case BoolType() | TimeType() | AnyType() | MapType() | NullableType():
            return None
        case _:
            assert_never(type_)


def _bounds(low: Any, high: Any) -> str | None:
    for bound in (low, high):
        if bound is not None and not is_json(bound):
            return "a bound is no finite number"
        if isinstance(bound, int) and abs(bound) > MAX_INTEGER:
            return f"integer {bound} is beyond 2^53 - 1"
    return (
        f"no value lies from {low} to {high}" if low is not None and high is not None and low > high else None
    )


def _inhabited(core: Core) -> set[SemanticId]:
    """Declared types that have a finite value: the least fixed point."""
    found: set[SemanticId] = set()
    while True:
        more = {decl.id for decl in core.types if decl.id not in found and _has_value(decl.id, core, found)}
        if not more:
            return found
        found |= more


def _has_value(id_: SemanticId, core: Core, found: set[SemanticId]) -> bool:
    decl = index(core).types[id_]
    if decl.alias is not None:
        return _fillable(decl.alias, found)
    return all(field.optional or _fillable(field.type, found) for field in decl.fields or ())


def _fillable(type_: Type, found: set[SemanticId]) -> bool:
    match type_:
        case NamedType():
            return type_.type in found
        case ListType():
            return not type_.min_length or _fillable(type_.item, found)
        case UnionType():
            return any(_fillable(option, found) for option in type_.options)
        case _:
            return True


def _reached_at_once(id_: SemanticId, aliases: dict[SemanticId, Type]) -> set[SemanticId]:
    """Types that a value of the alias `id_` is checked against before any part of it is."""
    reached: set[SemanticId] = set()
    waiting: list[Type] = [aliases[id_]]
    while waiting:
        match waiting.pop():
            case NamedType(type=name) if name not in reached:
                reached.add(name)
                waiting += [aliases[name]] if name in aliases else []
            case NullableType(item=item):
                waiting.append(item)
            case UnionType(options=options):
                waiting += options
            case _:
                pass
    return reached


def value_problems(core: Core) -> Iterator[Problem]:
    """Defaults, limits, fixtures and expectations against their types. Needs types without faults."""
    for tool in core.tools:
        for param in tool.params:
            if param.has_default:
                yield from _value(param.id, "default", param.default, param.type, core)
            if param.has_default and param.optional:
                yield Problem(param.id, "a parameter with a default is optional as well")
            if not param.has_default and param.default is not None:
                yield Problem(param.id, "a default is given but not declared")
    for limit in core.limits:
        message = _limit_fault(limit)
        if message is not None:
            yield Problem(limit.id, message)
    yield from _test_values(core)


def _value(owner: SemanticId, what: str, value: Any, type_: Type, core: Core) -> Iterator[Problem]:
    message = check_value(value, type_, core)
    if message is not None:
        yield Problem(owner, f"{what}: {message}")
    elif not _keeps(value):
        yield Problem(owner, f"{what}: not every number in it is exact in JSON")


def _keeps(value: Any) -> bool:
    """Whether `value` survives canonical JSON: no decimals, no integer beyond 2^53 - 1."""
    match value:
        case bool() | None | str() | float():
            return True
        case int():
            return abs(value) <= MAX_INTEGER
        case dict():
            return all(_keeps(entry) for entry in value.values())
        case list() | tuple():
            return all(_keeps(entry) for entry in value)
        case _:
            return False


def _limit_fault(limit: Limit) -> str | None:
    value = limit.value
    if isinstance(value, bool) or (isinstance(value, Decimal) and not value.is_finite()):
        return "a limit is a finite number or a word"
    if isinstance(value, int) and abs(value) > MAX_INTEGER:
        return f"integer {value} is beyond 2^53 - 1"
    if limit.legal is None:
        return None
    if isinstance(limit.legal, Span):
        if isinstance(value, str):
            return "a word has a legal range"
        return None if limit.legal.min <= value <= limit.legal.max else f"{value} is outside its legal range"
    return None if value in limit.legal.values else f"{value} is not among its legal values"


def _test_values(core: Core) -> Iterator[Problem]:
    inputs = {input_.id: input_.type for input_ in core.inputs}
    tools = {tool.id: {leaf(param.id): param.type for param in tool.params} for tool in core.tools}
    for test in core.tests:
        for given in test.given:
            if given.input in inputs:
                yield from _value(test.id, leaf(given.input), given.value, inputs[given.input], core)
        for expectation in test.expect:
            match expectation:
                case ExpectCall() if expectation.tool in tools:
                    params = tools[expectation.tool]
                    for name, value in expectation.arguments:
                        if name in params:
                            yield from _value(test.id, name, value, params[name], core)
                        else:
                            yield Problem(test.id, f"`{expectation.tool}` has no parameter `{name}`")
                case ExpectFact() if (expectation.fact == "text") != isinstance(expectation.value, str):
                    yield Problem(test.id, f"a {expectation.fact} is stated as {expectation.value!r}")
                case _:
                    pass
