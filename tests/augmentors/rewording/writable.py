"""Which texts of a generated harness an author could have written."""

from harness_dsl.ir.expressions import LimitValue
from harness_dsl.ir.texts import Interpolation, Reference, Text
from harness_dsl.ir.walk import parts


def writable(text: Text) -> bool:
    """Whether no limit is printed in two ways: the language has one, the IR a reference and a value."""
    every = [part for wording in (text.canonical, *text.alternatives) for part in parts(wording)]
    shown = [part.value for part in every if isinstance(part, Interpolation)]
    values = {value.limit for value in shown if isinstance(value, LimitValue)}
    return not any(isinstance(part, Reference) and part.target in values for part in every)
