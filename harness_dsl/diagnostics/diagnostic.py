"""The values every checker returns."""

from typing import Literal, NamedTuple

from harness_dsl.diagnostics.codes import CODES

Severity = Literal["error", "warning", "info"]


class Span(NamedTuple):
    """`text[start:end]` of the file at `path`, in code points of its normalised text (line feeds, no BOM)."""

    path: str
    start: int
    end: int


class Label(NamedTuple):
    """A second place, and what it has to do with the first."""

    span: Span
    text: str


class Fix(NamedTuple):
    """Replace `span` by `text`. `safe`: the meaning stays the same."""

    title: str
    span: Span
    text: str
    safe: bool


class Diagnostic(NamedTuple):
    """One mistake. `name` reads well after "allow"; `message` is a lower-case phrase; `help` an
    instruction.
    """

    code: str
    message: str
    span: Span
    help: str = ""
    labels: tuple[Label, ...] = ()
    fix: Fix | None = None

    @property
    def name(self) -> str:
        return CODES[self.code].name

    @property
    def severity(self) -> Severity:
        return CODES[self.code].severity
