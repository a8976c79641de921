"""Broken twins of the operators that choose names and call syntaxes, and the law that rejects each."""

from random import Random

from augmentors.base import Operator
from augmentors.operators.call_syntax import CallSyntax
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface


class CallsFixed(CallSyntax):
    """Writes calls in another syntax though the looks of one tool are under contract."""

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        return (core.prompt.id,)

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(update={"call_syntax": "pythonic"})


class SameSyntax(CallSyntax):
    """Counts as a variant what is written as before."""

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        return (core.prompt.id,)

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface


TWINS: list[tuple[type[Operator], str]] = [
    (CallsFixed, "frozen"),
    (CallsFixed, "accepted"),
    (SameSyntax, "effective"),
]
