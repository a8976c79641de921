"""HD708"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.symbols import name_node

if TYPE_CHECKING:
    from harness_dsl.syntax.analysis import Analysis


class UnlistedDeclarations(Rule):
    """A model calls what it has been shown. Without a catalog in the prompt it knows no schema of a tool,
    and never learns when a skill applies. Where a request carries the tools beside the prompt, that is
    what you want.
    """

    code = "HD708"
    enforces = ("two-names",)
    bad = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

prompt system {
  section persona """Be kind."""
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

prompt system {
  section persona """Be kind."""
  section tools catalog tools
}
'''

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        symbols = analysis.symbols
        module = symbols.header is not None and symbols.header.module
        if symbols.prompt is None or module or not analysis.ok:
            return
        contents = [section.content for section in symbols.sections.values()]
        listed = {content.of.text for content in contents if isinstance(content, t.Catalog)}
        firsts: dict[str, t.Node | None] = {
            "tools": next(iter(symbols.tools.values()), None),
            "skills": next(iter(symbols.skills.values()), None),
        }
        for kind, first in firsts.items():
            if first is not None and kind not in listed:
                yield Diagnostic(
                    self.code,
                    f"no section lists the {kind}",
                    analysis.report.span(name_node(first)),
                    f"Add `section {kind} catalog {kind}` to the prompt.",
                )
