"""JSON values against IR types: tool arguments and results at run time, defaults and fixtures when compiled.

Values are JSON data keyed by declared identifiers. A `Decimal` counts as a number, because a tool written in
Python may well return one.
"""

import json
import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, assert_never

from harness_dsl.ir.core import Core, Tool, TypeDecl
from harness_dsl.ir.decimals import exact
from harness_dsl.ir.formats import FORMATS, TIMES, has_format, is_time
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.index import index
from harness_dsl.ir.matching import found
from harness_dsl.ir.naming import Naming
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


def check_value(value: Any, type_: Type, core: Core, naming: Naming | None = None) -> str | None:
    """What is wrong with `value` as a `type_`, as one phrase that names the smallest part at fault; or None.

    `core` resolves named types. With `naming`, fields and enum values are called as a model sees them;
    without, as they are declared. An unresolved named type is a problem too, never an exception.
    """
    return _Checker(core, naming).check(value, type_, "")


def check_arguments(
    arguments: Mapping[str, Any], tool: Tool, core: Core, naming: Naming | None = None
) -> str | None:
    """What is wrong with `arguments` (by declared identifier) of a call of `tool`; None: nothing.

    An absent parameter is fine unless it is required. Parameters with a default are *not* filled in.
    """
    checker = _Checker(core, naming)
    types = {param.id: (param.type, param.required) for param in tool.params}
    return checker.check_members(arguments, types, "", "parameter")


class _Checker:
    def __init__(self, core: Core, naming: Naming | None) -> None:
        self._core = core
        self._naming = naming
        # Values inside are met again for every option of the unions around them.
        self._fitting: dict[tuple[int, int], bool] = {}

    def name(self, symbol: SemanticId) -> str:
        return leaf(symbol) if self._naming is None else self._naming.name(symbol)

    def check(self, value: Any, type_: Type, path: str) -> str | None:
        match type_:
            case NamedType():
                return self._named(value, type_, path)
            case NullableType():
                return None if value is None else self.check(value, type_.item, path)
            case ListType():
                return self._list(value, type_, path)
            case MapType():
                return self._map(value, type_, path)
            case UnionType():
                return None if self._union(value, type_) else _wrong(path, self.describe(type_), value)
            case _:
                return None if fits(value, type_) else _wrong(path, self.describe(type_), value)

    def _union(self, value: Any, type_: UnionType) -> bool:
        key = (id(value), id(type_))
        if key not in self._fitting:
            self._fitting[key] = any(self.check(value, option, "") is None for option in type_.options)
        return self._fitting[key]

    def check_members(
        self, value: Mapping[str, Any], members: Mapping[SemanticId, tuple[Type, bool]], path: str, kind: str
    ) -> str | None:
        """`members`: id → (type, required). Reports an unknown key first: it is most often a misspelt one."""
        declared = {leaf(id_): id_ for id_ in members}
        for key in value:
            if key not in declared:
                known = ", ".join(f"`{self.name(id_)}`" for id_ in members) or "none"
                return _at(path, f"unknown {kind} `{key}`, known: {known}")
        for key, id_ in declared.items():
            type_, required = members[id_]
            if key not in value:
                if required:
                    return _at(path, f"{kind} `{self.name(id_)}` is missing")
                continue
            problem = self.check(value[key], type_, f"{path}.{self.name(id_)}" if path else self.name(id_))
            if problem is not None:
                return problem
        return None

    def _named(self, value: Any, type_: NamedType, path: str) -> str | None:
        decl = declaration(type_.type, self._core)
        if decl is None:
            return _at(path, f"type `{type_.type}` is not declared")
        if decl.alias is not None:
            return self.check(value, decl.alias, path)
        if not isinstance(value, Mapping):
            return _wrong(path, f"an object ({leaf(decl.id)})", value)
        members = {field.id: (field.type, not field.optional) for field in decl.fields or ()}
        return self.check_members(value, members, path, "field")

    def _list(self, value: Any, type_: ListType, path: str) -> str | None:
        if not isinstance(value, list | tuple):
            return _wrong(path, "a list", value)
        if not _within(len(value), type_.min_length, type_.max_length):
            wanted = _range("a list of", type_.min_length, type_.max_length, "entries")
            return _at(path, f"expected {wanted}, got {len(value)}")
        for at, entry in enumerate(value):
            problem = self.check(entry, type_.item, f"{path}[{at}]")
            if problem is not None:
                return problem
        return None

    def _map(self, value: Any, type_: MapType, path: str) -> str | None:
        if not isinstance(value, Mapping):
            return _wrong(path, "an object", value)
        for key, entry in value.items():
            if not isinstance(key, str):
                return _wrong(path, "text as a key", key)
            problem = self.check(entry, type_.value, f"{path}[{_shown(key)}]")
            if problem is not None:
                return problem
        return None

    def describe(self, type_: Type) -> str:
        """`type_` in a few words, as after "expected"."""
        match type_:
            case StringType():
                what = "text" if type_.format not in FORMATS else f"text of the format `{type_.format}`"
                if type_.pattern is not None:
                    return f"{what} matching `{type_.pattern}`"
                return _range(what, type_.min_length, type_.max_length, "characters")
            case IntType():
                return _range("an integer", type_.min, type_.max)
            case DecimalType() | FloatType():
                return _range("a number", type_.min, type_.max)
            case BoolType():
                return "true or false"
            case TimeType():
                return f"{TIMES[type_.form]} (ISO 8601)"
            case AnyType():
                return "any JSON value"
            case EnumType():
                return "one of " + ", ".join(_shown(self.name(member.id)) for member in type_.members)
            case ListType():
                return "a list"
            case MapType():
                return "an object"
            case NullableType():
                return f"{self.describe(type_.item)} or null"
            case UnionType():
                return " or ".join(self.describe(option) for option in type_.options)
            case NamedType():
                decl = declaration(type_.type, self._core)
                return self.describe(decl.alias) if decl and decl.alias else f"an object ({leaf(type_.type)})"
            case _:
                assert_never(type_)


