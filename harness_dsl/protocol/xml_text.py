"""Text inside tags and attributes. Of entities, the five of XML are known, and characters by number."""

import re

from harness_dsl.protocol.calls import BadCall
from harness_dsl.protocol.markers import MARKERS, occurrences

_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_BY_NAME = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_SPECIAL = re.compile("[&<>]")
_SPECIAL_IN_ATTRIBUTE = re.compile('[&<>"\n\r\t]')
_ENTITY = re.compile(
    r"&(?:#(?P<number>[0-9]{1,7})|#x(?P<hex>[0-9A-Fa-f]{1,6})|(?P<name>[a-z]+));|(?P<bad>[&<])"
)
_LOOKS_LESS = re.compile("[\ufe64\uff1c]")


def xml_text(text: str) -> str:
    """`text` as it stands between tags."""
    return _hidden(_SPECIAL.sub(lambda found: _NAMED[found[0]], text))


def xml_attribute(text: str) -> str:
    """`text` as it stands between double quotes."""
    return _hidden(_SPECIAL_IN_ATTRIBUTE.sub(lambda found: _NAMED[found[0]], text))


def xml_read(text: str) -> str:
    """The inverse of both. Raises `BadCall` for what is no text."""
    read = _ENTITY.sub(_character, text)
    try:
        read.encode()
    except UnicodeEncodeError:
        raise BadCall("a text holds half of a surrogate pair") from None
    return read


def _hidden(text: str) -> str:
    """`text` in which no normaliser finds a marker that its letters alone would make."""
    if not occurrences(text, MARKERS):
        return text
    return _LOOKS_LESS.sub(lambda found: f"&#{ord(found[0])};", text)


def _character(found: re.Match[str]) -> str:
    if found["name"] in _BY_NAME:
        return _BY_NAME[found["name"]]
    number = int(found["number"] or "0") or int(found["hex"] or "0", 16)
    if not 0 < number <= 0x10FFFF:
        raise BadCall(f"`{found[0]}` stands for no character")
    return chr(number)
