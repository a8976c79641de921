"""`allOf` as one schema."""

from typing import Any

from harness_dsl.exchange.found import Lose


def merged(schema: dict[str, Any], at: str, lose: Lose) -> dict[str, Any]:
    """`schema` with the parts of its `allOf` taken in. What two parts say differently is a loss: the first
    counts.
    """
    parts = schema.get("allOf")
    if "allOf" not in schema:
        return schema
    result = {key: value for key, value in schema.items() if key != "allOf"}
    if not isinstance(parts, list) or not parts:
        lose(f"{at}/allOf", "an `allOf` without parts")
        return result
    for index, part in enumerate(parts):
        place = f"{at}/allOf/{index}"
        if not isinstance(part, dict):
            lose(place, "a schema that is no object")
            continue
        for key, value in merged(part, place, lose).items():
            _take(result, key, value, f"{place}/{key}", lose)
    return result


def _take(result: dict[str, Any], key: str, value: Any, at: str, lose: Lose) -> None:
    known = result.get(key)
    if key not in result:
        result[key] = value
    elif key == "properties" and isinstance(known, dict) and isinstance(value, dict):
        for name in value.keys() & known.keys():
            if value[name] != known[name]:
                lose(f"{at}/{name}", "a second schema of one property")
        result[key] = {**known, **{name: part for name, part in value.items() if name not in known}}
    elif key == "required" and isinstance(known, list) and isinstance(value, list):
        result[key] = [*known, *(name for name in value if name not in known)]
    elif known != value:
        lose(at, f"a second `{key}` in an `allOf`")
