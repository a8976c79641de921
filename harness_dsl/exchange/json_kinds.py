"""What JSON the values of a type are, by the words of JSON Schema."""

from collections.abc import Iterable
from typing import assert_never

from harness_dsl.exchange.draft import Declared
from harness_dsl.ir.ids import leaf
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


def json_kinds(type_: Type, types: Iterable[Declared], inside: tuple[str, ...] = ()) -> set[str]:
    """The JSON types of the values of `type_`; "any" where they are not known. `inside`: the names of types
    that are being opened.
    """
    match type_:
        case StringType() | TimeType() | EnumType():
            return {"string"}
        case IntType():
            return {"integer"}
        case DecimalType() | FloatType():
            return {"number"}
        case BoolType():
            return {"boolean"}
        case ListType():
            return {"array"}
        case MapType():
            return {"object"}
        case AnyType():
            return {"any"}
        case NullableType():
            return {"null"} | json_kinds(type_.item, types, inside)
        case UnionType():
            return {kind for option in type_.options for kind in json_kinds(option, types, inside)}
        case NamedType():
            decl = next(decl for decl in types if decl.name == leaf(type_.type))
            if decl.name in inside or (decl.fields is None and decl.alias is None):
                return {"any"}
            if decl.alias is None:
                return {"object"}
            return json_kinds(decl.alias, types, (*inside, decl.name))
        case _:
            assert_never(type_)
