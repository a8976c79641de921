"""What a run was trained on, once it has ended."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from trainer.sft.logs import RowLine


class Manifest(BaseModel):
    """`operators` and `families` count the rows that show them; edits of other families lie outside what
    was trained.

    `data_digest` is the sha-256 over the rows' own digests in order. `tokens` counts without padding;
    `seconds` is the wall time of the process that ended the run.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    harness: str
    core_digest: str
    surface_digest: str
    hsa: bool
    seed: int
    operators: dict[str, int]
    families: dict[str, int]
    rows: int
    general_rows: int
    surfaces: int
    prompt_tokens: int
    tokens: int
    trained_tokens: int
    data_digest: str
    seconds: float

    @classmethod
    def of(cls, lines: Sequence[RowLine], seconds: float, **facts: Any) -> Manifest:
        """`facts` are the fields that rows do not tell: harness, digests of the file, settings."""
        return cls(
            operators=dict(sorted(Counter(name for line in lines for name in line.operators).items())),
            families=dict(sorted(Counter(name for line in lines for name in set(line.families)).items())),
            rows=len(lines),
            general_rows=sum(line.core_digest is None for line in lines),
            surfaces=len({line.surface_digest for line in lines if line.surface_digest}),
            tokens=sum(line.tokens for line in lines),
            trained_tokens=sum(line.trained for line in lines),
            data_digest="sha256:"
            + hashlib.sha256("".join(line.sha256 for line in lines).encode()).hexdigest(),
            seconds=round(seconds, 1),
            **facts,
        )
