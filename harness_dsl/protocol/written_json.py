"""Calls that are JSON objects with a name and the arguments, whatever the two keys are called."""

from collections.abc import Mapping

from harness_dsl.protocol.calls import BadCall, Written
from harness_dsl.protocol.json_text import Slice


def named_call(slices: Mapping[str, Slice], name_key: str, arguments_key: str) -> Written:
    """The call in an object that holds these two keys and no other. Raises `BadCall`."""
    if unknown := sorted(set(slices) - {name_key, arguments_key}):
        raise BadCall(f"a call has no `{unknown[0]}`")
    name, arguments = slices.get(name_key), slices.get(arguments_key)
    if name is None or not isinstance(name.value, str):
        raise BadCall("the call has no name")
    if arguments is None:
        raise BadCall("the call has no arguments")
    if not isinstance(arguments.value, dict):
        raise BadCall("the arguments are no JSON object")
    return Written(name.value, arguments)
