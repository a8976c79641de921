"""Mistakes inside a module that are none there, said where its declarations are brought in."""

from typing import TYPE_CHECKING, NamedTuple

from harness_dsl.diagnostics import Diagnostic, Label
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.modules.names import meanings
from harness_dsl.syntax.sources import Sources
from harness_dsl.syntax.written import written

if TYPE_CHECKING:
    from harness_dsl.syntax.analysis import Analysis


class Use(NamedTuple):
    """`path` brought `decl` in from `module`."""

    path: t.Path
    decl: t.Node
    module: "Analysis"


def at_uses(found: list[Diagnostic], path: str, uses: list[Use], sources: Sources) -> list[Diagnostic]:
    """`found` in the file at `path`, with what is wrong in a module only because of it said at the `use`."""
    here: list[Diagnostic] = []
    said: set[tuple[t.Path, str]] = set()
    for diagnostic in found:
        if diagnostic.span.path == path:
            here.append(diagnostic)
            continue
        offset = sources.offset(diagnostic.span)
        use = next((use for use in uses if use.decl.start <= offset <= use.decl.end), None)
        if diagnostic.severity != "error":
            continue
        if use is None:
            here.append(diagnostic)
            continue
        if (use.path, diagnostic.message) in said:
            continue
        said.add((use.path, diagnostic.message))
        here.append(_unfit(use, diagnostic, sources))
    return here


def _unfit(use: Use, diagnostic: Diagnostic, sources: Sources) -> Diagnostic:
    start = sources.offset(diagnostic.span)
    word = sources.text[start : start + diagnostic.span.end - diagnostic.span.start]
    declared = meanings(word, use.module.symbols)
    return Diagnostic(
        "HD215",
        f"`{written(use.path)}` does not fit here: {diagnostic.message}",
        sources.span(use.path),
        f"Add `use {use.path.root.text}.{word}`." if declared else diagnostic.help,
        (Label(diagnostic.span, "in the module"),),
    )
