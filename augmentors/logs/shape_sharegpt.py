"""ShareGPT: `conversations` of `from` and `value`, calls as JSON in a turn of their own."""

from typing import Any

from augmentors.logs.places import Pointer
from augmentors.logs.shapes import Found, Message, Told, tool_names
from harness_dsl.protocol.json_text import BadJson, load

_ROLES = {"system": "system", "human": "user", "user": "user", "gpt": "assistant", "assistant": "assistant"}
_CALLS = ("function_call", "tool_call")
_RESULTS = ("observation", "tool", "function_response", "tool_response")


def read(data: Message, at: Pointer) -> Told:
    """The conversation in a line that has `conversations`."""
    told = Told("sharegpt")
    told.tools = _tools(data, at)
    if isinstance(data.get("system"), str) and data["system"]:
        told.add({"role": "system", "content": data["system"]}, (*at, "system"))
    turns = data["conversations"]
    if not isinstance(turns, list):
        told.wrong.append(Found("no-conversation", "`conversations` is no list", (*at, "conversations")))
        return told
    for number, turn in enumerate(turns):
        _turn(told, turn, (*at, "conversations", number), number)
    return told


def _tools(data: Message, at: Pointer) -> list[tuple[str, Pointer]]:
    """Tools stand beside the turns, as a list or as the text of one."""
    tools = data.get("tools")
    if not isinstance(tools, str):
        return tool_names(tools, (*at, "tools"))
    try:
        return [(name, (*at, "tools")) for name, _ in tool_names(load(tools), ())]
    except BadJson:
        return []


def _turn(told: Told, turn: Any, at: Pointer, number: int) -> None:
    speaker = turn.get("from") if isinstance(turn, dict) else None
    speaker = speaker if isinstance(speaker, str) else None
    value = turn.get("value") if isinstance(turn, dict) else None
    if not isinstance(value, str):
        told.wrong.append(Found("no-text", "a turn has no `value` that is text", at))
    elif speaker in _ROLES:
        told.add({"role": _ROLES[speaker], "content": value}, at)
    elif speaker in _CALLS:
        _call(told, value, at, number)
    elif speaker in _RESULTS:
        told.add({"role": "tool", "content": value}, at)
    else:
        what = "a turn says not whose it is" if speaker is None else f"a turn is from `{speaker}`"
        told.wrong.append(Found("unknown-role", what, at))


def _call(told: Told, value: str, at: Pointer, number: int) -> None:
    """A turn that is one call or a list of them."""
    try:
        read = load(value)
    except BadJson as error:
        told.wrong.append(Found("arguments-no-json", f"a call is written, and {error}", (*at, "value")))
        return
    calls = []
    for place, call in enumerate(read if isinstance(read, list) else [read]):
        if not isinstance(call, dict) or not isinstance(call.get("name"), str):
            told.wrong.append(Found("malformed-call", "a call has no name", (*at, "value")))
            continue
        function = {"name": call["name"], "arguments": call.get("arguments", call.get("parameters", {}))}
        calls.append({"id": f"call_{number}_{place}", "type": "function", "function": function})
    told.add({"role": "assistant", "content": "", "tool_calls": calls}, at)
