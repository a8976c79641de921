"""HD703"""

from collections.abc import Iterator

from harness_dsl.diagnostics import Diagnostic, Label
from harness_dsl.lint.confusables import skeleton
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.checks.names import spaces


class ConfusableSurfaceNames(Rule):
    """Two shown names look alike. Models and people mix them up, and a log does not show which one was
    meant.
    """

    code = "HD703"
    enforces = ("full-unicode", "letters-alike")
    bad = '''
tool get_quote named "quote_l"(link_id: int) -> any {
  """Quote one product."""
}

tool get_item named "quote_1"(link_id: int) -> any {
  """Describe one product."""
}
'''
    good = '''
tool get_quote named "quote"(link_id: int) -> any {
  """Quote one product."""
}

tool get_item named "item"(link_id: int) -> any {
  """Describe one product."""
}
'''

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        for entries in spaces(analysis).values():
            seen: dict[str, tuple[str, object]] = {}
            for name, at in entries:
                first, where = seen.setdefault(skeleton(name), (name, at))
                if first != name and not _declared(name, first, analysis):
                    label = Label(analysis.report.span(where), "the other one")  # type: ignore[arg-type]
                    yield Diagnostic(
                        self.code,
                        f"`{name}` is shown beside `{first}` and looks like it",
                        analysis.report.span(at),
                        'Give one of them another name with `named "…"`.',
                        (label,),
                    )


def _declared(name: str, first: str, analysis: Analysis) -> bool:
    """Both are plain identifiers: then HD207 says it already."""
    del analysis
    return name.isidentifier() and first.isidentifier() and not (name.isascii() and first.isascii())
