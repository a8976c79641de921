"""HD207"""

from collections.abc import Iterator

from harness_dsl.diagnostics import Diagnostic, Label
from harness_dsl.lint.confusables import skeleton
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis


class ConfusableNames(Rule):
    """Two identifiers look the same but are written with other letters: a reader cannot tell which one is
    meant.
    """

    code = "HD207"
    enforces = ("full-unicode", "letters-alike")
    bad = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

tool gеt_quote named "quote"(link_id: int) -> any {
  """The second letter of its identifier is Cyrillic."""
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

tool get_item(link_id: int) -> any {
  """Describe one product."""
}
'''

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        for names in _identifiers(analysis):
            seen: dict[str, t.Ident] = {}
            for name in names:
                key = skeleton(name.text)
                first = seen.setdefault(key, name)
                if first.text != name.text:
                    yield Diagnostic(
                        self.code,
                        f"`{name.text}` looks like `{first.text}`",
                        analysis.report.span(name),
                        "Rename one of the two.",
                        (Label(analysis.report.span(first), "the other one"),),
                    )


def _identifiers(analysis: Analysis) -> Iterator[list[t.Ident]]:
    s = analysis.symbols
    yield [decl.name for decl in s.types.values()]
    yield [decl.name for decl in s.inputs.values()]
    yield [decl.name for decl in s.tools.values()]
    yield [decl.name for decl in s.skills.values()]
    yield [decl.name for decl in s.hooks.values()]
    yield [decl.name for decl in s.sections.values()]
    yield [decl.name for decl in s.limits.values()]
    for tool in s.tools.values():
        yield [param.name for param in tool.params]
    for type_ in s.types.values():
        if isinstance(type_, t.RecordDecl):
            yield [field.name for field in type_.fields]
