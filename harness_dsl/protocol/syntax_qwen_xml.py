"""The call syntax Qwen XML: the function and each parameter as a tag, values on lines of their own.

    <function=get_quote>
    <parameter=link_id>
    3
    </parameter>
    </function>

A text stands as it is where its type says that it is one. A text that could be taken for something else (a
tag, a JSON string, JSON where the type allows that too) stands as a JSON string.

What has no text where only texts may stand, such as a number for a parameter that is a text, has no form
between these tags. A call with such an argument, which no tool takes, holds all of them as one JSON object.
"""

import re
from typing import Any, ClassVar

from harness_dsl.ir.core import Core
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import CallSyntax, Surface
from harness_dsl.ir.transcript import ForeignCall
from harness_dsl.ir.types import Type
from harness_dsl.protocol.calls import AnyCall, BadCall, Calls, Written, called
from harness_dsl.protocol.json_text import BadJson, dump, load
from harness_dsl.protocol.markers import MARKERS, escaped, occurrences
from harness_dsl.protocol.typed_text import TypedText, quoted
from harness_dsl.protocol.values import Values, declared_types

_NAME = r'(?P<name>"(?:[^"\\\n]|\\.)*"|[^\s<>"]+)'
_FUNCTION = re.compile(rf"<function={_NAME}>")
_PARAMETER = re.compile(rf"<parameter={_NAME}>")
_PLAIN = re.compile(r'[^\s<>"]+')
_END_FUNCTION, _END_PARAMETER = "</function>", "</parameter>"
_TAG = re.compile(r"</?(?:function|parameter)\b")


class QwenCalls(Calls):
    """Qwen3-Coder and Qwen3.5."""

    name: ClassVar[CallSyntax] = "qwen_xml"
    example: ClassVar[str] = (
        "<function=function-name>\n<parameter=parameter-name>\nvalue\n</parameter>\n</function>"
    )

    def __init__(self, core: Core, surface: Surface, naming: Naming, values: Values) -> None:
        super().__init__(core, surface, naming, values)
        self._text = TypedText(declared_types(core))

    def print(self, event: AnyCall) -> str:
        """The tags of one call, a line each."""
        name, arguments = self.arguments(event)
        lines = [f"<function={_tag_name(name)}>"]
        types = self.types(name)
        if arguments is None:
            # A foreign call that was no call in its own syntax either: it is none in this one.
            lines.append(quoted(event.arguments if isinstance(event, ForeignCall) else ""))
        elif any(self._text.is_lost(value, types.get(key)) for key, value in arguments.items()):
            lines.append(escaped(quoted(arguments)))
        else:
            for key, value in arguments.items():
                shown = self._shown(value, types.get(key))
                lines.append(f"<parameter={_tag_name(key)}>\n{shown}\n{_END_PARAMETER}")
        return "\n".join([*lines, _END_FUNCTION])

    def written(self, body: str) -> list[Written]:
        begun = _FUNCTION.match(body.strip())
        text = body.strip()
        if begun is None or not text.endswith(_END_FUNCTION):
            raise BadCall("the call is no function between its two tags")
        name = _read_name(begun["name"])
        at, end = begun.end(), len(text) - len(_END_FUNCTION)
        whole = text[at:end].strip()
        if whole.startswith("{"):
            return [called(name, _object(whole))]
        types = self.types(name)
        arguments: dict[str, Any] = {}
        while text[at:end].strip():
            key, value, at = _parameter(text, at, end)
            if key in arguments:
                raise BadCall("a parameter stands twice in one call")
            arguments[key] = self._text.read(value, types.get(key))
        return [called(name, arguments)]

    def _shown(self, value: Any, type_: Type | None) -> str:
        bare = self._text.bare(value, type_)
        if bare is not None and not _TAG.search(bare) and not occurrences(bare, MARKERS):
            return bare
        return escaped(quoted(value) if _TAG.search(dump(value)) else dump(value))


def _object(text: str) -> dict[str, Any]:
    """All arguments of a call. Raises `BadCall` and `BadJson`."""
    value = load(text)
    if not isinstance(value, dict):
        raise BadCall("the arguments are no object")
    return value


def _parameter(text: str, at: int, end: int) -> tuple[str, str, int]:
    """The name and the text of the next parameter, and where it ends."""
    while text[at].isspace():
        at += 1
    begun = _PARAMETER.match(text, at, end)
    if begun is None:
        raise BadCall("something else than a parameter stands in the call")
    close = text.find(_END_PARAMETER, begun.end(), end)
    if close < 0:
        raise BadCall("a parameter is not closed")
    value = text[begun.end() : close].removeprefix("\n").removesuffix("\n")
    return _read_name(begun["name"]), value, close + len(_END_PARAMETER)


def _tag_name(name: str) -> str:
    plain = _PLAIN.fullmatch(name) and not occurrences(name, MARKERS)
    return name if plain else escaped(quoted(name))


def _read_name(text: str) -> str:
    if not text.startswith('"'):
        return text
    try:
        return str(load(text))
    except BadJson as error:
        raise BadCall(f"a name is {error}") from None
