"""HD505"""

from collections.abc import Iterator

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis


class UncoveredRule(Rule):
    """Edit uptake, rewards and hooks derive from predicates. A rule without one can be broken unnoticed."""

    code = "HD505"
    bad = '''
prompt system {
  section rules unordered {
    rule brief """Answer briefly."""
  }
}
'''
    good = '''
prompt system {
  section rules unordered {
    rule brief """Answer briefly."""
      check chars(reply) <= 60
  }
}
'''

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        for section in analysis.symbols.sections.values():
            for item in section.content.items if isinstance(section.content, t.Items) else ():
                if item.check is None:
                    at = item.label or t.Node(item.text.start, item.text.start + 3)
                    yield Diagnostic(
                        self.code,
                        "this rule has no predicate",
                        analysis.report.span(at),
                        "Say with `check …` what a reply that keeps it looks like, if it can be said.",
                    )
