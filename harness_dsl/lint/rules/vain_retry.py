"""HD509"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness_dsl.diagnostics import Diagnostic, Label
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t

if TYPE_CHECKING:
    from harness_dsl.syntax.analysis import Analysis

_OF_THE_MODEL = ("results", "called", "calling", "loaded")


class VainRetry(Rule):
    """`retry` asks the model to do it otherwise, and looks again. If the condition is about the room or
    the clock only, the next answer is refused like the first, until none is left: every viewer waits, and
    gets nothing.
    """

    code = "HD509"
    enforces = ("declared-conduct",)
    bad = '''
type Room {
  closed: bool
}

input room: Room

hook closed on before_reply {
  if room.closed
  retry """Say that the shop is closed."""
}
'''
    good = '''
type Room {
  closed: bool
}

input room: Room

hook closed on before_reply {
  if room.closed and not reply contains "closed"
  retry """Say that the shop is closed."""
}
'''

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        for hook in analysis.symbols.hooks.values():
            parts = {clause.word: clause.args[0] for clause in hook.clauses if clause.args}
            action, condition = parts.get("action"), parts.get("if")
            if not isinstance(action, t.Action) or action.word != "retry" or condition is None:
                continue
            if not _looks_at_the_model(condition):
                yield Diagnostic(
                    self.code,
                    "nothing that the model does decides this, so it is refused again",
                    analysis.report.span(condition),
                    "Ask about the reply or the calls too, or use `replace`, `deny` or `inject`.",
                    (Label(analysis.report.span(action), "the model tries again"),),
                )


def _looks_at_the_model(condition: t.Node) -> bool:
    todo: list[object] = [condition]
    while todo:
        match todo.pop():
            case t.ReplyWord():
                return True
            case t.Path() as path if path.root.text == "argument":
                return True
            case t.CallExpr() as call:
                if call.function.text in _OF_THE_MODEL:
                    return True
                todo.append(call.argument)
            case t.Infix() as node:
                todo += [node.left, node.right]
            case t.EveryExpr() as node:
                todo += [node.subject, node.within]
            case t.NotExpr() as node:
                todo.append(node.operand)
            case t.Apply() | t.MatchesExpr() as node:
                todo.append(node.subject)
            case _:
                continue
    return False
