"""HD209"""

from collections.abc import Iterator

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis


class UnusedInput(Rule):
    """Every caller has to give the input, and nothing reads it.

    An untrusted input is the viewer's turn itself, and an input can be read by tools: then it is used where
    a tool has an implementation in Python. An input of a module is there for the files that import it.
    """

    code = "HD209"
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
            if not decl.untrusted and name not in analysis.expressions.used:
                yield Diagnostic(
                    self.code,
                    f"the input `{name}` is used nowhere",
                    analysis.report.span(decl.name),
                    "Remove it, or show it in a text.",
                )


def _in_python(tool: t.ToolDecl) -> bool:
    return any(
        isinstance(node, t.Impl) and node.kind == "python" for clause in tool.clauses for node in clause.args
    )
