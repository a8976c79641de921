"""HD505"""

from collections.abc import Iterator

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis


class UncoveredRule(Rule):
    """A rule without a predicate can be broken unnoticed: tests, rewards and the uptake of edits are
    computed from predicates. Some rules cannot be said so, and then a comment says why.
    """

    code = "HD505"
    enforces = ("checkable-rules",)
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
