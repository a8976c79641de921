"""Imported text in the canonical layout, without warnings that its author cannot answer for.

A mention of a tool, or of a parameter by its own tool, becomes a reference, as the language wants it. A word
that only happens to equal a name of another tool becomes a literal, and a shown name that a rule warns of is
allowed by comment: the source calls it so. What the model reads stays the same.
"""

import re
from collections.abc import Iterator

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.exchange.prose import literal
from harness_dsl.lint import lint
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis, analysed
from harness_dsl.syntax.format import format_text
from harness_dsl.syntax.source import decode

ALLOWED = {
    "HD207": "the source calls them so",
    "HD701": "the source calls it so",
    "HD703": "the source calls them so",
    "HD709": "the source describes them so",
}
_INDENT = re.compile(" *")


def analyse(text: str, path: str) -> Analysis:
    """The analysis of a generated text."""
    analysis = analysed(decode(text.encode(), path), path)
    assert analysis is not None, "generated text is UTF-8 without NUL"
    return analysis


def tidy(analysis: Analysis) -> str:
    """The text of `analysis`, which is without errors, laid out and without those warnings."""
    path = analysis.file.path
    formatted, found = format_text(with_mentions(analysis, lint(analysis)), path)
    if formatted is None:
        raise AssertionError(f"generated text cannot be parsed: {found[:1]}")
    analysis = analyse(formatted, path)
    return _commented(formatted, _lines(analysis, lint(analysis)))


def with_mentions(analysis: Analysis, found: list[Diagnostic]) -> str:
    """The text of `analysis`, where the bare names in `found` are references or literals."""
    text = analysis.file.text
    edits = sorted(_edit(analysis, diagnostic) for diagnostic in found if diagnostic.code == "HD406")
    for start, end, replacement in reversed(edits):
        text = text[:start] + replacement + text[end:]
    return text


def _edit(analysis: Analysis, found: Diagnostic) -> tuple[int, int, str]:
    """A mention and what stands for it; braces right before it would be read as part of a tag."""
    text, span = analysis.file.text, found.span
    word = text[span.start : span.end]
    braces = span.start
    while text[braces - 1] == "{":
        braces -= 1
    before = text[braces : span.start]
    if found.fix is not None and _own(analysis, found.fix.text, word, span.start):
        replacement = (literal(before) if before else "") + found.fix.text
    else:
        replacement = literal(before + word)
    if any(quote.start < span.start < quote.end and quote.form == "STRING" for quote in _quotes(analysis)):
        replacement = replacement.replace('"', '\\"')
    return braces, span.end, replacement


def _quotes(analysis: Analysis) -> Iterator[t.Quote]:
    yield from analysis.canonical.values()


def _own(analysis: Analysis, reference: str, word: str, at: int) -> bool:
    """Whether `reference` prints `word` and means it: a tool, a skill, or a parameter of the tool around."""
    root, name, *rest = reference.strip("{} ").split(".")
    symbols = analysis.symbols
    decl = symbols.tools.get(name) if root == "tool" else symbols.skills.get(name)
    if decl is None:
        return False
    if not rest:
        return decl.named is None and name == word
    param = symbols.params(name).get(rest[0])
    return param is not None and param.named is None and decl.start <= at < decl.end


def _lines(analysis: Analysis, found: list[Diagnostic]) -> dict[int, list[str]]:
    """The codes to allow, by the offset of the line they are found on."""
    lines: dict[int, list[str]] = {}
    for diagnostic in found:
        if diagnostic.code in ALLOWED and diagnostic.severity == "warning":
            start = analysis.file.text.rfind("\n", 0, diagnostic.span.start) + 1
            codes = lines.setdefault(start, [])
            if diagnostic.code not in codes:
                codes.append(diagnostic.code)
    return lines


def _commented(text: str, lines: dict[int, list[str]]) -> str:
    for start, codes in sorted(lines.items(), reverse=True):
        indent = " " * (_INDENT.match(text, start).end() - start)  # type: ignore[union-attr]  # it always matches
        comments = "".join(f"{indent}# allow {code}: {ALLOWED[code]}\n" for code in codes)
        text = text[:start] + comments + text[start:]
    return text
