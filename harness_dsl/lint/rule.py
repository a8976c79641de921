"""What a rule is: documentation, a bad and a good example, and for advice also the check itself."""

from collections.abc import Iterator
from typing import ClassVar

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.diagnostics.codes import CODES
from harness_dsl.syntax.analysis import Analysis


class Rule:
    """One diagnostic code. What makes compiling impossible is found by the analysis itself; its rule
    documents it and `check` yields nothing more. `bad` has this finding (and perhaps others), `good` has
    not.

    Examples are bodies of a file: a header and a prompt are added where they have none.
    """

    code: ClassVar[str]
    bad: ClassVar[str]
    good: ClassVar[str]

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        """What this rule finds beyond the analysis."""
        del analysis
        return iter(())

    @property
    def name(self) -> str:
        return CODES[self.code].name


def example(body: str) -> str:
    """A whole file around the body of an example."""
    head = "" if "harness " in body else 'harness example "1.0.0"\n\n'
    tail = "" if "prompt system" in body else '\n\nprompt system {\n  section persona """Be kind."""\n}\n'
    return head + body.strip("\n") + tail
