"""A conversation as token ids, each with its segment and its source."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal, NamedTuple

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

    `ready`: the ids end in an opened model turn, so that an engine may go on. `inputs`: what the conversation
    was opened with; texts that are shown later may name them.
    """

    ids: tuple[int, ...] = ()
    spans: tuple[TokenSpan, ...] = ()
    segment: int = 0
    ready: bool = False
    inputs: Mapping[str, Any] = field(default_factory=dict, repr=False, hash=False)


class Run(NamedTuple):
    """`length` ids in a row with the same labels."""

    length: int
    segment: Segment
    source: str


def runs(labels: Iterable[tuple[Segment, str]]) -> tuple[Run, ...]:
    """One (segment, source) label an id, as runs."""
    return tuple(Run(sum(1 for _ in group), *label) for label, group in groupby(labels))


class Draft:
    """What is about to be appended to a conversation: it is copied once, however many pieces come."""

    def __init__(self, tokens: Tokens) -> None:
        self.ready = tokens.ready
        self.inputs = tokens.inputs
        self._tokens = tokens
        self._ids: list[int] = []
        self._spans: list[TokenSpan] = []

    def add(self, ids: Sequence[int], labelled: Sequence[Run], *, ready: bool = False) -> None:
        """Append `ids`, which `labelled` covers. Raises `ValueError` if it does not."""
        at = len(self._tokens.ids) + len(self._ids)
        self._ids += ids
        for run in labelled:
            self._spans.append(TokenSpan(at, at + run.length, run.segment, run.source))
            at += run.length
        if at != len(self._tokens.ids) + len(self._ids):
            raise ValueError(f"the labels do not cover {len(ids)} ids")
        self.ready = ready

    def finished(self) -> Tokens:
        """The conversation with all that was added."""
        old = self._tokens
        ids, spans = (*old.ids, *self._ids), (*old.spans, *self._spans)
        return Tokens(ids, spans, old.segment, self.ready, old.inputs)
