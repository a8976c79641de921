"""The JSON Schema of the canonical IR: what `harnessc compile` writes, and `load_ir` reads."""

from typing import Any, get_args

from pydantic.json_schema import models_json_schema

from harness_dsl.ir.core import SCHEMA_VERSION, Content, Core, Expectation, Implementation
from harness_dsl.ir.expressions import Expression
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Part
from harness_dsl.ir.types import Type

_DIGEST = {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}
_UNIONS = {
    "Content": Content,
    "Expectation": Expectation,
    "Expression": Expression,
    "Implementation": Implementation,
    "Part": Part,
    "Type": Type,
}
"""Unions that stand in many places, under the names that they have here."""


def ir_schema() -> dict[str, Any]:
    """JSON Schema 2020-12. What it cannot say, such as that ids lead somewhere, `verify_core` checks.

    As when it is loaded, a key with a default may be absent, and unknown keys are refused.
    """
    _, built = models_json_schema(
        [(Core, "serialization"), (Surface, "serialization")], ref_template="#/$defs/{model}"
    )
    writer = _Writer(built["$defs"])
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
        "$defs": writer.definitions(),
    }


class _Writer:
    """Rewrites the definitions that pydantic makes, so that an error in a union points at what is wrong."""

    def __init__(self, definitions: dict[str, Any]) -> None:
        self._definitions = definitions
        self._names = {
            tuple(f"#/$defs/{option.__name__}" for option in get_args(get_args(union)[0])): name
            for name, union in _UNIONS.items()
        }

    def definitions(self) -> dict[str, Any]:
        """Everything under `$defs`, sorted."""
        found = {name: self._plain(schema) for name, schema in self._definitions.items()}
        found |= {name: self._union(references) for references, name in self._names.items()}
        return dict(sorted(found.items()))

    def _plain(self, schema: Any) -> Any:
        """`schema` without titles made of names, defaults, and a keyword of OpenAPI."""
        if isinstance(schema, list):
            return [self._plain(part) for part in schema]
        if not isinstance(schema, dict):
            return schema
        plain: dict[str, Any] = {}
        for key, value in schema.items():
            if key == "properties":
                plain[key] = {name: self._plain(part) for name, part in value.items()}
            elif key == "oneOf":
                references = tuple(option["$ref"] for option in value)
                name = self._names.get(references)
                plain |= {"$ref": f"#/$defs/{name}"} if name else self._union(references)
            elif key not in ("discriminator", "default") and not (key == "title" and isinstance(value, str)):
                plain[key] = self._plain(value)
        if "const" in schema.get("properties", {}).get("kind", {}):
            plain["required"] = ["kind", *(key for key in plain.get("required", ()) if key != "kind")]
        return plain

    def _union(self, references: tuple[str, ...]) -> dict[str, Any]:
        """One of several nodes, told apart by `kind`: only the one meant is looked into."""
        kinds = {self._kind(reference): reference for reference in references}
        return {
            "type": "object",
            "properties": {"kind": {"enum": list(kinds)}},
            "required": ["kind"],
            "allOf": [
                {"if": {"properties": {"kind": {"const": kind}}}, "then": {"$ref": reference}}
                for kind, reference in kinds.items()
            ],
        }

    def _kind(self, reference: str) -> str:
        kind: str = self._definitions[reference.rsplit("/", 1)[-1]]["properties"]["kind"]["const"]
        return kind