def fits(value: Any, type_: Type) -> bool:
    """Whether `value` is of the scalar `type_`; False for composite types, which `check_value` walks."""
    match type_:
        case StringType():
            if not isinstance(value, str) or not _within(len(value), type_.min_length, type_.max_length):
                return False
            fits_format = type_.format is None or has_format(value, type_.format)
            return fits_format and (type_.pattern is None or found(type_.pattern, value))
        case IntType():
            return (
                isinstance(value, int)
                and not isinstance(value, bool)
                and _within(value, type_.min, type_.max)
            )
        case DecimalType():
            return is_number(value) and _within(exact(value), type_.min, type_.max)
        case FloatType():
            return is_number(value) and _within(value, type_.min, type_.max)
        case BoolType():
            return isinstance(value, bool)
        case TimeType():
            return isinstance(value, str) and is_time(value, type_.form)
        case AnyType():
            return is_json(value)
        case EnumType():
            return isinstance(value, str) and any(value == member.value for member in type_.members)
        case _:
            return False


def is_number(value: Any) -> bool:
    """A finite number that is no boolean."""
    match value:
        case bool():
            return False
        case int():
            return True
        case float():
            return math.isfinite(value)
        case Decimal():
            return value.is_finite()
        case _:
            return False


def is_json(value: Any) -> bool:
    """JSON data: no other objects, no NaN, text keys."""
    match value:
        case None | bool() | str():
            return True
        case int() | float() | Decimal():
            return is_number(value)
        case list() | tuple():
            return all(is_json(entry) for entry in value)
        case dict():
            return all(isinstance(key, str) and is_json(entry) for key, entry in value.items())
        case _:
            return False


def declaration(type_: SemanticId, core: Core) -> TypeDecl | None:
    """The declared type with that id."""
    return index(core).types.get(type_)


def _within(value: Any, low: Any, high: Any) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def _range(what: str, low: Any, high: Any, unit: str = "") -> str:
    unit = f" {unit}" if unit else ""
    if low is None and high is None:
        return what
    if high is None:
        return f"{what} at least {low}{unit}"
    if low is None:
        return f"{what} at most {high}{unit}"
    return f"{what} from {low} to {high}{unit}" if low != high else f"{what} exactly {low}{unit}"


def _at(path: str, problem: str) -> str:
    return f"`{path}`: {problem}" if path else problem


def _wrong(path: str, expected: str, value: Any) -> str:
    return _at(path, f"expected {expected}, got {_shown(value)}")


def _shown(value: Any) -> str:
    """`value` as JSON, cut to a readable length."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:
        # Python refuses to print integers of more than 4,300 digits.
        return "a number too long to print"
    return text if len(text) <= 60 else text[:57] + "..."
