"""IR types as JSON Schema 2020-12 (https://json-schema.org/draft/2020-12), with the names a Surface shows.

Records are inlined; a recursive one stands under `$defs` and is referred to by `$ref`. Decimals are numbers:
exactness is a matter of the value, which is checked against the IR type.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, assert_never

from harness_dsl.ir.core import Core, Param, Tool, TypeDecl
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Text
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
from harness_dsl.protocol.source_map import Rendered, Sourced, SourcedProse
from harness_dsl.protocol.values import Values, ordered

Schema = dict[str, Any]
Describe = Callable[[Text], Rendered]

_FORMATS = {"date": "date", "time": "time", "datetime": "date-time"}


class JsonSchemas:
    """Schemas of one Core under one Surface. `describe` gives the shown wording of a description.

    Every name in a schema is a `Sourced`, every description a `SourcedProse`.
    """

    def __init__(
        self, core: Core, surface: Surface, naming: Naming, values: Values, describe: Describe
    ) -> None:
        self._surface = surface
        self._naming = naming
        self._values = values
        self._describe = describe
        self._types = {decl.id: decl for decl in core.types}
        self._recursive = recursive_types(core)

    def parameters(self, tool: Tool) -> Schema:
        """The schema of a tool's arguments, an object."""
        params = {param.id: param for param in tool.params}
        order = ordered(self._surface, tool.id, tuple(params))
        properties: Schema = {}
        for id_ in order:
            properties[self._name(id_)] = self.parameter(params[id_])
        required = [self._name(id_) for id_ in order if params[id_].required]
        return self._with_definitions({"type": "object", "properties": properties, "required": required})

    def parameter(self, param: Param) -> Schema:
        """The schema of one argument; recursive types are referred to and not defined."""
        schema = self._described(self._type(param.type), param.description)
        if param.has_default and param.id not in self._surface.unsaid:
            schema = {**schema, "default": self._values.show(param.default, param.type)}
        return schema

    def type(self, type_: Type) -> Schema:
        """The schema of a value of `type_`."""
        return self._with_definitions(self._type(type_))

    def _type(self, type_: Type) -> Schema:
        match type_:
            case StringType():
                return _only(
                    type="string",
                    minLength=type_.min_length,
                    maxLength=type_.max_length,
                    pattern=type_.pattern,
                    format=type_.format,
                )
            case IntType():
                return _only(type="integer", minimum=type_.min, maximum=type_.max)
            case DecimalType() | FloatType():
                return _only(type="number", minimum=_number(type_.min), maximum=_number(type_.max))
            case BoolType():
                return {"type": "boolean"}
            case TimeType():
                return {"type": "string", "format": _FORMATS[type_.form]}
            case AnyType():
                return {}
            case EnumType():
                return {"type": "string", "enum": [self._name(member.id) for member in type_.members]}
            case ListType():
                return _only(
                    type="array",
                    items=self._type(type_.item),
                    minItems=type_.min_length,
                    maxItems=type_.max_length,
                )
            case MapType():
                return {"type": "object", "additionalProperties": self._type(type_.value)}
            case NullableType():
                return {"anyOf": [self._type(type_.item), {"type": "null"}]}
            case UnionType():
                return {"anyOf": [self._type(option) for option in type_.options]}
            case NamedType():
                return self._named(type_.type)
            case _:
                assert_never(type_)

    def _named(self, id_: SemanticId) -> Schema:
        if id_ in self._recursive:
            return {"$ref": f"#/$defs/{_pointer(leaf(id_))}"}
        return self._declared(self._types[id_])

    def _declared(self, decl: TypeDecl) -> Schema:
        if decl.fields is None:
            schema = {} if decl.alias is None else self._type(decl.alias)
            return self._described(schema, decl.description)
        members = self._values.members(decl.id)
        schema = {
            "type": "object",
            "properties": {
                self._name(field.id): self._described(self._type(field.type), field.description)
                for field in members
            },
            "required": [self._name(field.id) for field in members if not field.optional],
        }
        return self._described(schema, decl.description)

    def _name(self, symbol: SemanticId) -> Sourced:
        return Sourced(self._naming.name(symbol), symbol, "symbol")

    def _described(self, schema: Schema, description: Text | None) -> Schema:
        if description is None:
            return schema
        return {**schema, "description": SourcedProse(self._describe(description))}

    def _with_definitions(self, schema: Schema) -> Schema:
        """`schema` with `$defs` of every recursive type it refers to, also through other definitions."""
        definitions: Schema = {}
        names = {f"#/$defs/{_pointer(leaf(id_))}": id_ for id_ in self._recursive}
        waiting = _references(schema)
        while waiting:
            reference = waiting.pop()
            id_ = names[reference]
            if leaf(id_) in definitions:
                continue
            definitions[leaf(id_)] = self._declared(self._types[id_])
            waiting += _references(definitions[leaf(id_)])
        return {**schema, "$defs": dict(sorted(definitions.items()))} if definitions else schema


@remembered
def recursive_types(core: Core) -> frozenset[SemanticId]:
    """Declared types that contain themselves."""
    direct = {decl.id: {id_ for type_ in _inner(decl) for id_ in named_in(type_)} for decl in core.types}
    return frozenset(id_ for id_ in direct if id_ in _reachable(direct, direct[id_]))


def named_in(type_: Type) -> set[SemanticId]:
    """Declared types that `type_` mentions, without looking into them."""
    match type_:
        case NamedType():
            return {type_.type}
        case ListType() | NullableType():
            return named_in(type_.item)
        case MapType():
            return named_in(type_.value)
        case UnionType():
            return {id_ for option in type_.options for id_ in named_in(option)}
        case _:
            return set()


def _inner(decl: TypeDecl) -> list[Type]:
    return [field.type for field in decl.fields or ()] + ([decl.alias] if decl.alias else [])


def _reachable(direct: dict[SemanticId, set[SemanticId]], start: set[SemanticId]) -> set[SemanticId]:
    found: set[SemanticId] = set()
    waiting = list(start)
    while waiting:
        id_ = waiting.pop()
        if id_ not in found:
            found.add(id_)
            waiting += direct.get(id_, ())
    return found


def _references(schema: Any) -> list[str]:
    if isinstance(schema, dict):
        own = [schema["$ref"]] if isinstance(schema.get("$ref"), str) else []
        return own + [ref for value in schema.values() for ref in _references(value)]
    if isinstance(schema, list):
        return [ref for value in schema for ref in _references(value)]
    return []


def _only(**entries: Any) -> Schema:
    return {key: value for key, value in entries.items() if value is not None}


def _number(value: Decimal | float | None) -> int | float | None:
    if value is None:
        return None
    return int(value) if value == int(value) else float(value)


def _pointer(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
