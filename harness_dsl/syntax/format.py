"""The canonical layout: one form for every file, idempotent, the same Core.

Tokens are printed as they are written, so every byte inside quotes and text blocks stays. A comment that
ends a line keeps ending that line; any other comment stands on its own line before what it stood before or
in. Imports stand right after the header, sorted.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from grammar.lexer import Token
from harness_dsl.diagnostics import Diagnostic
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.layout import Layout, between
from harness_dsl.syntax.modules.sorting import with_sorted_imports
from harness_dsl.syntax.parse import parse

INDENT = "  "
_GROUPED = (t.InputDecl, t.MovedDecl, t.AliasDecl, t.ImportDecl, t.UseDecl)


def format_text(text: str, path: str) -> tuple[str | None, list[Diagnostic]]:
    """`text` in the canonical layout. None where it cannot be parsed; then the mistakes are returned."""
    file, found = parse(text, path)
    if any(diagnostic.severity == "error" for diagnostic in found):
        return None, found
    moved = with_sorted_imports(file)
    if moved is not None:
        file, _ = parse(moved, path)
    return Printer(file).print(), found


@dataclass(slots=True)
class _Line:
    """Tokens that are printed on one line, and the comment that ends it."""

    depth: int
    tokens: list[Token]
    comment: t.Comment | None = None


class Printer:
    def __init__(self, file: t.File) -> None:
        self.file = file
        self.layout = Layout(file)
        self.out: list[str] = []
        self.decl_at = {decl.start: index for index, decl in enumerate(file.decls)}

    def print(self) -> str:
        comments = deque(self.file.comments)
        end = 0
        before: list[t.Comment] = []
        lines = self._lines()
        for number, line in enumerate(lines):
            last = line.tokens[-1]
            while comments and comments[0].start < last.start:
                before.append(comments.popleft())
            following = lines[number + 1].tokens[0].start if number + 1 < len(lines) else len(self.file.text)
            if comments and comments[0].start < following and not comments[0].own_line:
                line.comment = comments.popleft()
            self._emit(line, before, end)
            end = max(last.end, line.comment.end if line.comment else 0)
            before = []
        self._comments(comments, 0, end)
        return "\n".join(self.out) + "\n" if self.out else ""

    def _lines(self) -> list[_Line]:
        lines: list[_Line] = []
        comments = [comment.start for comment in self.file.comments]
        breaks = self.layout.breaks
        for token in self.file.tokens[:-1]:
            depth = breaks.get(token.start)
            if depth is not None and token.kind == "RBRACE" and lines:
                opener = lines[-1].tokens[-1]
                if opener.kind == "LBRACE" and not between(comments, opener.start, token.start):
                    depth = None
            if depth is None and lines:
                lines[-1].tokens.append(token)
            else:
                lines.append(_Line(depth or 0, [token]))
        return lines

    def _emit(self, line: _Line, before: list[t.Comment], end: int) -> None:
        first = line.tokens[0]
        closes = first.kind in ("RBRACE", "RPAR", "RSQB")
        depth = line.depth + closes
        own = before
        blanks = self._blanks(own, first, end)
        for comment, blank in zip(own, blanks, strict=False):
            if blank and self.out:
                self.out.append("")
            self.out.append(INDENT * depth + comment.text.rstrip())
        if blanks[-1] and self.out and not closes:
            self.out.append("")
        shown = INDENT * line.depth + self.layout.spacing.join(line.tokens)
        if line.comment is not None:
            shown += "  " + line.comment.text.rstrip()
        self.out.append(shown)

    def _blanks(self, own: list[t.Comment], first: Token, end: int) -> list[bool]:
        """Whether an empty line goes before each comment and before the line itself."""
        text = self.file.text
        ends = [end, *(comment.end for comment in own)]
        places = [*(comment.start for comment in own), first.start]
        blanks = [text.count("\n", a, b) > 1 for a, b in zip(ends, places, strict=True)]
        opened = bool(self.out) and self.out[-1].endswith(("{", "("))
        if opened and end:
            blanks[0] = False
        index = self.decl_at.get(first.start)
        if index is None or index == 0:
            return blanks
        decl, previous = self.file.decls[index], self.file.decls[index - 1]
        if type(decl) is type(previous) and isinstance(decl, _GROUPED):
            return blanks
        at = len(blanks) - 1
        while at > 0 and not blanks[at]:
            at -= 1
        blanks[at] = True
        return blanks

    def _comments(self, comments: Iterable[t.Comment], depth: int, end: int) -> None:
        for comment in comments:
            if self.out and self.file.text.count("\n", end, comment.start) > 1:
                self.out.append("")
            self.out.append(INDENT * depth + comment.text.rstrip())
            end = comment.end
