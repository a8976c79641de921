"""The names in a declaration, and the declarations of a name."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.symbols import Symbols

KINDS = {
    "type": "types",
    "input": "inputs",
    "tool": "tools",
    "skill": "skills",
    "hook": "hooks",
    "section": "sections",
    "limits": "limits",
}
"""What can be brought in: the word that prose refers to it by, and its table in `Symbols`."""
_TAG = re.compile(r"\{[{%](.*?)[}%]\}", re.DOTALL)
_WORD = re.compile(r"[^\W\d]\w*")


class Entry(NamedTuple):
    """`decl` declares a `kind` called `name`."""

    kind: str
    name: str
    decl: t.Node


def entries(symbols: Symbols) -> Iterator[Entry]:
    """Everything that can be brought in from a file with these symbols."""
    for kind, table in KINDS.items():
        for name, decl in getattr(symbols, table).items():
            yield Entry(kind, name, decl)


def named(path: list[t.Ident], symbols: Symbols) -> list[Entry]:
    """What `NAME` or `KIND.NAME` can mean."""
    words = [segment.text for segment in path]
    if len(words) == 2 and words[0] in KINDS:
        return [entry for entry in meanings(words[1], symbols) if entry.kind == words[0]]
    return meanings(words[0], symbols) if len(words) == 1 else []


def meanings(name: str, symbols: Symbols) -> list[Entry]:
    """What `name` declares, in every kind."""
    tables = ((kind, getattr(symbols, table)) for kind, table in KINDS.items())
    return [Entry(kind, name, table[name]) for kind, table in tables if name in table]


def mentioned(node: object) -> set[str]:
    """Every identifier in `node`, those in the tags of its texts too."""
    found: set[str] = set()
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, t.Ident):
            found.add(part.text)
        elif isinstance(part, t.Quote):
            found.update(word for tag in _TAG.findall(part.source) for word in _WORD.findall(tag))
        elif isinstance(part, t.Node):
            todo += [getattr(part, name) for name in part.__match_args__]
        elif isinstance(part, list | tuple):
            todo += part
        elif isinstance(part, dict):
            todo += part.values()
    return found
