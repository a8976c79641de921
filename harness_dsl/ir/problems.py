"""What verification finds."""

from dataclasses import dataclass

from harness_dsl.ir.ids import SemanticId


@dataclass(frozen=True)
class Problem:
    """`id`: the symbol, text or list at fault. `message`: one phrase, true on its own."""

    id: SemanticId
    message: str
