"""A disagreement as a diagnostic with a place in the file."""

from harness_dsl.diagnostics import Diagnostic, Span
from harness_dsl.ir.ids import leaf
from harness_dsl.syntax.opening import Opened
from runtime.contracts.plan import Verdict

CODE = "HD510"


def diagnostic(verdict: Verdict, opened: Opened) -> Diagnostic:
    """What is to be said of an implementation that does not agree, at its hook."""
    span = opened.spans.get(verdict.hook, Span(opened.path, 0, 0))
    help_ = f"Let both say the same, or take `same as` away from `{leaf(verdict.hook)}`."
    return Diagnostic(CODE, words(verdict), span, help_)


def words(verdict: Verdict) -> str:
    """The smallest event found, and both answers."""
    return (
        f"`{verdict.target}` and the condition disagree on {verdict.parted}: "
        f"by the condition {verdict.expected}, by the function {verdict.said}"
    )
