"""HD310"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness_dsl.diagnostics import Diagnostic, Label
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t

if TYPE_CHECKING:
    from harness_dsl.lint.settled import Settled
    from harness_dsl.syntax.analysis import Analysis


class SettledCondition(Rule):
    """A guard whose condition never holds guards nothing; a branch that is never taken is text that nobody
    reads; a rule that every reply keeps, or none can, teaches a model nothing. Types, ranges and limits
    decide such conditions before anybody speaks.

    A hook may say `if true`: it is meant to act each time.
    """

    code = "HD310"
    enforces = ("declared-conduct", "checkable-rules", "checked-templates")
    bad = '''
tool hold_item(quantity: int(min: 1, max: 9)) -> any {
  """Hold some pieces for the viewer."""
}

hook not_too_many on before_call {
  if calling(hold_item) and argument.quantity > 10
  deny """Hold at most ten pieces."""
}
'''
    good = '''
tool hold_item(quantity: int(min: 1, max: 99)) -> any {
  """Hold some pieces for the viewer."""
}

hook not_too_many on before_call {
  if calling(hold_item) and argument.quantity > 10
  deny """Hold at most ten pieces."""
}
'''

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        if not analysis.ok:
            return
        for condition in _conditions(analysis):
            yield from self._settled(analysis, condition)
        yield from self._out_of_reach(analysis)
        for template in analysis.templates.values():
            yield from self._branches(analysis, template.parts, frozenset())

    def _settled(self, analysis: Analysis, condition: t.Expr) -> Iterator[Diagnostic]:
        if not _may_be_settled(condition):
            return
        from harness_dsl.lint.settled import Settling

        for one in Settling(analysis.symbols).smallest(condition):
            yield self._say(analysis, one)

    def _say(self, analysis: Analysis, one: Settled) -> Diagnostic:
        message = "this always holds" if one.holds else "this never holds"
        message += " for a call that fits its tool" if one.fitting else ""
        advice = f"{one.why} Remove the condition, or compare with something else."
        return Diagnostic(self.code, message, analysis.report.span(one.node), advice)

    def _out_of_reach(self, analysis: Analysis) -> Iterator[Diagnostic]:
        """Rules that no reply within `limits.reply_chars` can keep."""
        from harness_dsl.lint.ranges import most_chars

        most = most_chars(analysis.symbols)
        if most is None:
            return
        from harness_dsl.lint.settled import Settling

        chars, limit = most
        for rule in _rules(analysis):
            free = Settling(analysis.symbols).verdict(rule)
            bound = Settling(analysis.symbols, chars=chars).verdict(rule)
            if free is None and bound is not None and not bound.holds:
                yield Diagnostic(
                    self.code,
                    f"no reply of at most {chars:g} characters can keep this",
                    analysis.report.span(rule),
                    "Ask for less, or raise the limit.",
                    (Label(analysis.report.span(limit), "a reply is never longer"),),
                )

    def _branches(
        self, analysis: Analysis, parts: list[t.PartNode], refused: frozenset[str]
    ) -> Iterator[Diagnostic]:
        """`refused`: conditions of the branches before, which do not hold here."""
        for part in parts:
            match part:
                case t.IfPart():
                    yield from self._branch(analysis, part, refused)
                case t.ForPart():
                    yield from self._branches(analysis, part.body, refused)
                case _:
                    continue

    def _branch(self, analysis: Analysis, part: t.IfPart, refused: frozenset[str]) -> Iterator[Diagnostic]:
        from harness_dsl.syntax.written import source

        asked = source(part.condition)
        if asked in refused:
            message = "this never holds here: a branch before has asked the same"
            span = analysis.report.span(part.condition)
            yield Diagnostic(self.code, message, span, "Remove the branch, or ask for something else.")
        else:
            yield from self._settled(analysis, part.condition)
        yield from self._branches(analysis, part.then, refused)
        yield from self._branches(analysis, part.otherwise, refused | {asked})


def _conditions(analysis: Analysis) -> Iterator[t.Expr]:
    """Those of hooks, rules and expectations."""
    for hook in analysis.symbols.hooks.values():
        for clause in hook.clauses:
            always = clause.word == "if" and getattr(clause.args[0], "value", None) is True
            if clause.word == "if" and not always:
                yield clause.args[0]  # type: ignore[misc]  # the grammar puts an expression there
    yield from _rules(analysis)
    for test in analysis.symbols.tests.values():
        for statement in test.statements:
            if isinstance(statement, t.PredicateExpectation):
                yield statement.predicate


def _rules(analysis: Analysis) -> Iterator[t.Expr]:
    for section in analysis.symbols.sections.values():
        for item in section.content.items if isinstance(section.content, t.Items) else ():
            if item.check is not None:
                yield item.check


def _may_be_settled(node: t.Expr) -> bool:
    """Most conditions ask one question about the conversation, which nothing decides beforehand."""
    return isinstance(node, t.Infix | t.NotExpr | t.LiteralExpr)
