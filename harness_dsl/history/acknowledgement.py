"""The author's word, in the version line, that a narrowing edit or one that touches safety is meant.

    harness shop "2.0.0"  # acknowledges narrowing, safety: link 7 is gone, and the desk agreed

The comment stands on a line of the header, or alone on a line directly above it. It is no part of the Core.
"""

import re
from dataclasses import dataclass

from harness_dsl.diagnostics import Diagnostic, Span
from harness_dsl.diagnostics.lines import Lines
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.parse import parse

CLASSES = ("narrowing", "safety")
_COMMENT = re.compile(r"#\s*acknowledge[sd]?\b\s*([^:：]*)([:：]?)\s*(.*)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """`classes`: of `narrowing` and `safety`, those that are meant."""

    classes: frozenset[str]
    reason: str


@dataclass(frozen=True, slots=True)
class VersionLine:
    """What the header says. `version`: where the version stands, or the start of a file without a header.

    `problems`: comments that want to acknowledge, and do not. `module`: it is the header of a module.
    """

    version: Span
    said: tuple[Acknowledgement, ...]
    problems: tuple[Diagnostic, ...]
    module: bool = False


def version_line(text: str, path: str) -> VersionLine:
    """The header of the harness in `text`, which stands at `path`."""
    file = _beginning(text, path)
    header = next((decl for decl in file.decls if isinstance(decl, t.Header)), None)
    if header is None:
        return VersionLine(Span(path, 0, 0), (), ())
    said: list[Acknowledgement] = []
    problems: list[Diagnostic] = []
    for comment in _comments(file, header):
        match = _COMMENT.fullmatch(comment.text.rstrip())
        if match is None:
            continue
        read = _read(match, Span(path, comment.start, comment.end))
        if isinstance(read, Acknowledgement):
            said.append(read)
        else:
            problems.append(read)
    version = Span(path, header.version.start, header.version.end)
    return VersionLine(version, tuple(said), tuple(problems), header.module)


_HEADER = re.compile(r"^(?:harness|module)\b", re.MULTILINE)
_WORD = re.compile(r"^\w", re.MULTILINE)


def _beginning(text: str, path: str) -> t.File:
    """The tree of `text` up to the declaration after the header, or of all of it where that is not plain."""
    header = _HEADER.search(text)
    after = _WORD.search(text, header.end()) if header else None
    if after is not None:
        file, found = parse(text[: after.start()], path)
        if not found:
            return file
    return parse(text, path)[0]


def _comments(file: t.File, header: t.Header) -> list[t.Comment]:
    """Those on the lines of the header, and the block of own lines directly above."""
    lines = Lines(file.text)
    by_line = {lines.place(comment.start).line: comment for comment in file.comments}
    first, last = lines.place(header.start).line, lines.place(header.end).line
    while first - 1 in by_line and by_line[first - 1].own_line:
        first -= 1
    return [by_line[line] for line in range(first, last + 1) if line in by_line]


def _read(match: re.Match[str], span: Span) -> Acknowledgement | Diagnostic:
    classes = frozenset(word for word in re.split(r"[\s,]+|\band\b", match[1].strip()) if word)
    advice = "Write `# acknowledges narrowing: why`, with `narrowing`, `safety` or both."
    unknown = sorted(classes - set(CLASSES))
    if unknown:
        return Diagnostic("HD903", f"`{unknown[0]}` is nothing that can be acknowledged", span, advice)
    if not classes:
        return Diagnostic("HD903", "the comment does not say what it acknowledges", span, advice)
    reason = match[3].strip()
    if not match[2] or not reason:
        return Diagnostic("HD903", "the comment gives no reason for what it acknowledges", span, advice)
    return Acknowledgement(classes, reason)
