"""HD209"""

from collections.abc import Iterator

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.symbols import ROOTS


class UnusedInput(Rule):
    """Every caller has to give the input, and nothing reads it.

    An untrusted input is the viewer's turn itself, and an input can be read by tools: then it is used where
    a tool has an implementation in Python. An input of a module is there for the files that import it.
    """

    code = "HD209"
    enforces = ("checked-templates",)
    bad = """
input shop_name: string
"""
    good = '''
input shop_name: string

prompt system {
  section persona """You work for {{ shop_name }}."""
}
'''

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        header = analysis.symbols.header
        if (header is not None and header.module) or any(
            _in_python(tool) for tool in analysis.symbols.tools.values()
        ):
            return
        for name, decl in analysis.symbols.inputs.items():
            if not decl.untrusted and name not in analysis.expressions.used and not _cut_off(name, analysis):
                yield Diagnostic(
                    self.code,
                    f"the input `{name}` is used nowhere",
                    analysis.report.span(decl.name),
                    "Remove it, or show it in a text.",
                )


def _cut_off(name: str, analysis: Analysis) -> bool:
    """Whether what would use the input cannot be read, or is misspelt: a mistake of its own has hidden it."""
    if any(one.code == "HD403" and f"`{name}`" in one.help for one in analysis.diagnostics):
        return True
    broken = [
        quote
        for quote in analysis.canonical.values()
        if (template := analysis.templates.get(id(quote))) is not None and template.diagnostics
    ]
    return name in ROOTS or name in analysis.report.lost or any(name in quote.source for quote in broken)


def _in_python(tool: t.ToolDecl) -> bool:
    return any(
        isinstance(node, t.Impl) and node.kind == "python" for clause in tool.clauses for node in clause.args
    )
