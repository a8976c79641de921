"""Anthropic's messages: content in blocks, results in the user's turn, the system prompt beside them."""

from typing import Any

from augmentors.logs.places import Pointer
from augmentors.logs.shapes import Found, Message, Told, text_of, tool_names
from harness_dsl.protocol.json_text import dump

_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking"})


def is_shape(data: Message) -> bool:
    """Whether a line with `messages` is of this form: a `system` beside them, or a block of its own."""
    if "system" in data:
        return True
    for message in data.get("messages", ()):
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("type") in _BLOCKS:
                return True
    return False


def read(data: Message, messages: list[Any], where: Pointer, at: Pointer) -> Told:
    """The conversation of `messages`, which stand at `where` in the line; `at`: where `data` stands."""
    told = Told("anthropic")
    told.tools = tool_names(data.get("tools"), (*at, "tools"))
    if data.get("system"):
        place = (*at, "system")
        content = text_of(data["system"], place, told.wrong)
        told.add({"role": "system", "content": content}, place)
    for number, message in enumerate(messages):
        place = (*where, number)
        role = message.get("role") if isinstance(message, dict) else None
        if role not in ("user", "assistant"):
            what = f"a message has the role `{role}`" if isinstance(role, str) else "a message has no role"
            told.wrong.append(Found("unknown-role", what, place))
            continue
        content = message.get("content")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        (_assistant if role == "assistant" else _user)(told, blocks, place)
    return told


def _assistant(told: Told, blocks: list[Any], at: Pointer) -> None:
    message: Message = {"role": "assistant", "content": ""}
    calls: list[Message] = []
    for number, block in enumerate(blocks):
        place = (*at, "content", number)
        match block:
            case {"type": "thinking", "thinking": str(text)}:
                if message["content"] or calls or "reasoning_content" in message:
                    told.wrong.append(Found("order-of-parts", "thinking stands behind text or a call", place))
                message["reasoning_content"] = message.get("reasoning_content", "") + text
            case {"type": "text", "text": str(text)}:
                if calls:
                    told.wrong.append(Found("order-of-parts", "text stands behind a call", place))
                message["content"] += text
            case {"type": "tool_use", "name": str(name), "input": arguments}:
                function = {"name": name, "arguments": dump(arguments)}
                calls.append({"id": block.get("id"), "type": "function", "function": function})
            case {"type": "tool_use"}:
                told.wrong.append(Found("malformed-call", "a `tool_use` has no name or no input", place))
            case _:
                told.wrong.append(_no_text(block, place))
    told.add(message | ({"tool_calls": calls} if calls else {}), at)


def _user(told: Told, blocks: list[Any], at: Pointer) -> None:
    """Results first, each a message of its own, then what the user wrote."""
    texts = []
    for number, block in enumerate(blocks):
        place = (*at, "content", number)
        match block:
            case {"type": "text", "text": str(text)}:
                texts.append(text)
            case {"type": "tool_result"}:
                if texts:
                    told.wrong.append(Found("order-of-parts", "a result stands behind text", place))
                content = text_of(block.get("content"), (*place, "content"), told.wrong)
                if block.get("is_error"):
                    content = dump({"error": "crashed", "detail": content})
                answer = {"role": "tool", "tool_call_id": block.get("tool_use_id"), "content": content}
                told.add(answer, place)
            case _:
                told.wrong.append(_no_text(block, place))
    if texts:
        told.add({"role": "user", "content": "".join(texts)}, at)


def _no_text(block: Any, at: Pointer) -> Found:
    kind = block.get("type") if isinstance(block, dict) else None
    return Found("no-text", f"a block is of type `{kind}`, not text", at)
