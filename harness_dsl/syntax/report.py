"""Where the passes of the analysis put what they find."""

from harness_dsl.diagnostics import Diagnostic, Fix, Label, Span
from harness_dsl.diagnostics.suggest import close_names, question
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.sources import Sources

COMPARED = 20_000
"""So many names are compared for suggestions in one file: that is a second, however many are misspelt."""


class Report:
    """`lost`: words whose declaration could not be parsed."""

    def __init__(self, sources: Sources, lost: set[str], found: list[Diagnostic]) -> None:
        self._compared = 0
        self.sources = sources
        self.lost = lost
        self.found = found

    def say(
        self,
        code: str,
        message: str,
        at: t.Node,
        help_: str = "",
        label: tuple[t.Node, str] | None = None,
        fix: Fix | None = None,
    ) -> None:
        labels = (Label(self.span(label[0]), label[1]),) if label else ()
        self.found.append(Diagnostic(code, message, self.span(at), help_, labels, fix))

    def span(self, node: t.Node) -> Span:
        return self.sources.span(node)

    def unknown(self, code: str, what: str, at: t.Ident, known: list[str], help_: str = "") -> None:
        """`at` names no `what`. Nothing is said about a name whose declaration could not be parsed."""
        if at.text in self.lost:
            return
        self._compared += len(known)
        names = close_names(at.text, known) if self._compared <= COMPARED else []
        close = question(names)
        advice = (
            (close[0].upper() + close[1:]) if close else help_ or f"Declare it, or use a declared {what}."
        )
        called = "is called " if "`" in what else ""
        self.say(code, f"no {what} {called}`{at.text}`", at, advice, fix=self._replacement(at, names))

    def _replacement(self, at: t.Ident, close: list[str]) -> Fix | None:
        """The one name that comes close; it may still be another than the author meant."""
        written = self.sources.text[at.start : at.end] == at.text
        if len(close) != 1 or not close[0].isidentifier() or not written:
            return None
        return Fix(f"write `{close[0]}`", self.span(at), close[0], safe=False)
