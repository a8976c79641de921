"""The form in which a model behind each target makes a call: how a name and arguments are wrapped."""

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from harness_dsl.protocol.json_text import dump

if TYPE_CHECKING:
    from harness_dsl.exchange.exporting import Target

NameAndArguments = tuple[str, Any]
"""The arguments are JSON data, or JSON text where the target sends text."""


class Form(Protocol):
    def write(self, name: str, arguments: dict[str, Any]) -> Any:
        """The call as JSON data."""
        ...

    def read(self, said: Any) -> NameAndArguments | str:
        """The inverse, for bare and for wrapped calls; or what is wrong, as one phrase."""
        ...


class Keyed:
    """`{name: …, arguments: …}` under other keys, at times inside another object.

    `inside`: the key around it. `text`: the arguments are sent as JSON text. `more`: what stands around.
    """

    def __init__(self, arguments: str, inside: str = "", text: bool = False, **more: str) -> None:
        self._arguments = arguments
        self._inside = inside
        self._text = text
        self._more = more

    def write(self, name: str, arguments: dict[str, Any]) -> Any:
        own: dict[str, Any] = {"name": name, self._arguments: dump(arguments) if self._text else arguments}
        return {**self._more, self._inside: own} if self._inside else {**self._more, **own}

    def read(self, said: Any) -> NameAndArguments | str:
        if isinstance(said, Mapping) and self._inside in said:
            said = said[self._inside]
        if not isinstance(said, Mapping):
            return "a call is an object"
        if not isinstance(said.get("name"), str):
            return "the call has no name"
        arguments = said.get(self._arguments)
        if isinstance(arguments, str) and not self._text:
            return f"`{self._arguments}` is text instead of an object"
        return said["name"], {} if arguments is None else arguments


class Python:
    """`name(a=1, b="x")`. It is parsed and never run."""

    def write(self, name: str, arguments: dict[str, Any]) -> Any:
        from harness_dsl.exchange.stub_types import python_name

        said = [f"{key}={value!r}" for key, value in arguments.items() if python_name(key)]
        odd = {key: value for key, value in arguments.items() if not python_name(key)}
        return f"{name}({', '.join([*said, *([f'**{odd!r}'] if odd else [])])})"

    def read(self, said: Any) -> NameAndArguments | str:
        if not isinstance(said, str):
            return "a call is Python text"
        try:
            call = ast.parse(said.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return "this is no Python call"
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            return "this is no Python call"
        if call.args:
            return "an argument has no name"
        arguments: dict[str, Any] = {}
        for keyword in call.keywords:
            try:
                value = ast.literal_eval(keyword.value)
            except (ValueError, TypeError, RecursionError, MemoryError):
                return f"the value of `{keyword.arg or '**'}` is no literal"
            given = value if keyword.arg is None else {keyword.arg: value}
            if not isinstance(given, dict) or not all(isinstance(key, str) for key in given):
                return "what follows `**` has keys that are no text"
            twice = next((key for key in given if key in arguments), None)
            if twice is not None:
                return f"the argument `{twice}` is given twice"
            arguments |= given
        return call.func.id, arguments


_FUNCTION = Keyed("arguments", "function", text=True, type="function")
_FORMS: dict["Target", Form] = {
    "openai-tools": _FUNCTION,
    "openai-strict": _FUNCTION,
    "anthropic-tools": Keyed("input", type="tool_use"),
    "mcp": Keyed("arguments", "params", method="tools/call"),
    "gemini": Keyed("args", "functionCall"),
    "json-schema": Keyed("arguments"),
    "python-stubs": Python(),
}


def form_of(target: "Target") -> Form:
    """The form of calls of a target that has tools."""
    return _FORMS[target]
