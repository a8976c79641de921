"""IR types in the short forms of the tool documentation, with the names a Surface shows."""

from typing import Any, assert_never

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import leaf
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
from harness_dsl.protocol.json_schema import recursive_types
from harness_dsl.protocol.json_text import dump
from harness_dsl.protocol.source_map import Writer
from harness_dsl.protocol.spelling import Spelling
from harness_dsl.protocol.values import Values


class Signatures:
    """Writes types of one Core under one Surface, in one spelling."""

    def __init__(self, core: Core, naming: Naming, values: Values, spelling: Spelling) -> None:
        self._naming = naming
        self._values = values
        self._spelling = spelling
        self._types = {decl.id: decl for decl in core.types}
        self._recursive = recursive_types(core)

    def write(self, writer: Writer, type_: Type) -> None:
        """Append `type_`: `int`, `list[str]`, `"kg" | "g"`, `{amount: float}`; recursive types by name."""
        spelling = self._spelling
        match type_:
            case StringType():
                writer.fixed(spelling.text)
            case TimeType():
                writer.fixed(spelling.times[type_.form])
            case IntType():
                writer.fixed(spelling.integer)
            case DecimalType() | FloatType():
                writer.fixed(spelling.number)
            case BoolType():
                writer.fixed(spelling.boolean)
            case AnyType():
                writer.fixed(spelling.anything)
            case EnumType():
                for index, member in enumerate(type_.members):
                    writer.fixed(' | "' if index else '"')
                    writer.add(self._naming.name(member.id), member.id, "symbol")
                    writer.fixed('"')
            case ListType():
                self._wrapped(writer, type_.item, *spelling.list)
            case MapType():
                self._wrapped(writer, type_.value, *spelling.map)
            case NullableType():
                self._wrapped(writer, type_.item, "", f" | {spelling.nothing}")
            case UnionType():
                for index, option in enumerate(type_.options):
                    writer.fixed(" | " if index else "")
                    self.write(writer, option)
            case NamedType():
                self._named(writer, type_)
            case _:
                assert_never(type_)

    def _wrapped(self, writer: Writer, type_: Type, before: str, after: str) -> None:
        writer.fixed(before)
        self.write(writer, type_)
        writer.fixed(after)

    def _named(self, writer: Writer, type_: NamedType) -> None:
        decl = self._types[type_.type]
        if decl.id in self._recursive:
            writer.fixed(leaf(decl.id))
            return
        if decl.fields is None:
            if decl.alias is not None:
                self.write(writer, decl.alias)
            return
        writer.fixed("{")
        for index, field in enumerate(self._values.members(decl.id)):
            writer.fixed(self._spelling.between_fields if index else "")
            writer.add(self._naming.name(field.id), field.id, "symbol")
            writer.fixed("?: " if field.optional else ": ")
            self.write(writer, field.type)
        writer.fixed("}")


def schema_signature(schema: Any, spelling: Spelling) -> str:
    """A JSON Schema in the same form; what the form has no words for is anything."""
    if not isinstance(schema, dict):
        return spelling.anything
    if isinstance(schema.get("enum"), list):
        return " | ".join(dump(value) for value in schema["enum"])
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list):
            return " | ".join(schema_signature(option, spelling) for option in schema[key])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(spelling.of_json(str(name)) for name in kind)
    if kind == "array" and "items" in schema:
        before, after = spelling.list
        return f"{before}{schema_signature(schema['items'], spelling)}{after}"
    return spelling.of_json(str(kind))
