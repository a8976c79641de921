"""Names, types and meaning of a whole file, found on the tree. What it lets pass can be lowered."""

from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.diagnostics.lines import Lines
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.expressions import Expressions
from harness_dsl.syntax.fixtures import Fixtures
from harness_dsl.syntax.parse import parse
from harness_dsl.syntax.report import Report
from harness_dsl.syntax.source import Source, read
from harness_dsl.syntax.sources import Sources
from harness_dsl.syntax.symbols import Collector, Symbols
from harness_dsl.syntax.template import Template

if TYPE_CHECKING:
    from harness_dsl.syntax.modules.link import Linked
    from harness_dsl.syntax.modules.loader import Loader, Module, Reader

_OF_MODULES = (t.ImportDecl, t.UseDecl, t.OverrideDecl)
"""Declarations that need the modules of a file."""
_MISSING = ("HD110", "HD205", "HD502", "HD803")
"""Codes that say that something is missing."""


class Analysis:
    """`templates`: the parsed text of each quote that is prose. `canonical`: the quote of each text, by id.
    `fixtures`: data read for tests. `linked`: the modules of a file that has some. `beside`: the text of
    files in other languages that findings point into, by path.
    """

    def __init__(
        self,
        file: t.File,
        symbols: Symbols,
        report: Report,
        fixtures: Fixtures,
        linked: "Linked | None" = None,
    ) -> None:
        self.file = file
        self.symbols = symbols
        self.report = report
        self.fixtures = fixtures
        self.linked = linked
        self.expressions = Expressions(symbols, report)
        self.templates: dict[int, Template] = {}
        self.canonical: dict[str, t.Quote] = {}
        self.beside: dict[str, str] = {}

    @property
    def diagnostics(self) -> list[Diagnostic]:
        return self.report.found

    @property
    def ok(self) -> bool:
        return not any(diagnostic.severity == "error" for diagnostic in self.report.found)

    @property
    def modules(self) -> "list[Module]":
        """The files that this one needs, each after those that it needs itself."""
        return [] if self.linked is None else list(self.linked.loader.modules.values())

    def template(self, quote: t.Quote) -> Template:
        """The parsed text of `quote`, which prose checking has seen."""
        return self.templates[id(quote)]


def analyse(
    file: t.File, syntax: list[Diagnostic], root: str | None = None, loader: "Loader | None" = None
) -> Analysis:
    """Everything that is wrong in `file`, beside the `syntax` mistakes already found.

    `root`: the folder that fixtures are relative to; by default the folder of the file. `loader`: where its
    modules come from, if it has any or is one.
    """
    from harness_dsl.syntax import checks

    linked = None if loader is None else _linked(file, loader)
    sources = loader.sources if loader is not None else Sources(file.path, file.text)
    collector = Collector(file.decls if linked is None else linked.decls, sources)
    symbols = collector.collect()
    lost = file.lost if linked is None else file.lost | linked.lost
    found = [] if linked is None else linked.found
    report = Report(sources, lost, [*syntax, *found, *collector.found])
    analysis = Analysis(file, symbols, report, Fixtures(file.path, root), linked)
    if file.given_up:
        return analysis
    checks.run(analysis)
    if linked is not None:
        from harness_dsl.syntax.modules.unfit import at_uses

        report.found = at_uses(report.found, file.path, linked.uses, sources)
    report.found = [*syntax, *_without_consequences(report.found[len(syntax) :], syntax, file)]
    return analysis


def _linked(file: t.File, loader: "Loader") -> "Linked":
    from harness_dsl.syntax.modules.link import Linked

    return Linked(file, loader).link()


def _without_consequences(
    found: list[Diagnostic], syntax: list[Diagnostic], file: t.File
) -> list[Diagnostic]:
    """A line that could not be parsed says nothing about names and types: what is left of it may be half. Nor
    is anything known to be missing from a declaration with such a line.
    """
    if not syntax:
        return found
    lines = Lines(file.text)
    offsets = [diagnostic.span.start for diagnostic in syntax]
    broken = {lines.place(offset).line for offset in offsets}
    halves = [decl for decl in file.decls if any(decl.start <= offset <= decl.end for offset in offsets)]

    def follows(one: Diagnostic) -> bool:
        missing = one.code in _MISSING and any(d.start <= one.span.start <= d.end for d in halves)
        return missing or lines.place(one.span.start).line in broken

    return [one for one in found if not follows(one)]


def analysed(
    source: Source, path: str, project: str | Path | None = None, reader: "Reader" = read
) -> Analysis | None:
    """The analysis of a source that can be used, else None. Imports neither pydantic nor the IR's models.

    `reader`: gives the text of each module by its path.
    """
    if source.text is None:
        return None
    file, found = parse(source.text, path)
    root = str(project) if project is not None else None
    loader = None
    if any(isinstance(decl, _OF_MODULES) for decl in file.decls) or _uses_inside(file):
        from harness_dsl.syntax.modules.loader import Loader

        loader = Loader(file, reader)
    return analyse(file, [*source.diagnostics, *found], root, loader)


def _uses_inside(file: t.File) -> bool:
    """Whether `use` stands in the prompt."""
    parts = [part for decl in file.decls if isinstance(decl, t.PromptDecl) for part in decl.parts]
    lists = [part.content for part in parts if isinstance(part, t.SectionDecl)]
    items = [item for content in lists if isinstance(content, t.Items) for item in content.parts]
    return any(isinstance(part, t.UseDecl) for part in [*parts, *items])


def sort(found: list[Diagnostic]) -> list[Diagnostic]:
    return sorted(found, key=lambda diagnostic: (diagnostic.span.start, diagnostic.span.end, diagnostic.code))
