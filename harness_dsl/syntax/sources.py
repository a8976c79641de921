"""A file and the modules it imports as one text: every node has offsets into the whole, every span names its
file.
"""

from bisect import bisect_right

from harness_dsl.diagnostics import Diagnostic, Label, Span
from harness_dsl.syntax import tree as t


class Sources:
    """The first file begins at offset 0, so a file without imports has its own offsets."""

    def __init__(self, path: str, text: str) -> None:
        self._paths = [path]
        self._starts = [0]
        self._texts = [text]
        self._end = len(text)
        self._whole: str | None = text

    def add(self, path: str, text: str) -> int:
        """Puts a file behind the others; returns the offset at which it begins."""
        start = self._end + 1
        self._paths.append(path)
        self._starts.append(start)
        self._texts.append(text)
        self._end = start + len(text)
        self._whole = None
        return start

    @property
    def text(self) -> str:
        if self._whole is None:
            self._whole = "\n".join(self._texts)
        return self._whole

    @property
    def files(self) -> dict[str, str]:
        """Text by path, in the order in which the files were added."""
        return dict(zip(self._paths, self._texts, strict=True))

    def path(self, offset: int) -> str:
        """The file that `offset` is in."""
        return self._paths[bisect_right(self._starts, offset) - 1]

    def place(self, start: int, end: int) -> Span:
        """`text[start:end]` in its own file."""
        index = bisect_right(self._starts, start) - 1
        first = self._starts[index]
        return Span(self._paths[index], start - first, end - first)

    def span(self, node: t.Node) -> Span:
        return self.place(node.start, node.end)

    def offset(self, span: Span) -> int:
        """Where `span` begins in the whole; the inverse of `place`."""
        return self._starts[self._paths.index(span.path)] + span.start

    def placed(self, found: Diagnostic) -> Diagnostic:
        """`found`, whose spans are offsets into the whole, with spans that name their files."""
        fix = found.fix
        return found._replace(
            span=self.place(found.span.start, found.span.end),
            labels=tuple(Label(self.place(at.start, at.end), text) for at, text in found.labels),
            fix=fix and fix._replace(span=self.place(fix.span.start, fix.span.end)),
        )
