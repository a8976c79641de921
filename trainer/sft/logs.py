"""The files that a run writes while it trains: one line per row, one per logged step."""

from __future__ import annotations

import hashlib
import json
import os
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
        _write(self.path, "".join(_lines(self.path)[:at]))

    def add(self, rows: Sequence[DrawnRow]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.writelines(RowLine.of(row).model_dump_json() + "\n" for row in rows)

    def lines(self) -> list[RowLine]:
        return [RowLine.model_validate_json(line) for line in self.path.read_text("utf-8").splitlines()]


class MetricsLog:
    """`metrics.jsonl`: what the trainer logged, with its step."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def restart(self, at: int) -> None:
        """Keep the entries up to step `at`."""
        kept = [line for line in _lines(self.path) if json.loads(line)["step"] <= at]
        _write(self.path, "".join(kept))

    def add(self, step: int, logs: dict[str, float]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"step": step, **logs}, sort_keys=True) + "\n")


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


def _lines(path: Path) -> list[str]:
    """The whole lines of `path`; one that a kill cut off is left out."""
    found = path.read_text("utf-8").splitlines(keepends=True) if path.exists() else []
    return [line for line in found if line.endswith("\n")]
