"""OpenAI's chat messages, and what programs that imitate them make of these."""

from typing import Any

from augmentors.logs.places import Pointer
from augmentors.logs.shapes import Found, Message, Told, text_of, tool_names

_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant", "tool": "tool"}
_THINKING = ("reasoning_content", "reasoning", "thinking")


def read(data: Message, messages: list[Any], where: Pointer, at: Pointer) -> Told:
    """The conversation of `messages`, which stand at `where` in the line; `at`: where `data` stands."""
    told = Told("openai")
    told.tools = tool_names(data.get("tools"), (*at, "tools"))
    told.tools += tool_names(data.get("functions"), (*at, "functions"))
    last = ""
    for number, message in enumerate(messages):
        place = (*where, number)
        role = message.get("role") if isinstance(message, dict) else None
        if role == "function":
            _add(told, {**message, "role": "tool", "tool_call_id": last}, place)
        elif isinstance(role, str) and role in _ROLES:
            message = {**message, "role": _ROLES[role]}
            if isinstance(message.get("function_call"), dict):
                last = f"function_{number}"
                call = {"id": last, "type": "function", "function": message.pop("function_call")}
                message["tool_calls"] = [call]
            _add(told, message, place)
        else:
            what = f"a message has the role `{role}`" if isinstance(role, str) else "a message has no role"
            told.wrong.append(Found("unknown-role", what, place))
    return told


def _add(told: Told, message: Message, at: Pointer) -> None:
    """`message` with its content as text, its thinking under one name and its calls in one form."""
    plain: Message = {
        "role": message["role"],
        "content": text_of(message.get("content"), (*at, "content"), told.wrong),
    }
    for key in ("harness", "tool_call_id"):
        if message.get(key) is not None:
            plain[key] = message[key]
    if message["role"] == "assistant":
        thinking = next((key for key in _THINKING if message.get(key)), None)
        if thinking is not None and isinstance(message[thinking], str):
            plain["reasoning_content"] = message[thinking]
        elif thinking is not None:
            told.wrong.append(Found("no-text", f"`{thinking}` is no text", (*at, thinking)))
        if calls := _calls(message.get("tool_calls"), (*at, "tool_calls"), told):
            plain["tool_calls"] = calls
    told.add(plain, at)


def _calls(calls: Any, at: Pointer, told: Told) -> list[Message]:
    if calls is None:
        return []
    if not isinstance(calls, list):
        told.wrong.append(Found("malformed-call", "`tool_calls` is no list", at))
        return []
    found = []
    for number, call in enumerate(calls):
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            said = "a call has no `function` with a name"
            told.wrong.append(Found("malformed-call", said, (*at, number)))
            continue
        found.append(call)
    return found
