"""JSON Schema as OpenAI's strict mode takes it: every property required, objects closed, few keywords.

https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
"""

from collections.abc import Callable
from typing import Any

from harness_dsl.exchange.shown_tools import Unsupported, symbol_of
from harness_dsl.protocol.json_schema import Schema

FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})
DEPTH = 10
PROPERTIES = 5000
_DROPPED = ("minLength", "maxLength", "default")

Lose = Callable[[str, str], None]


class Strict:
    """Rewrites the schemas of one tool. `absent`: what null stands for, by the symbol of each member."""

    def __init__(self, symbol: str, lose: Lose) -> None:
        self._symbol = symbol
        self._lose = lose
        self._count = 0
        self.absent: dict[str, str] = {}

    def parameters(self, schema: Schema) -> Schema:
        """The whole schema. Raises `Unsupported`."""
        return self._schema(schema, self._symbol, 1)

    def _schema(self, schema: Schema, symbol: str, depth: int) -> Schema:
        if depth > DEPTH:
            raise Unsupported(symbol, f"it nests objects more than {DEPTH} deep, which strict mode refuses")
        result = self._kept(schema, symbol)
        if "$defs" in schema:
            result["$defs"] = {
                key: self._schema(part, symbol, depth) for key, part in schema["$defs"].items()
            }
        if "$ref" in schema:
            # A reference takes no keyword beside it.
            return {"anyOf": [{"$ref": schema["$ref"]}], **result} if result else {"$ref": schema["$ref"]}
        if "anyOf" in schema:
            result["anyOf"] = [self._schema(option, symbol, depth) for option in schema["anyOf"]]
        elif "type" not in schema:
            raise Unsupported(symbol, "it takes any value, which strict mode cannot say")
        elif schema["type"] == "array":
            result["items"] = self._schema(schema["items"], symbol, depth)
        elif schema["type"] == "object":
            if "properties" not in schema:
                raise Unsupported(symbol, "it is a map, and strict mode knows no free keys")
            self._members(schema, result, symbol, depth)
        return result

    def _kept(self, schema: Schema, symbol: str) -> Schema:
        """What stays as it is."""
        result: Schema = {}
        for key, value in schema.items():
            if key in _DROPPED or (key == "format" and value not in FORMATS):
                if key != "default":
                    self._lose(symbol, f"`{key}`")
            elif key not in (
                "$defs",
                "$ref",
                "anyOf",
                "items",
                "properties",
                "required",
                "additionalProperties",
            ):
                result[key] = value
        return result

    def _members(self, schema: Schema, result: Schema, symbol: str, depth: int) -> None:
        required = set(schema.get("required", ()))
        properties: Schema = {}
        for name, part in schema["properties"].items():
            self._count += 1
            if self._count > PROPERTIES:
                raise Unsupported(self._symbol, f"it has more than {PROPERTIES} properties")
            own = symbol_of(name, symbol)
            shown = self._schema(part, own, depth + 1)
            if name not in required:
                if takes_null(shown):
                    self._lose(own, "that absent and null are two things")
                shown = nullable(shown)
                self.absent[own] = _meaning(part)
            properties[name] = shown
        result["properties"] = properties
        result["required"] = list(properties)
        result["additionalProperties"] = False


def nullable(schema: Schema) -> Schema:
    """`schema`, and null; its description stays on the outside."""
    if takes_null(schema):
        return schema
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    if "enum" in schema:
        return {**schema, "type": [schema["type"], "null"], "enum": [*schema["enum"], None]}
    if "type" in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def takes_null(schema: Schema) -> bool:
    """Whether null is a value of `schema`, as this module and the IR write it."""
    type_ = schema.get("type")
    if type_ == "null" or (isinstance(type_, list) and "null" in type_):
        return True
    return any(takes_null(option) for option in schema.get("anyOf", ()))


def _meaning(schema: Schema) -> str:
    import json

    if "default" not in schema:
        return "that it is absent"
    value: Any = schema["default"]
    return json.dumps(value, ensure_ascii=False)
