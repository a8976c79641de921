"""JSON values that say the same."""

import json
from typing import Any


def same_json(value: Any) -> str:
    """A text that is equal for equal JSON values: the order of keys does not count, and 1.0 is 1."""
    return json.dumps(_whole(value), sort_keys=True)


def _whole(value: Any) -> Any:
    match value:
        case float() if value.is_integer():
            return int(value)
        case list() | tuple():
            return [_whole(item) for item in value]
        case dict():
            return {key: _whole(item) for key, item in value.items()}
        case _:
            return value
