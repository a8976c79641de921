"""Training rows, drawn one by one: row N of a seed is the same whoever asks for it, and when.

A row is one room conversation of the oracle, shown under a Surface; or general chat that has nothing to do
with the harness.
"""

from __future__ import annotations

import hashlib
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from augmentors.footprint import Footprint
from augmentors.policy import Policy, PolicyError
from augmentors.policy_names import check_names
from augmentors.registry import OPERATORS
from augmentors.rewording.banked import BankError, by_policy
from augmentors.variants import Variant, draw
from harness_dsl.diagnostics.system import reason
from harness_dsl.ir.canonical import surface_digest
from harness_dsl.protocol import HFTokenizer, Protocol, Tokenizer
from runtime.contracts.vouching import tested_policy
from trainer.harness import Harness, open_harness
from trainer.sft.collate import Row, row_of
from trainer.sft.config import ConfigError, SftConfig
from trainer.simulator.conversation import solve
from trainer.simulator.faults import faulty
from trainer.simulator.oracle import footprint
from trainer.simulator.tasks import Task, draw_task, kinds_for

GeneralRow = Callable[[random.Random], tuple[Sequence[int], Sequence[int]]]
"""Draws ids and labels of one general conversation."""


@dataclass(frozen=True)
class Origin:
    """Which harness state a row shows, and which augmentors and families of edits made it."""

    core_digest: str
    surface_digest: str
    operators: tuple[str, ...]
    families: tuple[str, ...]


@dataclass(frozen=True)
class DrawnRow:
    """`origin` is None for general chat."""

    row: Row
    origin: Origin | None


class RowSource:
    """Rows of one configuration."""

    def __init__(
        self, config: SftConfig, harness: Harness, policy: Policy, tokenizer: Tokenizer, general: GeneralRow
    ) -> None:
        self.harness = harness
        self._config = config
        self.policy = policy
        self._tokenizer = tokenizer
        self._general = general
        if tokenizer.pad_id is None or tokenizer.eos_id is None:
            raise ConfigError(f"{config.base}: the tokenizer names no padding or no end token")
        self.pad_id, self.end_id = tokenizer.pad_id, tokenizer.eos_id
        self._kinds = kinds_for(harness.core)

    @property
    def prompt_tokens(self) -> int:
        """Tokens of the system turn under the file's own Surface, for the inputs of the first task."""
        return len(self._own[0].open(self._task(0).inputs).ids)

    def row(self, index: int) -> DrawnRow:
        """Row `index`. Raises `OracleError` for a harness that the oracle cannot serve."""
        rng = random.Random(hashlib.sha256(f"row/{self._config.seed}/{index}".encode()).digest())
        if rng.random() < self._config.general_share:
            ids, labels = self._general(rng)
            return DrawnRow(Row(tuple(ids), tuple(labels), f"general row {index}"), None)
        task = self._task(index)
        protocol, origin, variant = self._shown(index, footprint(self.harness.core, task))
        adapter, faults = (None, None) if variant is None else (variant.adapter, variant.faults)
        run = self.harness.run if faults is None else faulty(self.harness.core, self.harness.run, faults)
        transcript = solve(
            protocol.core,
            task,
            run,
            origin.core_digest,
            aloud=self._config.think,
            adapter=adapter,
            copes=faults is not None,
        )
        return DrawnRow(row_of(protocol, protocol.replay(transcript), f"row {index}, {task.id}"), origin)

    def _task(self, index: int) -> Task:
        return draw_task(
            self._config.seed * 10_000_000 + index,
            "train",
            self._kinds,
            turns=self._config.turns,
            english=self._config.english,
        )

    def _shown(self, index: int, needs: Footprint) -> tuple[Protocol, Origin, Variant | None]:
        """The protocol that row `index` is rendered with, and the variant that it shows; None: it shows the
        harness as it is.
        """
        if not self._config.hsa:
            return (*self._own, None)
        harness = self.harness
        variant = draw(harness.core, harness.surface, self.policy, self._config.seed, index, needs)
        if variant.is_original:
            return (*self._own, None)
        certificate = variant.certificate
        names = tuple(applied.operator for applied in certificate.operators)
        families = tuple(sorted({OPERATORS[name].family for name in names}))
        origin = Origin(certificate.core, certificate.surface_digest, names, families)
        return Protocol(variant.core, variant.surface, self._tokenizer), origin, variant

    @cached_property
    def _own(self) -> tuple[Protocol, Origin]:
        core, surface = self.harness.core, self.harness.surface
        origin = Origin(self.harness.digest, surface_digest(core, surface), (), ())
        return Protocol(core, surface, self._tokenizer), origin


def open_rows(config: SftConfig) -> RowSource:
    """The rows that `config` describes. Raises `ConfigError` and `HarnessError`."""
    harness = open_harness(config.harness)
    try:
        policy = Policy.load(config.policy) if config.policy else Policy.default()
        if config.policy:
            check_names(policy, harness.core, config.policy)
        policy = tested_policy(policy, str(config.harness), lambda text: print(text, file=sys.stderr))
        bank = by_policy(harness.core, policy)
        tokenizer = HFTokenizer.from_file(config.base)
    except (PolicyError, BankError) as error:
        raise ConfigError(str(error)) from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{config.base}: no tokenizer can be loaded: {reason(error)}") from None
    for choice in policy.operators:
        if choice.parameters.get("pool", "train") != "train":
            pool = choice.parameters["pool"]
            said = f"`{choice.operator}` draws from the pool `{pool}`, which evaluation holds out"
            raise ConfigError(f"{config.policy}: {said}")
    from trainer.sft.recorded import RecordedRows, recorded

    source = recorded(config, harness, policy, bank)
    if bank is not None:
        harness = replace(harness, core=bank.core)
    general = _general_rows(config.base)
    if source is not None:
        return RecordedRows(config, harness, policy, tokenizer, general, source)
    return RowSource(config, harness, policy, tokenizer, general)


def _general_rows(base: Path) -> GeneralRow:
    """General chat as the tiny base model was trained on, so that fine-tuning does not undo it."""
    from transformers import AutoTokenizer

    from trainer.tiny import corpus

    tokenizer = AutoTokenizer.from_pretrained(base, local_files_only=True)

    def draw_general(rng: random.Random) -> tuple[Sequence[int], Sequence[int]]:
        row = corpus.general_row(rng, tokenizer)
        return row.input_ids, row.labels

    return draw_general
