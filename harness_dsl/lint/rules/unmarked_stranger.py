"""HD602"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness_dsl.diagnostics import Diagnostic, Label
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.checks.texts import is_reference, paths

if TYPE_CHECKING:
    from harness_dsl.syntax.analysis import Analysis

_STRANGERS = {
    *("message", "messages", "query", "question", "comment", "comments", "chat", "utterance", "danmaku"),
    *("user_input", "user_text", "user_message", "user_query", "viewer_text", "viewer_message"),
    *("customer_message", "learner_message", "student_message"),
    *("弹幕", "评论", "留言", "提问", "问题", "消息", "用户输入", "用户消息"),
}


class UnmarkedStranger(Rule):
    """Whoever can write into the system prompt gives orders. An input called `message` or `弹幕` most
    likely holds what a viewer has typed; marked `untrusted`, it cannot stand there by mistake, now or
    after the next edit. If it is your own text after all, allow it with a reason.
    """

    code = "HD602"
    enforces = ("marked-strangers", "stranger-as-system")
    bad = '''
input message: string

prompt system {
  section persona """Answer this: {{ message }}"""
}
'''
    good = '''
input message: string untrusted

prompt system {
  section persona """Answer the viewer."""
}
'''

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        suspects = {
            name: decl
            for name, decl in analysis.symbols.inputs.items()
            if not decl.untrusted and name.lower() in _STRANGERS
        }
        if not suspects:
            return
        for section in analysis.symbols.sections.values():
            for expression in _printed(analysis, section):
                for path in paths(expression):
                    decl = suspects.pop(path.root.text, None)
                    if decl is not None:
                        yield self._say(analysis, decl, path)

    def _say(self, analysis: Analysis, decl: t.InputDecl, path: t.Path) -> Diagnostic:
        return Diagnostic(
            self.code,
            f"`{decl.name.text}` sounds like the words of a stranger, and stands in the system prompt",
            analysis.report.span(path),
            "Mark it `untrusted` and leave it out: the viewer's words reach the model in a user turn.",
            (Label(analysis.report.span(decl.name), "declared here"),),
        )


def _printed(analysis: Analysis, section: t.SectionDecl) -> Iterator[t.Expr]:
    content = section.content
    quotes = [content.quote] if isinstance(content, t.Prose) else []
    if isinstance(content, t.Items):
        quotes = [item.text.quote for item in content.items]
    for quote in quotes:
        template = analysis.templates.get(id(quote))
        yield from _expressions(template.parts if template else [])


def _expressions(parts: list[t.PartNode]) -> Iterator[t.Expr]:
    for part in parts:
        match part:
            case t.Shown() if not is_reference(part.expression):
                yield part.expression
            case t.IfPart():
                yield from _expressions(part.then)
                yield from _expressions(part.otherwise)
            case t.ForPart():
                yield part.values
                yield from _expressions(part.body)
            case _:
                continue
