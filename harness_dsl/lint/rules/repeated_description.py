"""HD709"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness_dsl.diagnostics import Diagnostic, Label
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t

if TYPE_CHECKING:
    from harness_dsl.syntax.analysis import Analysis


class RepeatedDescription(Rule):
    """A model chooses by what it reads. Two tools, or two skills, that are described in the same words
    can only be told apart by their names, and variants show them under others. It is most often a copy
    that was never finished.
    """

    code = "HD709"
    enforces = ("two-names",)
    bad = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

tool get_item(link_id: int) -> any {
  """Quote one product."""
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

tool get_item(link_id: int) -> any {
  """Say what a product is made of."""
}
'''

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        tables = ((analysis.symbols.tools, "text", "tool"), (analysis.symbols.skills, "when", "skill"))
        for table, word, kind in tables:
            seen: dict[str, tuple[str, t.Quote]] = {}
            for name, decl in table.items():
                quote = _text(decl.clauses, word)
                if quote is None:
                    continue
                first, where = seen.setdefault(_plain(quote), (name, quote))
                if where is not quote:
                    yield Diagnostic(
                        self.code,
                        f"the {kind} `{name}` is described like `{first}`",
                        analysis.report.span(quote),
                        "Say what only this one is for.",
                        (Label(analysis.report.span(where), "the same words"),),
                    )


def _text(clauses: list[t.Clause], word: str) -> t.Quote | None:
    for clause in clauses:
        if clause.word == word and clause.args and isinstance(clause.args[0], t.Prose):
            return clause.args[0].quote
    return None


def _plain(quote: t.Quote) -> str:
    return " ".join(quote.source.strip('"').split()).casefold()
