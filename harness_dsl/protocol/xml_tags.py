"""The tags of calls in XML, read one by one: no declarations, no comments, no entities of their own."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from harness_dsl.protocol.calls import BadCall
from harness_dsl.protocol.xml_text import xml_read

_SPACE = re.compile(r"\s*")
_TAG = re.compile(r'<(?P<end>/?)(?P<name>[a-z]+)(?P<attributes>(?:\s+[a-z]+="[^"<]*")*)\s*(?P<empty>/?)>')
_ATTRIBUTE = re.compile(r'\s+(?P<key>[a-z]+)="(?P<value>[^"<]*)"')


@dataclass(frozen=True, slots=True)
class Tag:
    """`<name …>`, `</name>` (`end`) or `<name …/>` (`empty`)."""

    name: str
    end: bool
    empty: bool
    attributes: Mapping[str, str]


class Tags:
    """Reads a text from left to right. Every method raises `BadCall`."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def finished(self) -> bool:
        """Whether only white space is left."""
        return self._skip() == len(self._text)

    def peek(self) -> Tag:
        """The next tag, which white space alone may stand before."""
        return self._next()[0]

    def take(self) -> Tag:
        """Pass the next tag."""
        tag, self._at = self._next()
        return tag

    def open(self, name: str) -> Tag:
        """Pass a tag that begins `name`."""
        tag = self.take()
        if tag.name != name or tag.end:
            raise BadCall(f"`<{name}>` is missing")
        return tag

    def close(self, name: str) -> None:
        """Pass the tag that ends `name`."""
        tag = self.take()
        if tag.name != name or not tag.end:
            raise BadCall(f"`</{name}>` is missing")

    def text(self, end: str) -> str:
        """Pass text, and the tag that ends `end`."""
        closing = f"</{end}>"
        at = self._text.find(closing, self._at)
        if at < 0:
            raise BadCall(f"`{closing}` is missing")
        raw, self._at = self._text[self._at : at], at + len(closing)
        return xml_read(raw)

    def _skip(self) -> int:
        found = _SPACE.match(self._text, self._at)
        return found.end() if found else self._at

    def _next(self) -> tuple[Tag, int]:
        found = _TAG.match(self._text, self._skip())
        if found is None:
            raise BadCall("something else than a tag of a call stands in it")
        attributes: dict[str, str] = {}
        for one in _ATTRIBUTE.finditer(found["attributes"]):
            if one["key"] in attributes:
                raise BadCall(f"`{one['key']}` stands twice in one tag")
            attributes[one["key"]] = xml_read(one["value"])
        return Tag(found["name"], bool(found["end"]), bool(found["empty"]), attributes), found.end()


def attribute(tag: Tag, key: str) -> str:
    """The attribute `key` of a tag. Raises `BadCall` if it has none."""
    if key not in tag.attributes:
        raise BadCall(f"`<{tag.name}>` has no `{key}`")
    return tag.attributes[key]
