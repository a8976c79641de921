"""`{{ compliance.get_quote }}`: a reference through a module to what was brought in from it."""

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.modules.names import KINDS, named
from harness_dsl.syntax.written import written


def through_modules(analysis: Analysis, quote: t.Quote, parts: list[t.PartNode]) -> None:
    """Rewrites such references in `parts`, the text of `quote`, to `{{ tool.get_quote }}`."""
    if analysis.linked is None:
        return
    aliases = analysis.linked.aliases(quote)
    if aliases:
        _rewrite(analysis, parts, aliases)


def _rewrite(analysis: Analysis, parts: list[t.PartNode], aliases: dict[str, Analysis | None]) -> None:
    for part in parts:
        match part:
            case t.Shown(expression=t.Path() as path) if path.root.text in aliases and path.segments:
                module = aliases[path.root.text]
                if module is not None:
                    _resolve(analysis, path, module)
                else:
                    analysis.report.lost.add(path.root.text)
            case t.IfPart():
                _rewrite(analysis, part.then, aliases)
                _rewrite(analysis, part.otherwise, aliases)
            case t.ForPart():
                _rewrite(analysis, part.body, aliases)
            case _:
                continue


def _resolve(analysis: Analysis, path: t.Path, module: Analysis) -> None:
    length = 2 if path.segments[0].text in KINDS and len(path.segments) > 1 else 1
    found = named(path.segments[:length], module.symbols)
    shown = f"{path.root.text}.{'.'.join(segment.text for segment in path.segments[:length])}"
    if len(found) == 1:
        entry = found[0]
        if entry.name not in getattr(analysis.symbols, KINDS[entry.kind]):
            analysis.report.say("HD405", f"`{shown}` is not brought in", path, f"Add `use {shown}`.")
            analysis.report.lost.add(entry.name)
        path.root = t.Ident(path.root.start, path.root.end, entry.kind)
        path.segments = path.segments[length - 1 :]
        return
    message = f"`{written(path)}` can mean several things" if found else f"there is no `{shown}`"
    help_ = f"Say which: `{path.root.text}.{found[0].kind}.{found[0].name}`." if found else ""
    analysis.report.say("HD405", message, path, help_)
    analysis.report.lost.add(path.root.text)
