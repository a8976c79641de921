"""HD218"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from unicodedata import normalize

from harness_dsl.diagnostics import Diagnostic, Fix
from harness_dsl.diagnostics.suggest import close_names, question
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax.checks.declarations import ENFORCED

if TYPE_CHECKING:
    from harness_dsl.syntax import tree as t
    from harness_dsl.syntax.analysis import Analysis


class UnreadLimit(Rule):
    """The runtime keeps a few limits by name, and any other is for your texts and predicates. One that is
    neither has no effect: most often it is one of the few, misspelt, and replies are as long as they
    like.
    """

    code = "HD218"
    enforces = ("ignored-fields",)
    bad = """
limits {
  reply_char 60
}
"""
    good = """
limits {
  reply_chars 60
}
"""

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        header = analysis.symbols.header
        unknown = [name for name in analysis.symbols.limits if name not in ENFORCED]
        if not unknown or (header is not None and header.module):
            return
        text = normalize("NFC", analysis.report.sources.text)
        read = set(re.findall(r"\blimits\s*\.\s*(\w+)", text))
        for name in unknown:
            # the words of some scripts have marks in them that `\w` does not take
            if name not in read and not re.search(rf"\blimits\s*\.\s*{re.escape(name)}", text):
                yield self._say(analysis, analysis.symbols.limits[name])

    def _say(self, analysis: Analysis, limit: t.LimitDecl) -> Diagnostic:
        span, close = analysis.report.span(limit.name), close_names(limit.name.text, ENFORCED)
        advice = question(close)
        fix = Fix(f"write `{close[0]}`", span, close[0], safe=False) if len(close) == 1 else None
        return Diagnostic(
            self.code,
            f"nothing reads the limit `{limit.name.text}`, and the runtime does not know it",
            span,
            advice[:1].upper() + advice[1:] or f"Use it as `limits.{limit.name.text}`, or remove it.",
            fix=fix,
        )
