"""HD706"""

from collections.abc import Iterator

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.checks.prompt import in_order
from harness_dsl.syntax.checks.texts import is_reference, paths


class EarlyRuntimeValue(Rule):
    """An engine reuses what it has computed for the part of the prompt that is the same in every room and
    turn. That part ends at the first run-time value, so a section with one belongs behind those without:
    each request is answered sooner, and nothing about its meaning changes.
    """

    code = "HD706"
    enforces = ("unstable-prefix",)
    bad = '''
input shop_name: string

prompt system {
  section persona """You work for {{ shop_name }}."""
  section rules """Be kind."""
}
'''
    good = '''
input shop_name: string

prompt system {
  section rules """Be kind."""
  section persona """You work for {{ shop_name }}."""
}
'''

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        prompt = analysis.symbols.prompt
        if prompt is None or not analysis.ok:
            return
        sections = analysis.symbols.sections
        shown = [sections[name] for name in in_order(list(sections), prompt.order)]
        values = [_first_value(analysis, section) for section in shown]
        for number, value in enumerate(values):
            if value is not None and None in values[number + 1 :]:
                after = shown[number + 1 + values[number + 1 :].index(None)]
                yield Diagnostic(
                    self.code,
                    f"this run-time value stands before `{after.name.text}`, which has none",
                    analysis.report.span(value),
                    "Show the section last, so that engines can reuse what comes before it.",
                )
                return


def _first_value(analysis: Analysis, section: t.SectionDecl) -> t.Expr | None:
    """The first expression in `section` whose value is known at run time only."""
    content = section.content
    quotes = [content.quote] if isinstance(content, t.Prose) else []
    if isinstance(content, t.Items):
        quotes = [item.text.quote for item in content.items]
    for quote in quotes:
        for expression in _expressions(analysis.template(quote).parts):
            if any(path.root.text in analysis.symbols.inputs for path in paths(expression)):
                return expression
    return None


def _expressions(parts: list[t.PartNode]) -> Iterator[t.Expr]:
    for part in parts:
        match part:
            case t.Shown() if not is_reference(part.expression):
                yield part.expression
            case t.IfPart():
                yield part.condition
                yield from _expressions(part.then)
                yield from _expressions(part.otherwise)
            case t.ForPart():
                yield part.values
                yield from _expressions(part.body)
            case _:
                continue
