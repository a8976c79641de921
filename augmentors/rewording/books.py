"""The codebook of rows that may be drawn with banked wordings."""

from dataclasses import replace

from augmentors.codebook import Codebook, codebook
from augmentors.rewording.banked import Banked
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface


def book_of(core: Core, surface: Surface, bank: Banked | None) -> Codebook:
    """The codebook of `core`; with a bank, that of the banked harness, which knows the plain one, too."""
    if bank is None:
        return codebook(core, surface)
    plain = codebook(bank.plain, surface)
    return replace(codebook(bank.core, surface), bank=bank.digest, plain=plain)
