"""Literals as Python writes them, printed and read without ever evaluating anything.

JSON data only: text, numbers, `True`, `False`, `None`, lists, and dictionaries with text as keys. Numbers and
texts follow `json_text`, so that a value is the same in every call syntax.
"""

import re
from typing import Any

from harness_dsl.protocol.json_text import DEEPEST, BadJson, dump, load

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z_.])")
NAME = re.compile(r"[^\W\d]\w*")
_SPACE = re.compile(r"[ \t\n\r]*")
_CONSTANTS = {"True": True, "False": False, "None": None}
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v"}
_SIMPLE |= {"\\": "\\", "'": "'", '"': '"'}
_BY_NUMBER = {"x": 2, "u": 4, "U": 8}


class BadPython(Exception):
    """The text is no literal, or no end of what was begun; the message says why in a phrase."""


def python_dump(value: Any) -> str:
    """One line; the inverse of `Reader.value`. Raises `ValueError` for NaN and infinity."""
    match value:
        case None | True | False:
            return str(value)
        case dict():
            entries = (f"{dump(str(key))}: {python_dump(item)}" for key, item in value.items())
            return "{" + ", ".join(entries) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(python_dump, value)) + "]"
        case _:
            return dump(value)


class Reader:
    """Reads a text from left to right; `at` is where it stands. Every method raises `BadPython`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def skip(self) -> str:
        """Pass white space; the next character, or "" at the end."""
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def takes(self, expected: str) -> bool:
        """Pass `expected` and white space before it, if it comes next."""
        self.skip()
        if not self.text.startswith(expected, self.at):
            return False
        self.at += len(expected)
        return True

    def expect(self, expected: str) -> None:
        """Pass `expected`, which has to come next."""
        if not self.takes(expected):
            raise BadPython(f"`{expected}` is missing before {self._here()}")

    def name(self) -> str:
        """Pass an identifier; "" if none comes next."""
        self.skip()
        found = NAME.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found[0]

    def value(self, depth: int = 0) -> Any:
        """Pass a literal."""
        if depth > DEEPEST:
            raise BadPython("the value is nested too deeply")
        first = self.skip()
        if first in ('"', "'"):
            return self.string()
        if self.takes("["):
            return self._list(depth)
        if self.takes("{"):
            return self._dict(depth)
        number = _NUMBER.match(self.text, self.at)
        if number is not None:
            self.at = number.end()
            try:
                return load(number[0])
            except BadJson as error:
                raise BadPython(str(error)) from None
        word = self.name()
        if word in _CONSTANTS:
            return _CONSTANTS[word]
        self.at -= len(word)
        raise BadPython(f"{self._here()} is no literal")

    def string(self) -> str:
        """Pass a text in single or double quotes on one line."""
        quote = self.skip()
        self.at += 1
        parts: list[str] = []
        while True:
            char = self.text[self.at : self.at + 1]
            if char in ("", "\n"):
                raise BadPython("a text is not closed")
            self.at += 1
            if char == quote:
                break
            parts.append(self._escape() if char == "\\" else char)
        text = "".join(parts)
        try:
            text.encode()
        except UnicodeEncodeError:
            raise BadPython("a text holds half of a surrogate pair") from None
        return text

    def _escape(self) -> str:
        """What stands behind a backslash."""
        char = self.text[self.at : self.at + 1]
        self.at += 1
        if char in _SIMPLE:
            return _SIMPLE[char]
        width = _BY_NUMBER.get(char)
        digits = self.text[self.at : self.at + (width or 0)]
        if width is None or not re.fullmatch(f"[0-9A-Fa-f]{{{width}}}", digits) or int(digits, 16) > 0x10FFFF:
            raise BadPython(f"`\\{char}` is no escape that is read here")
        self.at += width
        return chr(int(digits, 16))

    def _list(self, depth: int) -> list[Any]:
        items: list[Any] = []
        while not self.takes("]"):
            items.append(self.value(depth + 1))
            if not self.takes(","):
                self.expect("]")
                break
        return items

    def _dict(self, depth: int) -> dict[str, Any]:
        items: dict[str, Any] = {}
        while not self.takes("}"):
            key = self.value(depth + 1)
            if not isinstance(key, str):
                raise BadPython("a key is no text")
            if key in items:
                raise BadPython("a key stands twice in one dictionary")
            self.expect(":")
            items[key] = self.value(depth + 1)
            if not self.takes(","):
                self.expect("}")
                break
        return items

    def _here(self) -> str:
        shown = self.text[self.at : self.at + 20]
        return dump(shown) if shown else "the end"
