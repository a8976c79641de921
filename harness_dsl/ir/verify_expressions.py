"""Expressions: every name resolves, every path stays on its type, operands are of a kind that can hold."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import assert_never

from harness_dsl.ir.core import Core
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
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.index import index
from harness_dsl.ir.matching import compiled
from harness_dsl.ir.problems import Problem
from harness_dsl.ir.types import (
    AnyType,
    BoolType,
    DecimalType,
    IntType,
    ListType,
    MapType,
    NamedType,
    NullableType,
    StringType,
    Type,
    UnionType,
)
from harness_dsl.ir.values import declaration
from harness_dsl.ir.walk import operands, subexpressions

ANY = AnyType()
MAX_INTEGER = 2**53 - 1
"""Integers of the IR are JSON numbers that every reader keeps exact (RFC 8785, section 3.2.2.3)."""

_NOT_IN_PROSE = (Reply, Argument, Results, Called, Calling, Loaded)


@dataclass(frozen=True)
class Scope:
    """Where an expression stands: in prose, or in a predicate of `owner`.

    `loop`: types of the variables in scope. `arguments`: names of arguments that may be asked for.
    `about_call`: whether a call is looked at.
    """

    core: Core
    owner: SemanticId
    prose: bool
    loop: Mapping[str, Type]
    arguments: frozenset[str] = frozenset()
    about_call: bool = False


def expression_problems(expression: Expression, scope: Scope) -> Iterator[Problem]:
    """Everything wrong with `expression`, each with the id of the owner."""
    for part in subexpressions(expression):
        message = _name_fault(part, scope) or _operand_fault(part, scope)
        if message is not None:
            yield Problem(scope.owner, message)


def type_of(expression: Expression, scope: Scope) -> Type:
    """The type of `expression`; `any` where it can't be told or a name does not resolve."""
    match expression:
        case Constant():
            return _constant(expression)
        case InputValue():
            declared = index(scope.core).inputs.get(expression.input)
            return follow(declared.type if declared else ANY, expression.path, scope.core) or ANY
        case LimitValue():
            limit = index(scope.core).limits.get(expression.limit)
            return ANY if limit is None else StringType() if isinstance(limit.value, str) else DecimalType()
        case LoopValue():
            return follow(scope.loop.get(expression.name, ANY), expression.path, scope.core) or ANY
        case Argument():
            return ANY
        case Reply():
            return StringType()
        case Results():
            return ListType(item=ANY)
        case Measure():
            return IntType()
        case Extract():
            return ListType(item=DecimalType())
        case Filter():
            return _filtered(expression, scope)
        case Called() | Calling() | Loaded() | Every() | Matches() | Affix() | Not() | Binary():
            return BoolType()
        case _:
            assert_never(expression)


def follow(type_: Type, path: tuple[str, ...], core: Core, spread: bool = False) -> Type | None:
    """The type at the end of `path` through record fields, maps and null; through lists too if `spread`.

    None: there is no such field.
    """
    for key in path:
        inner = _member(resolved(type_, core), key, core, spread)
        if inner is None:
            return None
        type_ = inner
    return type_


def resolved(type_: Type, core: Core) -> Type:
    """`type_` behind aliases and null; a record stays a named type. `any` if it does not resolve."""
    for _ in range(len(core.types) + 1):
        match type_:
            case NullableType():
                type_ = type_.item
            case NamedType():
                decl = declaration(type_.type, core)
                if decl is None:
                    return ANY
                if decl.alias is None:
                    return type_
                type_ = decl.alias
            case _:
                return type_
    return ANY


def _member(type_: Type, key: str, core: Core, spread: bool) -> Type | None:
    match type_:
        case AnyType() | UnionType():
            return ANY
        case MapType():
            return type_.value
        case ListType() if spread:
            return _member(resolved(type_.item, core), key, core, spread)
        case NamedType():
            decl = declaration(type_.type, core)
            fields = decl.fields or () if decl else ()
            return next((field.type for field in fields if leaf(field.id) == key), None)
        case _:
            return None


def _constant(constant: Constant) -> Type:
    match constant.value:
        case bool():
            return BoolType()
        case int() | Decimal():
            return DecimalType()
        case str():
            return StringType()
        case None:
            return NullableType(item=ANY)
        case _:
            assert_never(constant.value)


