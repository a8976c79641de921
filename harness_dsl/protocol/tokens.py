"""A conversation as token ids, each with its segment and its source."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Segment = Literal["", "think", "call", "reply"]


@dataclass(frozen=True, slots=True)
class TokenSpan:
    """Ids `start` to `end` (exclusive). `segment` is "" for what the model did not produce."""

    start: int
    end: int
    segment: Segment
    source: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """Immutable. `spans` cover `ids` without gaps. `segment` counts the re-openings (`Protocol.rebase`).

    `ready`: the ids end in an opened model turn, so that an engine may go on. `inputs`: what the
    conversation was opened with; texts that are shown later may name them.
    """

    ids: tuple[int, ...] = ()
    spans: tuple[TokenSpan, ...] = ()
    segment: int = 0
    ready: bool = False
    inputs: Mapping[str, Any] = field(default_factory=dict, repr=False, hash=False)

    def append(
        self, ids: Sequence[int], labels: Sequence[tuple[Segment, str]], *, ready: bool = False
    ) -> "Tokens":
        """These tokens, then `ids` with one (segment, source) label each."""
        if len(ids) != len(labels):
            raise ValueError(f"{len(ids)} ids with {len(labels)} labels")
        spans: list[TokenSpan] = []
        at = len(self.ids)
        for index, (segment, source) in enumerate(labels, start=at):
            last = spans[-1] if spans else None
            if last and last.segment == segment and last.source == source:
                spans[-1] = TokenSpan(last.start, index + 1, segment, source)
            else:
                spans.append(TokenSpan(index, index + 1, segment, source))
        return Tokens((*self.ids, *ids), (*self.spans, *spans), self.segment, ready, self.inputs)
