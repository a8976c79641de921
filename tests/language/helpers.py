"""Checking a text as `harnessc check` does."""

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.lint import lint
from harness_dsl.lint.examples import whole
from harness_dsl.syntax.analysis import analysed, sort
from harness_dsl.syntax.source import decode

PATH = "x.harness"


def check(text: str | bytes) -> list[Diagnostic]:
    """Every finding of `harnessc check` in `text`."""
    source = decode(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text, PATH)
    analysis = analysed(source, PATH)
    return source.diagnostics if analysis is None else sort(lint(analysis))


def check_body(body: str) -> list[Diagnostic]:
    """Findings in a file whose declarations are `body`, with a header and a prompt where they are missing."""
    return check(whole(body))


def codes(found: list[Diagnostic]) -> list[str]:
    return [diagnostic.code for diagnostic in found if diagnostic.severity != "info"]


def at_fault(text: str, found: Diagnostic) -> str:
    """The text under the caret."""
    return text[found.span.start : found.span.end]
