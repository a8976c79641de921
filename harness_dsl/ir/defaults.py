"""Limits that hold for a turn where a Core does not say them."""

from harness_dsl.ir.core import Core
from harness_dsl.ir.index import index

DEFAULT_TURNS = 8
DEFAULT_TOOL_CALLS = 16


def most_outputs(core: Core) -> int:
    """So many model outputs a turn may have."""
    return _value(core, "limit/turns", DEFAULT_TURNS)


def most_calls(core: Core) -> int:
    """So many calls of tools a turn may have."""
    return _value(core, "limit/tool_calls", DEFAULT_TOOL_CALLS)


def _value(core: Core, id_: str, default: int) -> int:
    limit = index(core).limits.get(id_)
    return default if limit is None or isinstance(limit.value, str) else int(limit.value)
