"""Running every rule over an analysis, and suppression by comment."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from harness_dsl.diagnostics import Diagnostic, Fix, Span
from harness_dsl.diagnostics.codes import CODES
from harness_dsl.diagnostics.lines import Lines
from harness_dsl.lint.rules import checking
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis

_ALLOW = re.compile(r"#\s*allow\s+(HD\d{3})\b\s*(:?)\s*(.*)", re.DOTALL)


class Suppressed(NamedTuple):
    """A finding that the comment at `span` allows, for this reason; empty where none is given."""

    found: Diagnostic
    reason: str
    span: Span


class Judged(NamedTuple):
    """What is found in one file, and what a comment in it allows."""

    found: list[Diagnostic]
    suppressed: list[Suppressed]


class _Comment(NamedTuple):
    """A comment that allows `code` on `line`."""

    code: str
    line: int
    reason: str
    node: t.Comment


def lint(analysis: Analysis) -> list[Diagnostic]:
    """What is found in the file of `analysis`, without what a comment in it allows."""
    return judge(analysis).found


def judge(analysis: Analysis) -> Judged:
    """The diagnostics of `analysis` and of every rule in its own file.

    `# allow HD406: reason` allows a warning or a remark on its own line, or on the next line of code when it
    stands alone. Errors cannot be allowed.
    """
    found = list(analysis.diagnostics)
    for rule in checking(analysis):
        found.extend(rule.check(analysis))
    own = [diagnostic for diagnostic in found if diagnostic.span.path == analysis.file.path]
    return _sorted_out(analysis, own)


def _sorted_out(analysis: Analysis, found: Iterable[Diagnostic]) -> Judged:
    comments, bad = _suppressions(analysis)
    if not comments and not bad:
        return Judged(list(found), [])
    lines = Lines(analysis.file.text)
    allowed = {(comment.code, comment.line): comment for comment in comments}
    used: set[_Comment] = set()
    kept: list[Diagnostic] = []
    suppressed: list[Suppressed] = []
    for diagnostic in found:
        comment = allowed.get((diagnostic.code, lines.place(diagnostic.span.start).line))
        if comment is None or diagnostic.severity == "error":
            kept.append(diagnostic)
            continue
        used.add(comment)
        span = Span(analysis.file.path, comment.node.start, comment.node.end)
        suppressed.append(Suppressed(diagnostic, comment.reason, span))
    if analysis.ok:  # behind a mistake, a rule may have been silent about what the comment allows
        unused = (comment for comment in comments if comment not in used)
        bad += [
            _useless(
                analysis, f"nothing here has {comment.code} to allow", comment.node, "Remove the comment."
            )
            for comment in unused
        ]
    return Judged(kept + bad, suppressed)


def _suppressions(analysis: Analysis) -> tuple[list[_Comment], list[Diagnostic]]:
    """The comments that allow something, and what is wrong with such comments."""
    file = analysis.file
    marked = [(comment, match) for comment in file.comments if (match := _ALLOW.match(comment.text))]
    found: list[_Comment] = []
    bad: list[Diagnostic] = []
    if not marked:
        return found, bad
    lines = Lines(file.text)
    starts = [token.start for token in file.tokens]
    for comment, match in marked:
        code, reason = match[1], match[3].strip()
        if code not in CODES or CODES[code].severity == "error":
            advice = "Only warnings and remarks can be."
            bad.append(_useless(analysis, f"{code} cannot be allowed", comment, advice))
            continue
        if not reason or not match[2]:
            message, span = (
                f"no reason is given for allowing {code}",
                Span(file.path, comment.start, comment.end),
            )
            bad.append(Diagnostic("HD118", message, span, f"Write `# allow {code}: why`."))
        offset = comment.start
        if comment.own_line:
            offset = next((start for start in starts if start > comment.end), comment.start)
        found.append(_Comment(code, lines.place(offset).line, reason, comment))
    return found, bad


def _useless(analysis: Analysis, message: str, comment: t.Comment, advice: str) -> Diagnostic:
    """HD119, with the comment taken out: with its line where it has one, else with the space before it."""
    path, text = analysis.file.path, analysis.file.text
    start, end = comment.start, comment.end
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    if comment.own_line and text.startswith("\n", end):
        end += 1
    fix = Fix("remove the comment", Span(path, start, end), "", safe=True)
    return Diagnostic("HD119", message, Span(path, comment.start, comment.end), advice, fix=fix)
