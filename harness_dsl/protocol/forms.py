"""Which of several types a value is of, by its shape, its keys and the texts of its enums."""

from collections.abc import Mapping
from typing import Any, assert_never

from harness_dsl.ir.core import TypeDecl
from harness_dsl.ir.ids import SemanticId, leaf
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


class Forms:
    """Tells forms of one value, which must stay alive as long as this.

    With `reading` the value is in its shown form. Then an enum answers for its declared values too, shown or
    not, so that a stale one is refused rather than taken for free text.
    """

    def __init__(self, types: Mapping[SemanticId, TypeDecl], naming: Naming, reading: bool) -> None:
        self._types = types
        self._naming = naming
        self._reading = reading
        # Without it, nested unions would be gone through again for each option of the outer ones.
        self._known: dict[tuple[int, int, str], bool] = {}

    def whole(self, value: Any, type_: Type) -> bool:
        """Whether all of `value` has the form of `type_`. Bounds and patterns are not looked at."""
        key = (id(value), id(type_), "")
        if key not in self._known:
            self._known[key] = self._whole(value, type_)
        return self._known[key]

    def outside(self, value: Any, type_: Type) -> bool:
        """Whether `value` has the form of `type_` as far as can be seen without looking inside it."""
        match type_:
            case ListType():
                return isinstance(value, list | tuple)
            case MapType():
                return isinstance(value, dict)
            case NamedType():
                fields = self._fields(type_)
                return fields is not None and isinstance(value, dict) and value.keys() <= fields.keys()
            case _:
                return self.whole(value, type_)

    def free(self, value: Any, type_: Type, text: str) -> bool:
        """Whether `text` stands in `value` where `type_` has free text."""
        key = (id(value), id(type_), text)
        if key not in self._known:
            self._known[key] = self._free(value, type_, text)
        return self._known[key]

    def _whole(self, value: Any, type_: Type) -> bool:
        match type_:
            case StringType() | TimeType():
                return isinstance(value, str)
            case EnumType():
                return isinstance(value, str) and value in self._texts(type_)
            case BoolType():
                return isinstance(value, bool)
            case IntType() | FloatType() | DecimalType():
                return isinstance(value, int | float) and not isinstance(value, bool)
            case ListType():
                return isinstance(value, list | tuple) and all(self.whole(item, type_.item) for item in value)
            case MapType():
                return isinstance(value, dict) and all(
                    self.whole(item, type_.value) for item in value.values()
                )
            case NullableType():
                return value is None or self.whole(value, type_.item)
            case UnionType():
                return any(self.whole(value, option) for option in type_.options)
            case AnyType():
                return True
            case NamedType():
                return self._whole_named(value, type_)
            case _:
                assert_never(type_)

    def _whole_named(self, value: Any, type_: NamedType) -> bool:
        decl = self._types.get(type_.type)
        if decl is None:
            return True
        if decl.alias is not None:
            return self.whole(value, decl.alias)
        fields = self._fields(type_) or {}
        if not isinstance(value, dict) or not value.keys() <= fields.keys():
            return False
        if any(required and name not in value for name, (_, required) in fields.items()):
            return False
        return all(self.whole(item, fields[name][0]) for name, item in value.items())

    def _free(self, value: Any, type_: Type, text: str) -> bool:
        match type_:
            case StringType() | TimeType():
                return bool(value == text)
            case AnyType():
                return _holds(value, text)
            case ListType() if isinstance(value, list | tuple):
                return any(self.free(item, type_.item, text) for item in value)
            case MapType() if isinstance(value, dict):
                return any(self.free(item, type_.value, text) for item in value.values())
            case NullableType():
                return self.free(value, type_.item, text)
            case UnionType():
                return any(
                    self.whole(value, option) and self.free(value, option, text) for option in type_.options
                )
            case NamedType():
                decl = self._types.get(type_.type)
                if decl is not None and decl.alias is not None:
                    return self.free(value, decl.alias, text)
                fields = self._fields(type_) or {}
                return isinstance(value, dict) and any(
                    self.free(item, fields[name][0], text) for name, item in value.items() if name in fields
                )
            case _:
                return False

    def _fields(self, type_: NamedType) -> dict[str, tuple[Type, bool]] | None:
        """The fields of a record by name: type, and whether it must be there; None: no record."""
        decl = self._types.get(type_.type)
        if decl is None or decl.fields is None:
            return None
        name = self._naming.name if self._reading else leaf
        return {name(field.id): (field.type, not field.optional) for field in decl.fields}

    def _texts(self, type_: EnumType) -> set[str]:
        declared = {member.value for member in type_.members}
        return declared | {self._naming.name(m.id) for m in type_.members} if self._reading else declared


def _holds(value: Any, text: str) -> bool:
    match value:
        case dict():
            return any(_holds(item, text) for item in value.values())
        case list() | tuple():
            return any(_holds(item, text) for item in value)
        case _:
            return bool(value == text)
