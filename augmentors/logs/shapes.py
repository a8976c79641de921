"""What programs write down of conversations, brought into the one form that `lift` reads: OpenAI's messages.

Converted are OpenAI's own (with `functions` of old, reasoning under several names, content in parts),
Anthropic's blocks and ShareGPT. Others are known by name and refused.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from augmentors.logs.places import Pointer

Message = dict[str, Any]


class Found(NamedTuple):
    """Something wrong, by its kind and where in the line it stands."""

    kind: str
    message: str
    at: Pointer = ()


@dataclass
class Told:
    """A conversation as OpenAI-style messages; `places[n]` leads to message n in the line.

    tools    the names of the tools that the conversation offered, each with its place
    inputs   values of the harness's inputs, None where nothing says any
    lineage  what it has in common with others: task, product and the like
    core     the digest of the harness, and of the Surface it was shown under, where the line says so
    wrong    what could not be brought into this form
    """

    shape: str
    messages: list[Message] = field(default_factory=list)
    places: list[Pointer] = field(default_factory=list)
    tools: list[tuple[str, Pointer]] = field(default_factory=list)
    inputs: Any = None
    lineage: dict[str, str] = field(default_factory=dict)
    core: str | None = None
    surface: str | None = None
    wrong: list[Found] = field(default_factory=list)

    def add(self, message: Message, at: Pointer) -> None:
        """Take the next message. Ids may be numbers; what is recorded under `harness` is an object."""
        for holder, key in [
            (message, "tool_call_id"),
            *((one, "id") for one in message.get("tool_calls", ())),
        ]:
            if isinstance(holder.get(key), int):
                holder[key] = str(holder[key])
            elif not isinstance(holder.get(key), str):
                holder.pop(key, None)
        if not isinstance(message.get("harness"), dict):
            message.pop("harness", None)
        self.messages.append(message)
        self.places.append(at)


def told(data: Any, at: Pointer = ()) -> Told | Found:
    """The conversation in the JSON value of a line, or why it is none. `at`: where in the line it stands."""
    from augmentors.logs import shape_anthropic, shape_openai, shape_sharegpt

    if isinstance(data, list):
        data, key = {"messages": data}, False
    else:
        key = True
    if not isinstance(data, dict):
        return Found("no-conversation", f"a line is an object or a list of messages, not {_a(data)}", at)
    if "reasons" in data and "row" in data and "line" in data:
        return told(data["row"], (*at, "row"))
    if other := _other(data):
        return Found("other-shape", f"this is {other}, which is not converted", at)
    if "conversations" in data:
        return _described(shape_sharegpt.read(data, at), data, at)
    messages = data.get("messages")
    if not isinstance(messages, list):
        return Found("no-conversation", "there are no `messages` and no `conversations`", at)
    where = (*at, "messages") if key else at
    reader = shape_anthropic if shape_anthropic.is_shape(data) else shape_openai
    return _described(reader.read(data, messages, where, at), data, at)


def _a(data: Any) -> str:
    names = {str: "a text", bool: "a truth value", int: "a number", float: "a number", type(None): "null"}
    return names.get(type(data), "a value")


def _other(data: Message) -> str | None:
    """The name of a known form that is not converted."""
    if "events" in data and "core_digest" in data:
        return "a transcript, lifted already"
    if "contents" in data:
        return "a request of Gemini"
    if "input" in data and "messages" not in data and isinstance(data["input"], list | str):
        return "a request of OpenAI's Responses API"
    if "request" in data or "choices" in data or "response" in data:
        return "a request with its answer" if "request" in data else "an answer alone"
    if {"prompt", "completion"} <= set(data) or {"prompt", "chosen"} <= set(data):
        return "a prompt with its completion"
    if "surface" in data and ("v" in data or "schema_version" in data) and "messages" not in data:
        return "a row of `harnessc augment` without messages"
    return None


def _described(conversation: Told, data: Message, at: Pointer) -> Told:
    """`conversation` with what the line says beside the messages."""
    inputs, lineage = data.get("inputs"), data.get("lineage")
    if conversation.inputs is None:
        conversation.inputs = inputs
    conversation.lineage = _texts(lineage)
    first = conversation.messages[0].get("harness", {}) if conversation.messages else {}
    conversation.inputs = first.get("inputs", conversation.inputs)
    conversation.lineage = conversation.lineage or _texts(first.get("lineage"))
    digests: dict[str, tuple[Any, ...]] = {
        "core": (data.get("core_digest"), data.get("core"), first.get("core"))
    }
    digests["surface"] = (data.get("surface_digest"), data.get("surface"))
    for name, said in digests.items():
        setattr(conversation, name, next((one for one in said if isinstance(one, str)), None))
    if not conversation.messages and not conversation.wrong:
        conversation.wrong.append(Found("no-messages", "the conversation has no message", at))
    return conversation


def _texts(value: Any) -> dict[str, str]:
    """An object of texts; whatever else `value` is says nothing."""
    return {str(key): str(one) for key, one in value.items()} if isinstance(value, dict) else {}


def text_of(content: Any, at: Pointer, wrong: list[Found]) -> str:
    """The text of a content that is text, or parts of text; what else it holds is wrong."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        wrong.append(Found("no-text", "a content is text or a list of parts", at))
        return ""
    texts = []
    for number, part in enumerate(content):
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str):
            texts.append(text)
        else:
            what = part.get("type") if isinstance(part, dict) else None
            wrong.append(Found("no-text", f"a part is of type `{what}`, not text", (*at, number)))
    return "".join(texts)


def tool_names(tools: Any, at: Pointer) -> list[tuple[str, Pointer]]:
    """The names in a list of tools, as OpenAI (with `function` or without) and Anthropic write it."""
    found: list[tuple[str, Pointer]] = []
    for number, tool in enumerate(tools if isinstance(tools, list) else ()):
        inner = tool.get("function", tool) if isinstance(tool, dict) else {}
        name = inner.get("name") if isinstance(inner, dict) else None
        if isinstance(name, str):
            found.append((name, (*at, number)))
    return found
