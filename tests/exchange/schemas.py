"""Compares two JSON Schemas by meaning, up to reported losses. Knows nothing of the importer."""

from dataclasses import dataclass, field
from typing import Any

ALIASES = {"dict": "object", "float": "number", "tuple": "array", "bool": "boolean", "int": "integer"}
BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "format")
OWN = {
    "string": ("minLength", "maxLength", "pattern", "format"),
    "integer": ("minimum", "maximum"),
    "number": ("minimum", "maximum"),
    "array": ("minItems", "maxItems"),
}
UNCERTAIN = {"enum", "const", "type", "anyOf", "prefixItems", "patternProperties", "allOf", "$ref"}
"""Where a loss here is reported, any type may stand for the schema."""


@dataclass
class Node:
    """A schema. `options`: its types, without null. `ignored`: keywords of which a loss is reported."""

    options: list[dict[str, Any]]
    null: bool = False
    text: str = ""
    ignored: set[str] = field(default_factory=set)
    wild: bool = False


Losses = dict[str, str]
"""What is lost, by JSON Pointer."""


def differences(source: Any, ours: Any, at: str, losses: Losses) -> list[str]:
    """Where `ours`, as exported, differs from `source`, which stands at the pointer `at`."""
    return list(_compare(_node(source, at, losses), _node(ours, "", {}), at, losses))


def _node(schema: Any, at: str, losses: Losses) -> Node:
    if schema is True or not isinstance(schema, dict):
        return Node([{"type": "any"}], wild=at in losses)
    ignored = {key for key in (*schema, *BOUNDS) if f"{at}/{key}" in losses}
    for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if exclusive in ignored:
            ignored.add(bound)
    node = Node(
        [], schema.get("nullable") is True, schema.get("description") or schema.get("desc") or "", ignored
    )
    node.wild = at in losses or bool(ignored & UNCERTAIN)
    keyword = next((key for key in ("anyOf", "oneOf") if schema.get(key)), None)
    if keyword is not None and "properties" not in schema:
        _options(node, schema, keyword, at, losses)
    elif "enum" in schema or "const" in schema:
        _values(node, schema.get("enum", [schema.get("const")]))
    else:
        names = schema.get("type", _meant(schema))
        for name in names if isinstance(names, list) else [names]:
            plain = ALIASES.get(str(name).lower(), str(name).lower())
            if plain == "null":
                node.null = True
            else:
                node.options.append(_plain(plain, schema, at))
    if any(option["type"] in ("any", "", "none") for option in node.options):
        node.options, node.null = [{"type": "any"}], False
    return node


def _meant(schema: dict[str, Any]) -> str:
    return "object" if "properties" in schema else "array" if "items" in schema else "any"


def _options(node: Node, schema: dict[str, Any], keyword: str, at: str, losses: Losses) -> None:
    for index, option in enumerate(schema[keyword]):
        inner = _node(option, f"{at}/{keyword}/{index}", losses)
        node.null |= inner.null
        if inner.text and len(inner.options) == 1:
            inner.options[0]["text"] = inner.text
        node.options += inner.options


def _values(node: Node, values: list[Any]) -> None:
    node.null |= None in values
    words = list(dict.fromkeys(value for value in values if isinstance(value, str) and value))
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    if words:
        node.options.append({"type": "string", "enum": words})
    if "" in values:
        node.options.append({"type": "string", "maxLength": 0})
    if numbers:
        node.options.append({"type": "integer", "minimum": min(numbers), "maximum": max(numbers)})
    if any(isinstance(value, bool) for value in values):
        node.options.append({"type": "boolean"})


def _plain(name: str, schema: dict[str, Any], at: str) -> dict[str, Any]:
    option: dict[str, Any] = {"type": name}
    option |= {key: schema[key] for key in OWN.get(name, ()) if schema.get(key) is not None}
    if name == "integer":
        if "exclusiveMinimum" in schema:
            option["minimum"] = schema["exclusiveMinimum"] + 1
        if "exclusiveMaximum" in schema:
            option["maximum"] = schema["exclusiveMaximum"] - 1
    if name == "array":
        option["item"] = (schema.get("items", True), f"{at}/items")
    if name == "object" and schema.get("properties"):
        option["properties"] = {
            key: (part, f"{at}/properties/{key.replace('~', '~0').replace('/', '~1')}")
            for key, part in schema["properties"].items()
        }
        option["required"] = {key for key in schema.get("required") or () if key in schema["properties"]}
    elif name == "object":
        more = schema.get("additionalProperties")
        option["item"] = (more if isinstance(more, dict) else True, f"{at}/additionalProperties")
    return option


def _compare(source: Node, ours: Node, at: str, losses: Losses) -> list[str]:
    if source.wild:
        return []
    found = []
    if source.null != ours.null:
        found.append(f"{at}: null is {source.null}, then {ours.null}")
    if source.text != ours.text and "description" not in source.ignored:
        found.append(f"{at}: the description {source.text!r} became {ours.text!r}")
    if len(source.options) != len(ours.options):
        return [*found, f"{at}: {len(source.options)} types, then {len(ours.options)}"]
    for one, other in zip(source.options, ours.options, strict=True):
        found += _option(one, other, source.ignored, at, losses)
    return found


def _option(
    one: dict[str, Any], other: dict[str, Any], ignored: set[str], at: str, losses: Losses
) -> list[str]:
    found = []
    for key in (one.keys() | other.keys()) - {"item", "properties", "required", "default"} - ignored:
        if one.get(key) != other.get(key):
            found.append(f"{at}: `{key}` is {one.get(key)!r}, then {other.get(key)!r}")
    if "item" in one and "item" in other and not ignored & {"items", "additionalProperties"}:
        (schema, place), (ours, _) = one["item"], other["item"]
        found += _compare(_node(schema, place, losses), _node(ours, "", {}), place, losses)
    elif (
        "item" in one and "item" not in other and not ignored & {"items", "additionalProperties", "required"}
    ):
        found.append(f"{at}: a map or list became something else")
    if "properties" in one:
        found += _members(one, other, ignored, at, losses)
    return found


def _members(
    one: dict[str, Any], other: dict[str, Any], ignored: set[str], at: str, losses: Losses
) -> list[str]:
    theirs = other.get("properties", {})
    found = []
    for name, (schema, place) in one["properties"].items():
        if losses.get(place, "").startswith("the name"):
            continue
        if name not in theirs:
            found.append(f"{place}: is gone")
            continue
        ours = theirs[name][0]
        found += _compare(_node(schema, place, losses), _node(ours, "", {}), place, losses)
        kept = isinstance(schema, dict) and "default" in schema and f"{place}/default" not in losses
        if kept and schema["default"] != ours.get("default"):
            found.append(f"{place}: the default {schema['default']!r} became {ours.get('default')!r}")
        if "required" not in ignored and (name in one["required"]) != (name in other["required"]):
            found.append(f"{place}: `required` is {name in one['required']}")
    if (
        list(theirs) != list(one["properties"])
        and not found
        and not ignored
        and len(theirs) == len(one["properties"])
    ):
        renamed = any(losses.get(place, "").startswith("the name") for _, place in one["properties"].values())
        found += [] if renamed else [f"{at}: the order of properties changed"]
    return found
