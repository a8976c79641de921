"""The words of JSON Schema and of its relatives in real tool lists."""

from typing import Any

TYPES = {
    "string": "string",
    "str": "string",
    "integer": "integer",
    "int": "integer",
    "number": "number",
    "float": "number",
    "double": "number",
    "boolean": "boolean",
    "bool": "boolean",
    "array": "array",
    "list": "array",
    "tuple": "array",
    "object": "object",
    "dict": "object",
    "null": "null",
    "none": "null",
    "any": "any",
    "": "any",
}
"""What the names of types in real data mean, in lower case."""

SILENT = frozenset(
    {"type", "description", "enum", "const", "default", "properties", "required", "additionalProperties",
     "items", "anyOf", "oneOf", "allOf", "$ref", "$defs", "definitions", "nullable", "format", "pattern",
     "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
     "minItems", "maxItems", "prefixItems", "patternProperties", "optional", "$schema", "$id", "name", "desc"}
)  # fmt: skip
"""Keywords that the reader answers for, each where it has a meaning."""

BELONGS = {
    "pattern": "string",
    "minLength": "string",
    "maxLength": "string",
    "minimum": "number",
    "maximum": "number",
    "exclusiveMinimum": "number",
    "exclusiveMaximum": "number",
    "items": "array",
    "prefixItems": "array",
    "minItems": "array",
    "maxItems": "array",
    "properties": "object",
    "required": "object",
    "patternProperties": "object",
    "additionalProperties": "object",
}
"""The type that a keyword constrains."""


def type_names(schema: dict[str, Any]) -> tuple[list[str], list[Any]]:
    """The types that `schema` names or, where it names none, means; and the names nobody knows."""
    given = schema.get("type")
    names = given if isinstance(given, list) else [given] if "type" in schema and given is not None else []
    known, unknown = [], []
    for name in names:
        meant = TYPES.get(name.lower().strip()) if isinstance(name, str) else None
        if meant is None:
            unknown.append(name)
        elif meant not in known:
            known.append(meant)
    if not names:
        for keyword, type_ in BELONGS.items():
            if keyword in schema and type_ not in known:
                known.append(type_)
    return known, unknown


def is_of(value: Any, type_: str) -> bool:
    """Whether a JSON value is of the type with that name."""
    match type_:
        case "string":
            return isinstance(value, str)
        case "integer" | "number":
            number = isinstance(value, int | float) and not isinstance(value, bool)
            return number and (type_ == "number" or float(value).is_integer())
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case "array":
            return isinstance(value, list)
        case _:
            return isinstance(value, dict)
