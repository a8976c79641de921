"""A rendered text as its pieces, from which spans follow when somebody asks for them."""

from collections.abc import Sequence
from functools import cached_property
from operator import itemgetter

from harness_dsl.protocol.markers import encodable
from harness_dsl.protocol.source_map import Piece, SourceSpan, Writer

Pieces = list[Piece]


class Pieced:
    """As `Rendered`: `text`, and `spans` that cover it; and `pieces`, what it was put together from."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = pieces

    @cached_property
    def text(self) -> str:
        """The whole text, as `Writer.rendered` gives it."""
        return encodable("".join([piece[0] for piece in self.pieces]))

    @cached_property
    def spans(self) -> tuple[SourceSpan, ...]:
        """The spans that a `Writer` of the same pieces has."""
        writer = Writer()
        for text, source, kind in self.pieces:
            writer.add(text, source, kind)
        return writer.rendered().spans


def picked(table: Sequence[str], places: Sequence[int]) -> str:
    """The entries of `table` at `places`, joined."""
    if len(places) < 2:
        return "".join([table[at] for at in places])
    return "".join(itemgetter(*places)(table))
