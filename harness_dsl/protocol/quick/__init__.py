"""The renderer for many Surfaces of one Core: what they share is written once, and only names are filled in.

It writes exactly what `harness_dsl.protocol.render` writes, character by character and with the same sources;
a law compares the two.
"""

from harness_dsl.protocol.quick.prompt import QuickRenderer
from harness_dsl.protocol.quick.shown import Pieced

__all__ = ["Pieced", "QuickRenderer"]