def _filtered(expression: Filter, scope: Scope) -> Type:
    match expression.name:
        case "length":
            return IntType()
        case "default":
            return type_of(expression.subject, scope)
        case "upper" | "lower" | "trim" | "join" | "json":
            return StringType()
        case _:
            assert_never(expression.name)


def _name_fault(expression: Expression, scope: Scope) -> str | None:
    """What `expression` itself names that is not there."""
    core, known = scope.core, index(scope.core)
    if scope.prose and isinstance(expression, _NOT_IN_PROSE):
        return f"`{expression.kind}` has no value in prose"
    match expression:
        case InputValue():
            declared = known.inputs.get(expression.input)
            return _missing(expression.input, declared.type if declared else None, expression.path, core)
        case LimitValue():
            return None if expression.limit in known.limits else _unknown(expression.limit)
        case LoopValue():
            return _missing(
                f"loop variable {expression.name}", scope.loop.get(expression.name), expression.path, core
            )
        case Argument():
            return _argument_fault(expression, scope)
        case Results():
            tool = known.tools.get(expression.tool)
            return _missing(
                expression.tool, tool.returns if tool else None, expression.path, core, spread=True
            )
        case Calling() if not scope.about_call:
            return "`calling` has no value where no call is looked at"
        case Called() | Calling():
            return None if expression.tool in known.tools else _unknown(expression.tool)
        case Loaded():
            return None if expression.skill in known.skills else _unknown(expression.skill)
        case Matches():
            return pattern_fault(expression.pattern)
        case Constant(value=int() as value) if abs(value) > MAX_INTEGER:
            return f"integer {value} is beyond 2^53 - 1"
        case _:
            return None


def _argument_fault(expression: Argument, scope: Scope) -> str | None:
    """An argument may be of any tool: one that has such a parameter, with what the path names, is enough."""
    if expression.name not in scope.arguments:
        return _unknown(f"argument {expression.name}")
    types = [
        param.type for tool in scope.core.tools for param in tool.params if leaf(param.id) == expression.name
    ]
    if not expression.path or any(follow(type_, expression.path, scope.core) for type_ in types):
        return None
    return _unknown(f"argument {'.'.join((expression.name, *expression.path))}")


def pattern_fault(pattern: str) -> str | None:
    """Why `pattern` is no regular expression; None: it is one."""
    try:
        compiled(pattern)
    except re.error as error:
        return f"pattern `{pattern}` does not compile: {error}"
    return None


def _missing(
    what: str, type_: Type | None, path: tuple[str, ...], core: Core, spread: bool = False
) -> str | None:
    if type_ is None:
        return _unknown(what)
    return f"`{what}` has no `{'.'.join(path)}`" if follow(type_, path, core, spread) is None else None


def _unknown(what: str) -> str:
    return f"`{what}` is not declared"


def _operand_fault(expression: Expression, scope: Scope) -> str | None:
    """An operand whose kind makes `expression` false or empty whatever happens."""
    kinds = [kind(type_of(operand, scope), scope.core) for operand in operands(expression)]
    match expression:
        case Measure(function="chars") | Extract() | Matches():
            return _unless(kinds[0] in ("text", "any"), expression, kinds)
        case Measure():
            return _unless(kinds[0] in ("list", "map", "any"), expression, kinds)
        case Affix(where="inside"):
            return _unless(kinds[0] in ("text", "list", "any"), expression, kinds)
        case Affix():
            return _unless(set(kinds) <= {"text", "any"}, expression, kinds)
        case Binary(operator="<" | "<=" | ">" | ">="):
            known = set(kinds) - {"any"}
            return _unless(len(known) < 2 and known <= {"text", "number"}, expression, kinds)
        case Binary(operator="in"):
            return _unless(kinds[1] in ("list", "text", "map", "any"), expression, kinds)
        case _:
            return None


def _unless(holds: bool, expression: Expression, kinds: list[str]) -> str | None:
    return None if holds else f"`{expression.kind}` can't be asked of {' and '.join(kinds)}"


def kind(type_: Type, core: Core) -> str:
    """What operators tell apart: text, number, bool, list, map, record; `any` where it can't be told."""
    match resolved(type_, core):
        case StringType():
            return "text"
        case BoolType():
            return "bool"
        case ListType():
            return "list"
        case MapType():
            return "map"
        case NamedType():
            return "record"
        case AnyType() | UnionType() | NullableType():
            return "any"
        case other:
            return {"enum": "text", "time": "text"}.get(other.kind, "number")
