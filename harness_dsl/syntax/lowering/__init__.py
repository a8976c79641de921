"""From a checked tree to Core, default Surface and span table."""

from harness_dsl.syntax.lowering.harness import Lowered, lower

__all__ = ["Lowered", "lower"]
