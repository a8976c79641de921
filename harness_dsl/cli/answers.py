"""What `check` found, as JSON and back: for its cache."""

import json
from typing import TYPE_CHECKING, Any

from harness_dsl.diagnostics import Diagnostic, Fix, Label, Span
from harness_dsl.lint.checking import Checked
from harness_dsl.syntax.source import read

if TYPE_CHECKING:
    from harness_dsl.lint.run import Suppressed


def dumped(answer: Checked) -> str:
    """Findings and what comments allow; named tuples become lists."""
    return json.dumps([answer.found, answer.suppressed])


def loaded(data: str, files: list[str]) -> Checked:
    """The answer that `dumped` wrote, about `files`, whose text is read again."""
    found, suppressed = json.loads(data)
    texts = {path: read(path).shown for path in files}
    return Checked([_diagnostic(one) for one in found], [_suppressed(one) for one in suppressed], texts)


def _suppressed(data: list[Any]) -> "Suppressed":
    from harness_dsl.lint.run import Suppressed

    found, reason, span = data
    return Suppressed(_diagnostic(found), reason, Span(*span))


def _diagnostic(data: list[Any]) -> Diagnostic:
    code, message, span, help_, labels, fix = data
    return Diagnostic(
        code,
        message,
        Span(*span),
        help_,
        tuple(Label(Span(*at), text) for at, text in labels),
        fix and Fix(fix[0], Span(*fix[1]), fix[2], fix[3]),
    )
