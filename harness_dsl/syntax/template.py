"""Templates inside quoted texts: `{{ expression }}`, `{% if %}…{% elif %}…{% else %}…{% endif %}`,
`{% for x in xs %}…{% endfor %}`.

A single brace is an ordinary character. A literal `{{` or `{%` is written `{{ "{{" }}` or `{{ "{%" }}`.
"""

import re
from typing import Any, NamedTuple

from grammar.driver import parse as drive
from grammar.lexer import lex
from harness_dsl.diagnostics import Diagnostic, Label, Span
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.build import TemplateTag, build
from harness_dsl.syntax.parse import too_high
from harness_dsl.syntax.quotes import Content, content

_OPEN = re.compile(r"\{\{|\{%")
_CLOSE = {
    "{{": re.compile(r'((?>"(?>\\.|[^"\\\n])*"|[^"}]|\}(?!\}))*+)\}\}'),
    "{%": re.compile(r'((?>"(?>\\.|[^"\\\n])*"|[^"%]|%(?!\}))*+)%\}'),
}
DEPTH = 40


class Template:
    """The parts of one text. With diagnostics, parts are what could be saved."""

    __slots__ = ("diagnostics", "parts")

    def __init__(self) -> None:
        self.parts: list[t.PartNode] = []
        self.diagnostics: list[Diagnostic] = []


class _Open(NamedTuple):
    """An `if` or `for` whose end is still to come. `branches`: the tag that begins each, and its parts."""

    tag: TemplateTag
    branches: list[tuple[TemplateTag, list[t.PartNode]]]


def template_of(quote: t.Quote, path: str) -> Template:
    """The template that `quote` holds."""
    return _Reader(content(quote), path).read()


class _Reader:
    def __init__(self, text: Content, path: str) -> None:
        self.content = text
        self.path = path
        self.result = Template()
        self.open: list[_Open] = []

    def read(self) -> Template:
        text, at = self.content.text, 0
        unclosed: set[str] = set()
        while (opening := _OPEN.search(text, at)) is not None:
            self._chunk(at, opening.start())
            closing = None
            if opening[0] not in unclosed:
                closing = _CLOSE[opening[0]].match(text, opening.end())
            if closing is None and opening[0] in unclosed:
                at = opening.end()
                continue
            if closing is None:
                unclosed.add(opening[0])
                self._say(
                    "HD401",
                    f"this `{opening[0]}` is never closed",
                    opening.start(),
                    opening.end(),
                    f'Close it, or write `{{{{ "{opening[0]}" }}}}` for the characters themselves.',
                )
                at = opening.end()
                continue
            self._tag(opening[0], opening.start(), closing.start(1), closing.end(1), closing.end())
            at = closing.end()
        self._chunk(at, len(text))
        while self.open:
            unended = self.open.pop()
            self._unbalanced(unended.tag, f"`{unended.tag.word}` has no `end{unended.tag.word}`")
            self._here().extend(part for _, parts in unended.branches for part in parts)
        return self.result

    def _here(self) -> list[t.PartNode]:
        return self.open[-1].branches[-1][1] if self.open else self.result.parts

    def _chunk(self, start: int, end: int) -> None:
        if end > start:
            origin = self.content.origin
            self._here().append(t.Chunk(origin(start), origin(end - 1) + 1, self.content.text[start:end]))

    def _tag(self, mark: str, outer: int, start: int, end: int, outer_end: int) -> None:
        node = self._parse("template_expression" if mark == "{{" else "template_tag", start, end, outer)
        if node is None:
            return
        origin = self.content.origin
        if mark == "{{":
            self._here().append(t.Shown(origin(outer), origin(outer_end - 1) + 1, node))
        else:
            self._nest(node)

    def _parse(self, rule: str, start: int, end: int, outer: int) -> Any:
        lexed = lex(self.content.text, start, end)
        if lexed.problems:
            problem = lexed.problems[0]
            character = self.content.text[problem.start]
            self._say(
                "HD402", f"`{character}` has no place in a template tag", problem.start, problem.end, _BRACES
            )
            return None
        origin = self.content.origin
        for token in lexed.tokens:
            if token.kind == "$END":
                token.start = token.end = origin(end - 1) + 1
            else:
                token.start, token.end = origin(token.start), origin(token.end - 1) + 1
        parsed = drive(lexed.tokens, rule, build)
        if parsed.too_high is not None:
            self.result.diagnostics.append(too_high(self.path, *parsed.too_high))
            return None
        if not parsed.problems:
            return parsed.root
        token = parsed.problems[0].token
        if len(lexed.tokens) == 1:
            self._say("HD402", "this tag is empty", outer, end + 2, _BRACES)
        else:
            what = "the tag ends too early" if token.kind == "$END" else f"unexpected `{token.text}`"
            self.result.diagnostics.append(
                Diagnostic("HD402", what, Span(self.path, token.start, max(token.end, token.start)), _BRACES)
            )
        return None

    def _nest(self, tag: TemplateTag) -> None:
        if tag.word in ("if", "for"):
            if len(self.open) >= DEPTH:
                self._unbalanced(tag, f"more than {DEPTH} tags are open")
                return
            self.open.append(_Open(tag, [(tag, [])]))
        elif tag.word in ("elif", "else"):
            if (
                not self.open
                or self.open[-1].tag.word != "if"
                or self.open[-1].branches[-1][0].word == "else"
            ):
                self._unbalanced(tag, f"`{tag.word}` stands outside an `if`")
                return
            self.open[-1].branches.append((tag, []))
        elif not self.open or self.open[-1].tag.word != tag.word.removeprefix("end"):
            self._unbalanced(tag, f"`{tag.word}` ends nothing that is open")
        else:
            ended = self.open.pop()
            self._here().append(_closed(ended, tag.end))

    def _unbalanced(self, tag: TemplateTag, message: str) -> None:
        labels: tuple[Label, ...] = ()
        if self.open and self.open[-1].tag is not tag:
            outer = self.open[-1].tag
            labels = (Label(Span(self.path, outer.start, outer.end), "this is open"),)
        self.result.diagnostics.append(
            Diagnostic(
                "HD404",
                message,
                Span(self.path, tag.start, tag.end),
                "Give every `{% if %}` its `{% endif %}` and every `{% for %}` its `{% endfor %}`.",
                labels,
            )
        )

    def _say(self, code: str, message: str, start: int, end: int, help_: str) -> None:
        origin = self.content.origin
        span = Span(self.path, origin(start), origin(max(end - 1, start)) + 1)
        self.result.diagnostics.append(Diagnostic(code, message, span, help_))


_BRACES = 'Write an expression between the braces, or `{{ "{{" }}` for two literal braces.'


def _closed(ended: _Open, end: int) -> t.IfPart | t.ForPart:
    tag = ended.tag
    assert tag.expression is not None
    if tag.word == "for":
        assert tag.variable is not None
        return t.ForPart(tag.start, end, tag.variable, tag.expression, ended.branches[0][1])
    otherwise: list[t.PartNode] = []
    for branch, parts in reversed(ended.branches[1:]):
        if branch.word == "else":
            otherwise = parts
        else:
            assert branch.expression is not None
            otherwise = [t.IfPart(branch.start, end, branch.expression, parts, otherwise)]
    return t.IfPart(tag.start, end, tag.expression, ended.branches[0][1], otherwise)
