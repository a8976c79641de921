"""What a run was trained on: one line per row while it runs, one manifest when it has ended."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from trainer.sft.collate import IGNORED
from trainer.sft.rows import DrawnRow


class RowLine(BaseModel):
    """One trained row. `operators` are the augmentors that changed how it was shown, by name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    core_digest: str | None
    surface_digest: str | None
    operators: tuple[str, ...]
    families: tuple[str, ...]
    tokens: int
    trained: int
    sha256: str

    @classmethod
    def of(cls, drawn: DrawnRow) -> RowLine:
        ids = json.dumps([drawn.row.ids, drawn.row.labels]).encode()
        origin = drawn.origin
        return cls(
            source=drawn.row.source,
            core_digest=origin.core_digest if origin else None,
            surface_digest=origin.surface_digest if origin else None,
            operators=origin.operators if origin else (),
            families=origin.families if origin else (),
            tokens=len(drawn.row.ids),
            trained=sum(label != IGNORED for label in drawn.row.labels),
            sha256=hashlib.sha256(ids).hexdigest(),
        )


class RowLog:
    """`rows.jsonl`: the rows in the order in which they were trained on."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def restart(self, at: int) -> None:
        """Keep the first `at` lines: what a checkpoint had seen when it was written."""
        lines = self.path.read_text("utf-8").splitlines(keepends=True) if self.path.exists() else []
        _write(self.path, "".join(lines[:at]))

    def add(self, rows: Sequence[DrawnRow]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.writelines(RowLine.of(row).model_dump_json() + "\n" for row in rows)

    def lines(self) -> list[RowLine]:
        return [RowLine.model_validate_json(line) for line in self.path.read_text("utf-8").splitlines()]


class Manifest(BaseModel):
    """`operators` and `families` count the rows that show them; edits of other families lie outside what
    was trained.

    `data_digest` is the sha-256 over the rows' own digests in order. `tokens` counts without padding.
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


def write_json(path: Path, value: Any) -> None:
    """`value` as indented JSON, in place whole or not at all."""
    _write(path, json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n")


def _write(path: Path, text: str) -> None:
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    with aside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
