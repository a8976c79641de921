"""Loads each imported file once, with its own mistakes."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.reading import real
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.modules.paths import imported_path, project_root
from harness_dsl.syntax.parse import declarations_at, parse
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.source import Source
from harness_dsl.syntax.sources import Sources

if TYPE_CHECKING:
    from harness_dsl.syntax.analysis import Analysis

Reader = Callable[[str], Source]
"""Path to text: from the disk, or from a revision."""


class Module(NamedTuple):
    """`analysis` is None where the file has no text. `found`: its own mistakes."""

    path: str
    text: str
    analysis: "Analysis | None"
    found: list[Diagnostic]

    @property
    def usable(self) -> bool:
        return not any(diagnostic.severity == "error" for diagnostic in self.found)


class Loader:
    """`modules`: every file loaded, by real path, a file after the files it imports."""

    def __init__(self, file: t.File, read: Reader) -> None:
        self.sources = Sources(file.path, file.text)
        self.root = project_root(file.path)
        self.modules: dict[str, Module] = {}
        self._read = read
        self._open: list[tuple[str, str]] = [(_real(file.path), file.path)]
        self._circles: dict[str, list[str]] = {}

    def load(self, decl: t.ImportDecl, importer: str) -> Module | Diagnostic | None:
        """What `decl` imports, or what is wrong with it; None where that is said of another import."""
        span = self.sources.span(decl.target)
        written = value_of(decl.target)
        path = imported_path(written, importer, self.root, span)
        if isinstance(path, Diagnostic):
            return path
        real = _real(path)
        module = self.modules.get(real)
        if module is None:
            keys = [key for key, _ in self._open]
            if real in keys:
                names = [name for _, name in self._open[keys.index(real) :]]
                self._circles.setdefault(real, [*names, names[0]])
                # An import of the file itself is said here, any other circle where it begins.
                return self._circle(decl, importer) if real == keys[-1] else None
            source = self._read(path)
            if source.text is None and source.diagnostics[0].code == "HD112":
                return Diagnostic("HD210", f'there is no module "{written}"', span, "Check the path.")
            module = self._module(path, real, source)
        circle = self._circle(decl, importer)
        if circle is not None:
            return circle
        if not module.usable:
            return Diagnostic("HD212", f'"{written}" has mistakes of its own', span, "Correct them first.")
        return module

    def _circle(self, decl: t.ImportDecl, importer: str) -> Diagnostic | None:
        names = self._circles.pop(_real(importer), None)
        if names is None:
            return None
        return Diagnostic(
            "HD211",
            "these files import each other in a circle: " + " → ".join(names),
            self.sources.span(decl.target),
            "Move what both need into a file of its own.",
        )

    def _module(self, path: str, real: str, source: Source) -> Module:
        from harness_dsl.syntax.analysis import analyse

        self._open.append((real, path))
        base = self.sources.add(path, source.shown)
        module = Module(path, source.shown, None, source.diagnostics)
        if source.text is not None:
            file, found = parse(source.text, path)
            if not file.given_up:
                file.decls = declarations_at(source.text, base)
            analysis = analyse(file, [*source.diagnostics, *found], loader=self)
            module = Module(path, source.text, analysis, analysis.diagnostics)
        self._open.pop()
        self.modules[real] = module
        return module


def _real(path: str) -> str:
    return real(path)
