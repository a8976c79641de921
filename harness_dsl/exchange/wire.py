"""Argument values as a target's model writes them, against values as the Core means them.

Both are keyed by shown names. Strict mode asks for every key, so what is absent is sent as null; and a
number such as 5.0 is an integer to JSON Schema.
"""

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from harness_dsl.ir.core import Core, Tool
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.places import opened
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

Fits = Callable[[Any, Type], bool]
Members = list[tuple[SemanticId, Type, bool]]
"""(id, type, required) of each parameter or field."""


class Wire:
    """Values of one Core under one naming. `nulls`: absent members are sent as null.

    `fits`: whether a shown value, as the Core means it, is of a type.
    """

    def __init__(self, core: Core, naming: Naming, fits: Fits, nulls: bool) -> None:
        self._types = {decl.id: decl for decl in core.types}
        self._name = naming.name
        self._fits = fits
        self._nulls = nulls

    def sent(self, arguments: Mapping[str, Any], tool: Tool) -> dict[str, Any]:
        """Arguments as they are sent."""
        return self._members(arguments, _params(tool), sending=True)

    def received(self, arguments: Mapping[str, Any], tool: Tool) -> dict[str, Any]:
        """Arguments as they are meant; the inverse of `sent` but for a null that strict mode cannot say."""
        return self._members(arguments, _params(tool), sending=False)

    def _value(self, value: Any, type_: Type, sending: bool) -> Any:
        match type_:
            case StringType() | BoolType() | TimeType() | AnyType() | EnumType():
                return value
            case DecimalType() | FloatType():
                return value
            case IntType():
                return int(value) if isinstance(value, float) and value.is_integer() else value
            case NullableType():
                return None if value is None else self._value(value, type_.item, sending)
            case ListType():
                if not isinstance(value, list | tuple):
                    return value
                return [self._value(item, type_.item, sending) for item in value]
            case MapType():
                if not isinstance(value, Mapping):
                    return value
                return {key: self._value(item, type_.value, sending) for key, item in value.items()}
            case UnionType():
                return self._union(value, type_, sending)
            case NamedType():
                return self._named(value, type_, sending)
            case _:
                assert_never(type_)

    def _union(self, value: Any, type_: UnionType, sending: bool) -> Any:
        """By the first option whose value it is, before it is sent or after it is received."""
        for option in opened(type_, self._types):
            changed = self._value(value, option, sending)
            if self._fits(value if sending else changed, option):
                return changed
        return value

    def _named(self, value: Any, type_: NamedType, sending: bool) -> Any:
        decl = self._types.get(type_.type)
        if decl is None:
            return value
        if decl.alias is not None:
            return self._value(value, decl.alias, sending)
        if not isinstance(value, Mapping):
            return value
        fields = [(field.id, field.type, not field.optional) for field in decl.fields or ()]
        return self._members(value, fields, sending)

    def _members(self, value: Mapping[str, Any], members: Members, sending: bool) -> dict[str, Any]:
        known = {self._name(id_): (type_, required) for id_, type_, required in members}
        result: dict[str, Any] = {}
        for key, item in value.items():
            if key not in known:
                result[key] = item
                continue
            type_, required = known[key]
            if self._nulls and not sending and item is None and not required:
                continue
            result[key] = self._value(item, type_, sending)
        if self._nulls and sending:
            result |= {
                key: None for key, (_, required) in known.items() if not required and key not in result
            }
        return result


def _params(tool: Tool) -> Members:
    return [(param.id, param.type, param.required) for param in tool.params]
