"""HD806"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from harness_dsl.diagnostics import Diagnostic, Label
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t

if TYPE_CHECKING:
    from harness_dsl.syntax.analysis import Analysis


class ContradictingExpectations(Rule):
    """No turn can keep both, so the test fails whatever the model does, and a reward made from it
    punishes every answer.
    """

    code = "HD806"
    enforces = ("tests-inside",)
    bad = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

test "the price of a link" {
  user "How much is number 3?"
  expect call get_quote(link_id: 3)
  expect no call get_quote
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

test "the price of a link" {
  user "How much is number 3?"
  expect call get_quote(link_id: 3)
  expect no call get_quote(link_id: 4)
}
'''

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        for test in analysis.symbols.tests.values():
            wanted: list[t.Statement] = []
            refused: list[t.Statement] = []
            for statement in test.statements:
                if isinstance(statement, t.SkillExpectation | t.CallExpectation):
                    (refused if statement.negated else wanted).append(statement)
            for no in refused:
                yes = next((one for one in wanted if _opposed(one, no)), None)
                if yes is not None:
                    label = Label(analysis.report.span(yes), "what it expects")
                    message, advice = "the test expects the opposite too", "Keep one of the two."
                    yield Diagnostic(self.code, message, analysis.report.span(no), advice, (label,))


def _opposed(yes: t.Statement, no: t.Statement) -> bool:
    """Whether whatever keeps `yes` breaks `no`."""
    if isinstance(yes, t.SkillExpectation) and isinstance(no, t.SkillExpectation):
        return yes.skill.text == no.skill.text
    if not isinstance(yes, t.CallExpectation) or not isinstance(no, t.CallExpectation):
        return False
    if yes.tool.text != no.tool.text:
        return False
    given = _arguments(yes)
    return all(name in given and given[name] == value for name, value in _arguments(no).items())


def _arguments(node: t.CallExpectation) -> dict[str, Any]:
    from harness_dsl.syntax.values import plain

    return {argument.name.text: plain(argument.value) for argument in node.arguments}
