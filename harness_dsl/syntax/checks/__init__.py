"""The passes of the analysis, one file for each kind of declaration."""

from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.checks import (
    alternatives,
    conduct,
    declarations,
    names,
    prompt,
    recursion,
    tests,
    together,
    types,
)


def run(analysis: Analysis) -> None:
    """Every pass, over the whole file."""
    types.check(analysis)
    recursion.check(analysis)
    declarations.check(analysis)
    conduct.check(analysis)
    prompt.check(analysis)
    alternatives.check(analysis)
    tests.check(analysis)
    names.check(analysis)
    together.check(analysis)
