"""How the tokens of one line are joined."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from grammar.lexer import Token

_NONE_BEFORE = frozenset({"COMMA", "RPAR", "RSQB", "COLON", "OPTIONAL", "DOT", "RANGE", "RBRACE"})
_NONE_AFTER = frozenset({"LPAR", "LSQB", "DOT", "RANGE", "LBRACE"})
_INDEXED = frozenset({"NAME", "RSQB", "RPAR", "OPTIONAL", "STRING"})
"""What a `[` right after it belongs to."""


@dataclass(slots=True)
class Spacing:
    """`tight`: offsets of `<` and `>` of generic types. `commas`: ends after which a comma is added.
    `dropped`: offsets of tokens that are left out.
    """

    tight: set[int] = field(default_factory=set)
    commas: set[int] = field(default_factory=set)
    dropped: set[int] = field(default_factory=set)

    def join(self, tokens: Iterable[Token]) -> str:
        parts: list[str] = []
        previous: Token | None = None
        for token in tokens:
            if token.start in self.dropped:
                continue
            if previous is not None and self._spaced(previous, token):
                parts.append(" ")
            parts.append(token.text)
            if token.end in self.commas:
                parts.append(",")
            previous = token
        return "".join(parts)

    def _spaced(self, a: Token, b: Token) -> bool:
        if b.kind == "LBRACE":
            return a.kind not in _NONE_AFTER
        if b.kind in _NONE_BEFORE or a.kind in _NONE_AFTER or b.start in self.tight:
            return False
        if a.start in self.tight:
            return a.kind == "GT" and b.kind != "LSQB"
        if b.kind == "LPAR":
            return a.kind != "NAME"
        return b.kind != "LSQB" or a.kind not in _INDEXED
