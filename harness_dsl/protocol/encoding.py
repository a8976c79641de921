"""From text with sources to ids with sources."""

from bisect import bisect_right
from typing import NamedTuple

from harness_dsl.protocol.markers import neutral
from harness_dsl.protocol.source_map import Rendered, Writer
from harness_dsl.protocol.tokenizer import Tokenizer
from harness_dsl.protocol.tokens import Run, runs


class Encoded(NamedTuple):
    """Ids, and as `labels` the source of the first character of each."""

    ids: tuple[int, ...]
    labels: tuple[Run, ...]


def with_neutral_values(rendered: Rendered, spelled: tuple[str, ...]) -> Rendered:
    """`rendered` with values that cannot be taken for a marker of `spelled`, which have no token."""
    if not spelled:
        return rendered
    writer = Writer()
    for span in rendered.spans:
        text = rendered.text[span.start : span.end]
        writer.add(neutral(text, spelled) if span.kind == "value" else text, span.source, span.kind)
    return writer.rendered()


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
