"""Running every rule over an analysis, and suppression by comment."""

import re
from collections.abc import Iterable

from harness_dsl.diagnostics import Diagnostic, Span
from harness_dsl.diagnostics.codes import CODES
from harness_dsl.diagnostics.lines import Lines
from harness_dsl.lint.rules import checking
from harness_dsl.syntax.analysis import Analysis

_ALLOW = re.compile(r"#\s*allow\s+(HD\d{3})\b\s*(:?)\s*(.*)", re.DOTALL)


def lint(analysis: Analysis) -> list[Diagnostic]:
    """The diagnostics of `analysis` and of every rule in its own file, without those that a comment allows.

    `# allow HD406: reason` allows a warning or a remark on its own line, or on the next line of code when it
    stands alone. Errors cannot be allowed.
    """
    found = list(analysis.diagnostics)
    for rule in checking():
        found.extend(rule.check(analysis))
    own = [diagnostic for diagnostic in found if diagnostic.span.path == analysis.file.path]
    return _unsuppressed(analysis, own)


def _unsuppressed(analysis: Analysis, found: Iterable[Diagnostic]) -> list[Diagnostic]:
    allowed, bad = _suppressions(analysis)
    if not allowed and not bad:
        return list(found)
    lines = Lines(analysis.file.text)
    used: set[Span] = set()
    kept = []
    for diagnostic in found:
        key = (diagnostic.code, lines.place(diagnostic.span.start).line)
        if diagnostic.severity != "error" and key in allowed:
            used.add(allowed[key])
        else:
            kept.append(diagnostic)
    for (code, _), span in allowed.items():
        if span not in used:
            kept.append(Diagnostic("HD119", f"nothing here has {code} to allow", span, "Remove the comment."))
    return kept + bad


def _suppressions(analysis: Analysis) -> tuple[dict[tuple[str, int], Span], list[Diagnostic]]:
    """(code, line) → the comment that allows it there; and what is wrong with such comments."""
    file = analysis.file
    allowed: dict[tuple[str, int], Span] = {}
    bad: list[Diagnostic] = []
    marked = [(comment, match) for comment in file.comments if (match := _ALLOW.match(comment.text))]
    if not marked:
        return allowed, bad
    lines = Lines(file.text)
    starts = [token.start for token in file.tokens]
    for comment, match in marked:
        span = Span(file.path, comment.start, comment.end)
        code, reason = match[1], match[3].strip()
        if code not in CODES or CODES[code].severity == "error":
            bad.append(
                Diagnostic("HD119", f"{code} cannot be allowed", span, "Only warnings and remarks can be.")
            )
            continue
        if not reason or not match[2]:
            bad.append(
                Diagnostic(
                    "HD118", f"no reason is given for allowing {code}", span, f"Write `# allow {code}: why`."
                )
            )
        offset = (
            next((s for s in starts if s > comment.end), comment.start) if comment.own_line else comment.start
        )
        allowed[code, lines.place(offset).line] = span
    return allowed, bad
