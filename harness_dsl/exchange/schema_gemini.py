"""JSON Schema as Gemini's `Schema` object (https://ai.google.dev/api/caching#Schema)."""

from harness_dsl.exchange.schema_strict import Lose, takes_null
from harness_dsl.exchange.shown_tools import Unsupported, symbol_of
from harness_dsl.protocol.json_schema import Schema

_KEPT = (
    "description",
    "enum",
    "default",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "pattern",
)


def gemini(schema: Schema, symbol: str, lose: Lose) -> Schema:
    """`schema` in the subset that Gemini takes. Raises `Unsupported`."""
    if "$ref" in schema:
        raise Unsupported(symbol, "its type contains itself, and Gemini's schemas know no references")
    options = schema.get("anyOf")
    if options is not None:
        return _options(schema, symbol, lose)
    if "type" not in schema:
        raise Unsupported(symbol, "it takes any value, which Gemini's schemas cannot say")
    result: Schema = {"type": schema["type"].upper()}
    result |= {key: schema[key] for key in _KEPT if key in schema}
    if "format" in schema:
        if schema["format"] == "date-time":
            result["format"] = "date-time"
        else:
            lose(symbol, f"the format `{schema['format']}`")
    if schema["type"] == "array":
        result["items"] = gemini(schema["items"], symbol, lose)
    elif schema["type"] == "object":
        if not schema.get("properties"):
            raise Unsupported(symbol, "it is an object without declared keys, which Gemini refuses")
        result["properties"] = {
            name: gemini(part, symbol_of(name, symbol), lose) for name, part in schema["properties"].items()
        }
        result["required"] = list(schema.get("required", ()))
        result["propertyOrdering"] = list(schema["properties"])
    return result


def _options(schema: Schema, symbol: str, lose: Lose) -> Schema:
    """A choice; null among the options becomes `nullable`."""
    options = [option for option in schema["anyOf"] if option.get("type") != "null"]
    shown = [gemini(option, symbol, lose) for option in options]
    result = shown[0] if len(shown) == 1 else {"anyOf": shown}
    if takes_null(schema):
        result = {**result, "nullable": True}
    return result | {key: schema[key] for key in ("description", "default") if key in schema}
