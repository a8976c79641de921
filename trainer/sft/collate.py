"""Rows and batches of token ids with labels. A fault in the data stops the run before it wastes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    import torch

    from harness_dsl.protocol import Protocol, Tokens

IGNORED = -100


class DataFault(Exception):
    """A row that must not be trained on; the message says which row and why."""


@dataclass(frozen=True)
class Row:
    """One conversation: `labels` are the ids where the model is trained and `IGNORED` elsewhere; both
    equally long.
    """

    ids: tuple[int, ...]
    labels: tuple[int, ...]
    source: str


class Batch(TypedDict):
    """Three integer tensors of shape (rows, longest row)."""

    input_ids: torch.Tensor
    labels: torch.Tensor
    attention_mask: torch.Tensor


def row_of(protocol: Protocol, tokens: Tokens, source: str) -> Row:
    """The row of `tokens`: trained exactly where the protocol says that the model produced the token."""
    labels = tuple(
        token if segment else IGNORED
        for token, segment in zip(tokens.ids, protocol.mask(tokens), strict=True)
    )
    return Row(ids=tuple(tokens.ids), labels=labels, source=source)


def check_row(row: Row, *, end_id: int, max_length: int) -> None:
    """Raises `DataFault` for a row without a trained token, without a trained end token, or longer than
    `max_length`.
    """
    if len(row.ids) != len(row.labels):
        raise DataFault(f"{row.source}: {len(row.ids)} ids but {len(row.labels)} labels")
    if len(row.ids) > max_length:
        raise DataFault(f"{row.source}: {len(row.ids)} tokens, more than max_length {max_length}")
    trained = [label for label in row.labels if label != IGNORED]
    if not trained:
        raise DataFault(f"{row.source}: no token is trained, the loss mask is empty")
    if end_id not in trained:
        raise DataFault(f"{row.source}: the end token {end_id} is never trained, the model would not stop")


@dataclass(frozen=True)
class Collator:
    """Pads on the right. `pad_id` must not be `end_id`: a mask over padding would mask every end of turn
    with it.
    """

    pad_id: int
    end_id: int
    max_length: int

    def __post_init__(self) -> None:
        if self.pad_id == self.end_id:
            raise DataFault(f"the padding token {self.pad_id} is also the end token")

    def __call__(self, rows: Sequence[Row]) -> Batch:
        """One batch. Raises `DataFault` as `check_row` does."""
        import torch

        for row in rows:
            check_row(row, end_id=self.end_id, max_length=self.max_length)
        longest = max(len(row.ids) for row in rows)

        def tensor(values: Sequence[Sequence[int]], fill: int) -> torch.Tensor:
            return torch.tensor(
                [[*line, *([fill] * (longest - len(line)))] for line in values], dtype=torch.long
            )

        return Batch(
            input_ids=tensor([row.ids for row in rows], self.pad_id),
            labels=tensor([row.labels for row in rows], IGNORED),
            attention_mask=tensor([[1] * len(row.ids) for row in rows], 0),
        )
