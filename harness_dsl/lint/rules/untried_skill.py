"""HD805"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t

if TYPE_CHECKING:
    from harness_dsl.syntax.analysis import Analysis


class UntriedSkill(Rule):
    """Tests are what `guard` runs before an edit goes in, and what training rewards. A skill that none of
    them expects may stop being chosen, and nobody is told.
    """

    code = "HD805"
    enforces = ("tests-inside",)
    bad = '''
reply skill prices {
  when """A viewer asks what something costs."""
}

test "a greeting" {
  user "Hello"
  expect chars(reply) < 60
}
'''
    good = '''
reply skill prices {
  when """A viewer asks what something costs."""
}

test "a price" {
  user "How much is it?"
  expect skill prices
}
'''

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        symbols = analysis.symbols
        if not symbols.tests or not analysis.ok:
            return
        expected = {
            skill
            for test in symbols.tests.values()
            for statement in test.statements
            for skill in _expected(statement)
        }
        for name, skill in symbols.skills.items():
            if name not in expected:
                yield Diagnostic(
                    self.code,
                    f"no test expects the skill `{name}`",
                    analysis.report.span(skill.name),
                    f"Write a test with `expect skill {name}`.",
                )


def _expected(statement: t.Statement) -> Iterator[str]:
    """The skills that `statement` says are loaded."""
    if isinstance(statement, t.SkillExpectation) and not statement.negated:
        yield statement.skill.text
    todo = [statement.predicate] if isinstance(statement, t.PredicateExpectation) else []
    while todo:
        match todo.pop():
            case t.Infix(operator="and") as node:
                todo += [node.left, node.right]
            case t.CallExpr(argument=t.Path() as path) as node if node.function.text == "loaded":
                yield path.root.text
            case _:
                continue
