"""From text with sources to ids with sources."""

from bisect import bisect_right
from itertools import groupby
from typing import NamedTuple

from harness_dsl.protocol.markers import neutral, occurrences
from harness_dsl.protocol.source_map import Rendered, SourceSpan, Writer
from harness_dsl.protocol.tokenizer import Tokenizer
from harness_dsl.protocol.tokens import Run, runs


class Encoded(NamedTuple):
    """Ids, and as `labels` the source of the first character of each."""

    ids: tuple[int, ...]
    labels: tuple[Run, ...]


def with_neutral_values(rendered: Rendered, spelled: tuple[str, ...]) -> Rendered:
    """`rendered` with values that cannot be taken for a marker of `spelled`, which have no token: neither
    alone nor together with the text around them.
    """
    if not spelled:
        return rendered
    writer = Writer()
    for is_marker, spans in groupby(rendered.spans, key=lambda span: span.kind == "marker"):
        pieces = [(rendered.text[span.start : span.end], span) for span in spans]
        if not is_marker:
            pieces = _neutral(pieces, spelled)
        for text, span in pieces:
            writer.add(text, span.source, span.kind)
    return writer.rendered()


def _neutral(pieces: list[tuple[str, SourceSpan]], spelled: tuple[str, ...]) -> list[tuple[str, SourceSpan]]:
    if all(span.kind != "value" for _, span in pieces):
        return pieces
    neutral_pieces = [
        (neutral(text, spelled) if span.kind == "value" else text, span) for text, span in pieces
    ]
    together = occurrences("".join(text for text, _ in neutral_pieces), spelled)
    if together == sum(occurrences(text, spelled) for text, _ in neutral_pieces):
        return neutral_pieces
    # A marker begins in one piece and ends in another. It has a border of a value inside, or is the author's.
    return [(f" {text} " if span.kind == "value" else text, span) for text, span in neutral_pieces]


def encode_rendered(rendered: Rendered, tokenizer: Tokenizer) -> Encoded:
    """Markers become their added tokens; all text between two of them is encoded as one untrusted piece.

    A marker that the tokenizer has no token for is spelled out as part of the text around it.
    """
    ids: list[int] = []
    sources: list[str] = []
    starts = [span.start for span in rendered.spans]

    def text(start: int, end: int) -> None:
        if start == end:
            return
        encoding = tokenizer.encode_untrusted(rendered.text[start:end])
        ids.extend(encoding.ids)
        for at, _ in encoding.offsets:
            sources.append(rendered.spans[bisect_right(starts, start + at) - 1].source)

    run = 0
    for span in rendered.spans:
        if span.kind != "marker":
            continue
        id_ = tokenizer.added_tokens.get(rendered.text[span.start : span.end])
        if id_ is None:
            continue
        text(run, span.start)
        ids.append(id_)
        sources.append(span.source)
        run = span.end
    text(run, len(rendered.text))
    return Encoded(tuple(ids), runs(("", source) for source in sources))
