"""`allOf` as one schema, and what references name."""

from typing import Any

from harness_dsl.exchange.found import Lose

DEPTH = 5
"""How far references inside parts inside references are followed: beyond it, they are types of their own."""


def merged(
    schema: dict[str, Any], at: str, lose: Lose, root: Any, inside: tuple[str, ...] = ()
) -> dict[str, Any]:
    """`schema` with the parts of its `allOf` taken in. What two parts say differently is a loss: the first
    counts. A part that refers into `root` is followed, unless it stands alone; `inside`: what was followed.
    """
    parts = schema.get("allOf")
    if "allOf" not in schema:
        return schema
    result = {key: value for key, value in schema.items() if key != "allOf"}
    if not isinstance(parts, list) or not parts:
        lose(f"{at}/allOf", "an `allOf` without parts")
        return result
    alone = len(parts) == 1 and not result.keys() - {"description", "nullable", "default", "title"}
    for index, part in enumerate(parts):
        place = f"{at}/allOf/{index}"
        if not isinstance(part, dict):
            lose(place, "a schema that is no object")
            continue
        reference = part.get("$ref")
        if isinstance(reference, str) and not alone and reference not in inside and len(inside) < DEPTH:
            target = resolved(root, reference)
            if isinstance(target, dict):
                own = {key: value for key, value in part.items() if key != "$ref"}
                part = dict(merged(target, place, lose, root, (*inside, reference)))
                for key, value in own.items():
                    _take(part, key, value, f"{place}/{key}", lose)
        for key, value in merged(part, place, lose, root, inside).items():
            _take(result, key, value, f"{place}/{key}", lose)
    return result


def _take(result: dict[str, Any], key: str, value: Any, at: str, lose: Lose) -> None:
    known = result.get(key)
    if key not in result:
        result[key] = value
    elif key == "properties" and isinstance(known, dict) and isinstance(value, dict):
        for name in value:
            if name in known and value[name] != known[name]:
                lose(f"{at}/{name}", "a second schema of one property")
        result[key] = {**known, **{name: part for name, part in value.items() if name not in known}}
    elif key == "required" and isinstance(known, list) and isinstance(value, list):
        result[key] = [*known, *(name for name in value if name not in known)]
    elif known != value:
        lose(at, f"a second `{key}` in an `allOf`")


def resolved(root: Any, reference: Any) -> Any:
    """What a JSON Pointer reference (`#`, `#/$defs/Node`) names in `root`; None: nothing."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    from urllib.parse import unquote

    node = root
    for part in reference[1:].split("/")[1:]:
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict) and key in node:
            node = node[key]
        elif isinstance(node, list) and key.isdecimal() and int(key) < len(node):
            node = node[int(key)]
        else:
            return None
    return node if reference == "#" or reference.startswith("#/") else None
