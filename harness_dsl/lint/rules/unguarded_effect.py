"""HD508"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t

if TYPE_CHECKING:
    from harness_dsl.syntax.analysis import Analysis

_STOPPING = ("deny", "retry", "replace", "require")


class UnguardedEffect(Rule):
    """What cannot be undone happens because a model said so, perhaps talked into it by a stranger. A hook
    before the call can ask for what has to come first: an identity, a confirmation, a look at the price.
    """

    code = "HD508"
    enforces = ("declared-conduct",)
    bad = '''
tool pay(amount: decimal(min: 0)) -> any {
  """Pay for the order."""
  effect irreversible
}
'''
    good = '''
tool confirm() -> any {
  """Ask the viewer whether the order is right."""
}

tool pay(amount: decimal(min: 0)) -> any {
  """Pay for the order."""
  effect irreversible
}

hook confirmed on before_call {
  if calling(pay) and not called(confirm)
  deny """Ask with {{ tool.confirm }} first."""
}
'''

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        symbols = analysis.symbols
        lasting = [tool for tool in symbols.tools.values() if _effect(tool) == "irreversible"]
        if not lasting or not analysis.ok:
            return
        guarded: set[str] = set()
        for hook in symbols.hooks.values():
            if hook.event.text == "before_call" and _stops(hook):
                # a condition that names no tool looks at the calls of all
                guarded.update(_looked_at(hook) or symbols.tools)
        for tool in lasting:
            if tool.name.text not in guarded:
                yield Diagnostic(
                    self.code,
                    f"no hook looks at calls of `{tool.name.text}`, which cannot be undone",
                    analysis.report.span(tool.name),
                    f"Guard it `on before_call`, with `if calling({tool.name.text}) and …`.",
                )


def _effect(tool: t.ToolDecl) -> str:
    words = [clause.args[0] for clause in tool.clauses if clause.word == "effect"]
    return words[0].text if words and isinstance(words[0], t.Ident) else ""


def _stops(hook: t.HookDecl) -> bool:
    actions = [node for clause in hook.clauses for node in clause.args if isinstance(node, t.Action)]
    return any(action.word in _STOPPING for action in actions)


def _looked_at(hook: t.HookDecl) -> set[str]:
    """The tools that the condition asks `calling(…)` about."""
    found: set[str] = set()
    todo: list[object] = [node for clause in hook.clauses if clause.word == "if" for node in clause.args]
    while todo:
        match todo.pop():
            case t.Infix() as node:
                todo += [node.left, node.right]
            case t.NotExpr() as node:
                todo.append(node.operand)
            case t.CallExpr(argument=t.Path() as path) as node if node.function.text == "calling":
                found.add(path.root.text)
            case _:
                continue
    return found
