"""What a rule is: documentation, a bad and a good example, and for advice also the check itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.diagnostics.codes import CODES

if TYPE_CHECKING:
    from harness_dsl.lint.examples import Example
    from harness_dsl.syntax.analysis import Analysis


class Rule:
    """One diagnostic code; the docstring of its class says which mistake of an author it prevents. What makes
    compiling impossible is found by the analysis itself; its rule documents it and `check` yields nothing
    more. `bad` has this finding and no other, `good` has none.

    `enforces`: keys of `harness_dsl.lint.enforced`, of the principles and kinds of fault it is there for.
    """

    code: ClassVar[str]
    enforces: ClassVar[tuple[str, ...]] = ()
    bad: ClassVar[Example]
    good: ClassVar[Example]

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        """What this rule finds beyond the analysis."""
        del analysis
        return iter(())

    @property
    def name(self) -> str:
        return CODES[self.code].name
