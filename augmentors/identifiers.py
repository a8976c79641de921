"""Names as text: the words in them, writing styles, what targets accept, and where prose uses one as code."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

Style = Literal["snake", "camel", "kebab"]

TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What OpenAI-style targets accept as the name of a tool."""

_ILLEGAL = re.compile(r"[^A-Za-z0-9_-]")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")
_ALL_WORDS = re.compile(r"[^\W_]+(?:[_-]+[^\W_]+)*")
_BACKTICKS = re.compile(r"`([^`\s]+)`")
_CALLED = re.compile(r"(?<![\w-])([^\W\d][\w-]*)\(")
# Chinese is written without spaces, so that a Latin identifier may touch a Chinese word on either side.
_IDENTIFIER = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z_][A-Za-z0-9_-]*")
_CAMEL = re.compile(r"[a-z][A-Z]")


@lru_cache(maxsize=1 << 16)
def sanitised(name: str) -> str:
    """`name` as a target sees it: every character outside `[A-Za-z0-9_-]` is an underscore, at most 64."""
    return _ILLEGAL.sub("_", name)[:64]


def looks_like(name: str, other: str) -> bool:
    """Whether a target that sanitises names, or a careless reader, takes one for the other."""
    return sanitised(name).lower() == sanitised(other).lower()


def words(name: str) -> tuple[str, ...]:
    """The words of an identifier in lower case: `getQuote`, `get_quote` and `get-quote` have the same."""
    return tuple(word.lower() for word in _WORD.findall(name))


def only_words(name: str) -> bool:
    """Whether the words of `name` are all it says, as they are not in `A+`, `-1` or `≥5`."""
    return _ALL_WORDS.fullmatch(name) is not None


def same_words(name: str, other: str) -> bool:
    """Whether two names are the same words, each in a style of its own."""
    return name == other or (only_words(name) and only_words(other) and words(name) == words(other))


def written(parts: tuple[str, ...], style: Style) -> str:
    """Lower-case words as one identifier."""
    if style == "camel":
        return parts[0] + "".join(part.capitalize() for part in parts[1:])
    return ("_" if style == "snake" else "-").join(parts)


def is_code_like(name: str) -> bool:
    """Whether `name` is no ordinary word: it has an underscore, digits with letters, or a capital inside."""
    letters = any(char.isalpha() for char in name)
    digits = any(char.isdigit() for char in name)
    return "_" in name or (letters and digits) or _CAMEL.search(name) is not None


def code_mentions(text: str) -> Iterator[str]:
    """Identifiers that stand in `text` as code: in backticks, before an opening bracket, or code-like."""
    yield from _BACKTICKS.findall(text)
    yield from _CALLED.findall(text)
    for found in _IDENTIFIER.finditer(text):
        name = found.group()
        if is_code_like(name) or text[found.end() : found.end() + 1] == "(":
            yield name
