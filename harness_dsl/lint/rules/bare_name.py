"""HD406"""

import re
from collections.abc import Iterator

from harness_dsl.diagnostics import Diagnostic, Fix, Span
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.checks.alternatives import text_id
from harness_dsl.syntax.quotes import content, value_of
from harness_dsl.syntax.references import Target, target_of

_WORD = re.compile(r"`([^`\n]+)`|(?<![\w.])([^\W\d]\w*)(?![\w])")
_UNSPACED = r"[\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
"""Han characters and kana: no space stands between words that are written in them."""
_HAS_UNSPACED = re.compile(_UNSPACED)
_SET_OFF = re.compile(_UNSPACED + r"[ \t\u3000]+\Z")


class BareName(Rule):
    """A rename changes what the model sees by that name, and the text would go on saying the old one.

    The fix is safe where the model goes on seeing the same words, and no other wording of the text would then
    lack the reference.

    Only names that are no ordinary words are looked for outside backticks: those with an underscore or
    a digit inside, with capitals inside, or of two and more Chinese or Japanese characters where a
    space sets them off from the text before: `先用 查价 这个工具`, and not `先用查价`, which is prose too.
    In backticks, every tool, skill and parameter counts.
    """

    code = "HD406"
    enforces = ("typed-references", "guessing-at-prose")
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
        otherwise, reworded = _shown_otherwise(analysis), _reworded(analysis)
        for id_, quote in analysis.canonical.items():
            template = analysis.templates.get(id(quote))
            for chunk in _chunks(template.parts) if template else ():
                for found in self._chunk(analysis, quote, chunk, names):
                    safe = id_ not in reworded and found.fix is not None and found.fix.text not in otherwise
                    yield found._replace(fix=found.fix and found.fix._replace(safe=safe))

    def _chunk(
        self, analysis: Analysis, quote: t.Quote, chunk: t.Chunk, names: dict[str, str]
    ) -> Iterator[Diagnostic]:
        for match in _WORD.finditer(chunk.text):
            group = 1 if match[1] is not None else 2
            word = match[group]
            if word not in names or (group == 2 and not _stands_out(chunk.text, match.start(), word)):
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


def _shown_otherwise(analysis: Analysis) -> set[str]:
    """References that are not printed as the identifier, so that a text with one says something else."""
    symbols = analysis.symbols
    found = {f"skill.{name}" for name, skill in symbols.skills.items() if _other(skill)}
    for name, tool in symbols.tools.items():
        found.update([f"tool.{name}"] if _other(tool) else [])
        found.update(f"tool.{name}.{param.name.text}" for param in tool.params if _other(param))
    return {f"{{{{ {path} }}}}" for path in found}


def _reworded(analysis: Analysis) -> set[str]:
    """The ids of texts that have other wordings."""
    found: set[str] = set()
    for entry in analysis.symbols.alternatives:
        target = target_of(entry.target, analysis.symbols)
        if isinstance(entry, t.OtherWordings) and isinstance(target, Target):
            found.add(text_id(target, analysis) or "")
    return found


def _other(decl: t.ToolDecl | t.SkillDecl | t.ParamDecl) -> bool:
    return decl.named is not None and value_of(decl.named) != decl.name.text


def _stands_out(text: str, at: int, word: str) -> bool:
    """Whether the `word` at that offset is meant as a name, as far as its letters and its place tell."""
    if _peculiar(word):
        return True
    apart = len(word) > 1 and _HAS_UNSPACED.search(word) is not None
    return apart and _SET_OFF.search(text, max(0, at - 9), at) is not None


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
