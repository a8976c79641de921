"""Names, types and meaning of a whole file, found on the tree. What it lets pass can be lowered."""

from pathlib import Path

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.diagnostics.lines import Lines
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.expressions import Expressions
from harness_dsl.syntax.fixtures import Fixtures
from harness_dsl.syntax.parse import parse
from harness_dsl.syntax.report import Report
from harness_dsl.syntax.source import Source
from harness_dsl.syntax.symbols import Collector, Symbols
from harness_dsl.syntax.template import Template


class Analysis:
    """`templates`: the parsed text of each quote that is prose. `canonical`: the quote of each text, by id.
    `fixtures`: data read for tests.
    """

    def __init__(self, file: t.File, symbols: Symbols, report: Report, fixtures: Fixtures) -> None:
        self.file = file
        self.symbols = symbols
        self.report = report
        self.fixtures = fixtures
        self.expressions = Expressions(symbols, report)
        self.templates: dict[int, Template] = {}
        self.canonical: dict[str, t.Quote] = {}

    @property
    def diagnostics(self) -> list[Diagnostic]:
        return self.report.found

    @property
    def ok(self) -> bool:
        return not any(diagnostic.severity == "error" for diagnostic in self.report.found)

    def template(self, quote: t.Quote) -> Template:
        """The parsed text of `quote`, which prose checking has seen."""
        return self.templates[id(quote)]


def analyse(file: t.File, syntax: list[Diagnostic], root: str | None = None) -> Analysis:
    """Everything that is wrong in `file`, beside the `syntax` mistakes already found.

    `root`: the folder that fixtures are relative to; by default the folder of the file.
    """
    from harness_dsl.syntax import checks

    collector = Collector(file)
    symbols = collector.collect()
    report = Report(file.path, file.lost, [*syntax, *collector.found])
    fixtures = Fixtures(file.path, root)
    analysis = Analysis(file, symbols, report, fixtures)
    if any(diagnostic.code == "HD117" for diagnostic in syntax):
        return analysis
    checks.run(analysis)
    report.found = [*syntax, *_without_consequences(report.found[len(syntax) :], syntax, file.text)]
    return analysis


def _without_consequences(found: list[Diagnostic], syntax: list[Diagnostic], text: str) -> list[Diagnostic]:
    """A line that could not be parsed says nothing about names and types: what is left of it may be half."""
    if not syntax:
        return found
    lines = Lines(text)
    broken = {lines.place(diagnostic.span.start).line for diagnostic in syntax}
    return [d for d in found if lines.place(d.span.start).line not in broken]


def analysed(source: Source, path: str, project: str | Path | None = None) -> Analysis | None:
    """The analysis of a source that can be used, else None. Imports neither pydantic nor the IR's models."""
    if source.text is None:
        return None
    file, found = parse(source.text, path)
    root = str(project) if project is not None else None
    return analyse(file, [*source.diagnostics, *found], root)


def sort(found: list[Diagnostic]) -> list[Diagnostic]:
    return sorted(found, key=lambda diagnostic: (diagnostic.span.start, diagnostic.span.end, diagnostic.code))
