"""The JSON Schema of the canonical IR: what `harnessc compile` writes, and `load_ir` reads."""

from typing import Any

from pydantic.json_schema import models_json_schema

from harness_dsl.ir.core import SCHEMA_VERSION, Core
from harness_dsl.ir.surface import Surface

_DIGEST = {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}


def ir_schema() -> dict[str, Any]:
    """JSON Schema 2020-12. What it cannot say, such as that ids lead somewhere, `verify_core` checks.

    As when it is loaded, a key with a default may be absent, and unknown keys are refused.
    """
    _, built = models_json_schema(
        [(Core, "serialization"), (Surface, "serialization")], ref_template="#/$defs/{model}"
    )
    definitions = {name: _plain(schema) for name, schema in sorted(built["$defs"].items())}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:harness-dsl:ir:{SCHEMA_VERSION}",
        "title": "A compiled harness",
        "type": "object",
        "properties": {
            "schema_version": {"const": SCHEMA_VERSION},
            "core": {"$ref": "#/$defs/Core"},
            "surface": {"$ref": "#/$defs/Surface"},
            "digests": {
                "type": "object",
                "properties": {"source": _DIGEST, "core": _DIGEST, "surface": _DIGEST},
                "required": ["source", "core", "surface"],
                "additionalProperties": False,
            },
        },
        "required": ["schema_version", "core", "surface", "digests"],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _plain(schema: Any) -> Any:
    """`schema` without what pydantic adds for itself: titles made of names, and a keyword of OpenAPI."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {
        key: {name: _plain(part) for name, part in value.items()} if key == "properties" else _plain(value)
        for key, value in schema.items()
        if key not in ("discriminator", "default") and not (key == "title" and isinstance(value, str))
    }
    if "const" in schema.get("properties", {}).get("kind", {}):
        # It tells the members of a union apart.
        plain["required"] = ["kind", *(key for key in plain.get("required", ()) if key != "kind")]
    return plain
