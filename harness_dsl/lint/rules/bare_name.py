"""HD406"""

import re
from collections.abc import Iterator

from harness_dsl.diagnostics import Diagnostic, Fix, Span
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.quotes import content

_WORD = re.compile(r"`([^`\n]+)`|(?<![\w.])([^\W\d]\w*)(?![\w])")


class BareName(Rule):
    """A rename changes what the model sees by that name, and the text would go on saying the old one.

    Only names that are no ordinary words are looked for outside backticks: those with an underscore or a
    digit inside, or with capitals inside. In backticks, every tool, skill and parameter counts.
    """

    code = "HD406"
    bad = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

prompt system {
  section rules """Call get_quote first."""
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

prompt system {
  section rules """Call {{ tool.get_quote }} first."""
}
'''

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        names = _references(analysis)
        if not names:
            return
        for quote in analysis.canonical.values():
            template = analysis.templates.get(id(quote))
            for chunk in _chunks(template.parts) if template else ():
                yield from self._chunk(analysis, quote, chunk, names)

    def _chunk(
        self, analysis: Analysis, quote: t.Quote, chunk: t.Chunk, names: dict[str, str]
    ) -> Iterator[Diagnostic]:
        for match in _WORD.finditer(chunk.text):
            group = 1 if match[1] is not None else 2
            word = match[group]
            if word not in names or (group == 2 and not _peculiar(word)):
                continue
            span = _span(analysis, quote, chunk, match.start(group), match.end(group))
            if span is None:
                continue
            reference = f"{{{{ {names[word]} }}}}"
            yield Diagnostic(
                self.code,
                f"`{word}` is written out, so a rename will not reach it",
                span,
                f"Refer to it: `{reference}`.",
                fix=Fix(f"refer to `{names[word]}`", span, reference, safe=True),
            )


def _references(analysis: Analysis) -> dict[str, str]:
    """How to refer to each name; parameters only where one tool has them."""
    symbols = analysis.symbols
    found: dict[str, str] = {}
    owners: dict[str, list[str]] = {}
    for tool in symbols.tools:
        for param in symbols.params(tool):
            owners.setdefault(param, []).append(tool)
    for param, tools in owners.items():
        if len(tools) == 1:
            found[param] = f"tool.{tools[0]}.{param}"
    found.update({name: f"skill.{name}" for name in symbols.skills})
    found.update({name: f"tool.{name}" for name in symbols.tools})
    return found


def _peculiar(word: str) -> bool:
    return "_" in word.strip("_") or word[1:] != word[1:].lower() or any(map(str.isdigit, word))


def _chunks(parts: list[t.PartNode]) -> Iterator[t.Chunk]:
    for part in parts:
        match part:
            case t.Chunk():
                yield part
            case t.IfPart():
                yield from _chunks(part.then)
                yield from _chunks(part.otherwise)
            case t.ForPart():
                yield from _chunks(part.body)
            case t.Shown():
                continue


def _span(analysis: Analysis, quote: t.Quote, chunk: t.Chunk, start: int, end: int) -> Span | None:
    """Where `chunk.text[start:end]` stands in the file; None if it was written with escapes."""
    sources = analysis.report.sources
    whole = content(quote)
    offset = next((at for at in range(len(whole.text)) if whole.origin(at) == chunk.start), None)
    if offset is None:
        return None
    first = whole.origin(offset + start)
    last = whole.origin(offset + end - 1) + 1
    same = sources.text[first:last] == chunk.text[start:end]
    return sources.place(first, last) if same else None
