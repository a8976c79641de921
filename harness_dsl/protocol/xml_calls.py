"""What the two call syntaxes in XML of BFCL share: `<functions>`, `<function name="…">`, and typed values."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from harness_dsl.ir.core import Core
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import ForeignCall
from harness_dsl.ir.types import Type
from harness_dsl.protocol.calls import AnyCall, BadCall, Calls, Written, called
from harness_dsl.protocol.json_text import dump, load
from harness_dsl.protocol.typed_text import TypedText
from harness_dsl.protocol.values import Values, declared_types
from harness_dsl.protocol.xml_tags import Tags, attribute
from harness_dsl.protocol.xml_text import xml_attribute, xml_text

_KINDS: dict[type, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    tuple: "array",
    dict: "object",
    type(None): "null",
}


class XmlCalls(Calls):
    """All calls that stand side by side are children of one `<functions>`."""

    together: ClassVar[bool] = True

    def __init__(self, core: Core, surface: Surface, naming: Naming, values: Values) -> None:
        super().__init__(core, surface, naming, values)
        self._text = TypedText(declared_types(core))

    @abstractmethod
    def params(self, entries: Sequence[str]) -> list[str]:
        """The lines between the tags of a function."""

    @abstractmethod
    def param(self, name: str, kind: str, text: str) -> str:
        """A parameter on one line."""

    @abstractmethod
    def read_params(self, tags: Tags) -> list[tuple[str, str | None, str]]:
        """Pass the parameters of a function: name, kind if it says one, and text of each."""

    def print(self, event: AnyCall) -> str:
        """The element of one call."""
        name, arguments = self.arguments(event)
        if arguments is None:
            # A foreign call that was no call in its own syntax either: it is none in this one.
            lines = [xml_text(event.arguments if isinstance(event, ForeignCall) else "")]
        else:
            lines = self.params([self._param(key, value) for key, value in arguments.items()])
        return "\n".join([f'<function name="{xml_attribute(name)}">', *lines, "</function>"])

    def together_as(self, printed: Sequence[str]) -> str:
        return "\n".join(["<functions>", *printed, "</functions>"])

    def written(self, body: str) -> list[Written]:
        tags = Tags(body)
        tags.open("functions")
        calls: list[Written] = []
        while not tags.peek().end:
            calls.append(self._function(tags))
        tags.close("functions")
        if not tags.finished():
            raise BadCall("something stands behind the calls")
        if not calls:
            raise BadCall("there is no call in the list")
        return calls

    def _function(self, tags: Tags) -> Written:
        begun = tags.open("function")
        name = attribute(begun, "name")
        types = self.types(name)
        arguments: dict[str, Any] = {}
        for key, kind, text in [] if begun.empty else self.read_params(tags):
            if key in arguments:
                raise BadCall("a parameter stands twice in one call")
            arguments[key] = self._value(text, kind, types.get(key))
        if not begun.empty:
            tags.close("function")
        return called(name, arguments)

    def _param(self, name: str, value: Any) -> str:
        if isinstance(value, str):
            return self.param(name, "string", str(value))
        return self.param(name, _KINDS.get(type(value), "number"), dump(value))

    def _value(self, text: str, kind: str | None, type_: Type | None) -> Any:
        """The value of a parameter; where it says no kind that is known, its declared type decides."""
        if kind == "string":
            return text
        return load(text) if kind in _KINDS.values() else self._text.read(text, type_)


def opening(tag: str, /, **attributes: str) -> str:
    """A tag without its closing bracket."""
    return f"<{tag}" + "".join(f' {key}="{xml_attribute(text)}"' for key, text in attributes.items())
