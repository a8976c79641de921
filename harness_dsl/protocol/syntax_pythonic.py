"""The call syntax Pythonic: a list of calls with keyword arguments.

    [get_quote(link_id=3), load_skill(skill="item_qa")]

It is the return format `python` of BFCL's test of format sensitivity, with its tag, and that of Llama 3.2.
A name or a keyword that is no identifier of Python is written as a text: `"get-quote"(**{"link-id": 3})`.
"""

import keyword
import re
from collections.abc import Sequence
from typing import Any, ClassVar

from harness_dsl.ir.surface import CallSyntax
from harness_dsl.protocol.calls import AnyCall, BadCall, Calls, Written, called
from harness_dsl.protocol.json_text import dump
from harness_dsl.protocol.markers import escaped
from harness_dsl.protocol.python_text import NAME, BadPython, Reader, python_dump

_CALLEE = re.compile(r"[^\W\d][\w.-]*")


class PythonicCalls(Calls):
    """All calls that stand side by side are one list."""

    name: ClassVar[CallSyntax] = "pythonic"
    together: ClassVar[bool] = True
    example: ClassVar[str] = "[<function-name>(<parameter-name>=<value>, ...), ...]"

    def print(self, event: AnyCall) -> str:
        """One call on one line. A marker's text in a value is escaped, as Python and JSON both read it."""
        name, arguments = self.arguments(event)
        callee = name if _CALLEE.fullmatch(name) else dump(name)
        if arguments is None:
            # A foreign call that was no call in its own syntax either: it is none in this one.
            return escaped(f"{callee}(**{dump(str(getattr(event, 'arguments', '')))})")
        parts = [
            f"{key}={python_dump(value)}" if _is_keyword_name(key) else f"**{python_dump({key: value})}"
            for key, value in arguments.items()
        ]
        return escaped(f"{callee}({', '.join(parts)})")

    def together_as(self, printed: Sequence[str]) -> str:
        return f"[{', '.join(printed)}]"

    def written(self, body: str) -> list[Written]:
        reader = Reader(body)
        try:
            calls = _list(reader)
        except BadPython as error:
            raise BadCall(f"this is no list of calls: {error}") from None
        if not calls:
            raise BadCall("there is no call in the list")
        return calls


def _is_keyword_name(key: str) -> bool:
    """Whether `f(key=...)` can be written."""
    return bool(NAME.fullmatch(key)) and key.isidentifier() and not keyword.iskeyword(key)


def _list(reader: Reader) -> list[Written]:
    reader.expect("[")
    calls: list[Written] = []
    while not reader.takes("]"):
        calls.append(_call(reader))
        if not reader.takes(","):
            reader.expect("]")
            break
    if reader.skip():
        raise BadPython("something stands behind the list")
    return calls


def _call(reader: Reader) -> Written:
    callee = _callee(reader)
    reader.expect("(")
    arguments: dict[str, Any] = {}
    while not reader.takes(")"):
        for key, value in _argument(reader).items():
            if key in arguments:
                raise BadPython("an argument stands twice in one call")
            arguments[key] = value
        if not reader.takes(","):
            reader.expect(")")
            break
    return called(callee, arguments)


def _callee(reader: Reader) -> str:
    if reader.skip() in ('"', "'"):
        return reader.string()
    found = _CALLEE.match(reader.text, reader.at)
    if found is None:
        raise BadPython("a call has no name")
    reader.at = found.end()
    return found[0]


def _argument(reader: Reader) -> dict[str, Any]:
    """One keyword argument, or those that stand in a dictionary behind `**`."""
    if reader.takes("**"):
        value = reader.value()
        if not isinstance(value, dict):
            raise BadPython("no dictionary stands behind `**`")
        return value
    key = reader.name()
    if not key or not reader.takes("="):
        raise BadPython("an argument has no name")
    return {key: reader.value()}
