"""Training rows from conversations that were recorded, instead of those of the oracle.

Of transcripts, each row shows the next one under a variant of its own, drawn when it is asked for: an epoch
later the same conversation is shown in another way. Of rows that were drawn before, with their messages, each
is shown as it is, once its certificate holds.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol as Shape

from pydantic import ValidationError

from augmentors.certificates import BadRow, Certificate
from augmentors.checker import check
from augmentors.dataset import numbered, row_of
from augmentors.leakage import Leak, leaks
from augmentors.lineage import Entry, entry, pools_of
from augmentors.messages import check_messages
from augmentors.policy import Policy
from augmentors.proofs.claim import Claim
from augmentors.random_access import Lines
from augmentors.reading import everything_read
from augmentors.registry import OPERATORS
from augmentors.rewording.banked import Banked
from augmentors.rewording.books import book_of
from augmentors.rows import Recipe, talk
from augmentors.transport import lift
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Transcript
from harness_dsl.protocol import Protocol, Tokenizer
from trainer.harness import Harness
from trainer.sft.collate import DataFault, Row
from trainer.sft.collate import row_of as trained
from trainer.sft.config import ConfigError, SftConfig
from trainer.sft.rows import DrawnRow, GeneralRow, Origin, RowSource

_NAMED = 3


@dataclass(frozen=True)
class Shown:
    """A conversation under `core` and `surface`, which `certificate` is about."""

    core: Core
    surface: Surface
    certificate: Certificate
    transcript: Transcript


class Recorded(Shape):
    """Recorded conversations under variants, by number."""

    def shown(self, index: int) -> Shown:
        """Conversation `index`, beginning again after the last. Raises `DataFault`."""
        ...


class RecordedRows(RowSource):
    """Rows of one configuration that names `transcripts` or `rows`."""

    def __init__(
        self,
        config: SftConfig,
        harness: Harness,
        policy: Policy,
        tokenizer: Tokenizer,
        general: GeneralRow,
        recorded: Recorded,
    ) -> None:
        super().__init__(config, harness, policy, tokenizer, general)
        self._recorded = recorded
        self._make_general = general
        self._seed, self._share = config.seed, config.general_share
        self._words = tokenizer

    @property
    def prompt_tokens(self) -> int:
        """Tokens of the system turn under the file's own Surface, for the inputs of the first of them."""
        transcript = self._recorded.shown(0).transcript
        protocol = Protocol(self.harness.core, self.harness.surface, self._words)
        return len(protocol.open(transcript.inputs).ids)

    def row(self, index: int) -> DrawnRow:
        """Row `index`. Raises `DataFault` for one that must not be trained on."""
        rng = random.Random(hashlib.sha256(f"row/{self._seed}/{index}".encode()).digest())
        if rng.random() < self._share:
            ids, labels = self._make_general(rng)
            return DrawnRow(Row(tuple(ids), tuple(labels), f"general row {index}"), None)
        shown = self._recorded.shown(index)
        protocol, certificate = Protocol(shown.core, shown.surface, self._words), shown.certificate
        names = tuple(step.operator for step in certificate.operators)
        families = tuple(sorted({OPERATORS[name].family for name in names if name in OPERATORS}))
        origin = Origin(certificate.core, certificate.surface_digest, names, families)
        return DrawnRow(trained(protocol, protocol.replay(shown.transcript), f"row {index}"), origin)


class FromTranscripts:
    """A fresh variant of each conversation, each time that it is met."""

    def __init__(self, config: SftConfig, harness: Harness, policy: Policy, bank: Banked | None) -> None:
        assert config.transcripts is not None
        conversations = tuple(_transcripts(config.transcripts, harness.digest))
        core = bank.core if bank else harness.core
        drawn = policy if config.hsa else Policy()
        self._recipe = Recipe(core, harness.surface, drawn, config.seed, conversations, bank=bank)

    def shown(self, index: int) -> Shown:
        found = talk(self._recipe, index)
        variant = found.variant
        return Shown(variant.core, variant.surface, variant.certificate, found.transcript)


class FromRows:
    """Rows as they were drawn."""

    def __init__(self, config: SftConfig, harness: Harness, bank: Banked | None) -> None:
        assert config.rows is not None
        self._lines = _opened(config.rows)
        self._harness = harness
        self._book = book_of(harness.core, harness.surface, bank)

    def shown(self, index: int) -> Shown:
        at = index % len(self._lines)
        where = f"{self._lines.path}:{self._lines.number(at)}"
        row = row_of(self._lines.number(at), self._lines[at], self._book)
        if isinstance(row, BadRow):
            raise DataFault(f"{where}: {row}")
        if row.messages is None:
            raise DataFault(f"{where}: the row has no messages: `harnessc augment --messages` writes them")
        certificate = row.certificate
        pools = pools_of({step.operator: step.parameters for step in certificate.operators})
        if held_out := sorted(pools - {"train"}):
            raise DataFault(f"{where}: it draws from the pool `{held_out[0]}`, which evaluation holds out")
        core, surface = self._harness.core, self._harness.surface
        findings = check(core, surface, certificate, everything_read)
        for finding in findings or check_messages(core, surface, certificate, row.messages):
            raise DataFault(f"{where}: {finding}")
        claim = Claim.of(core, surface, certificate)
        transcript = lift(row.messages, claim.core, claim.surface).transcript
        return Shown(claim.core, claim.surface, certificate, transcript)


def _opened(path: Path) -> Lines:
    """Raises `ConfigError`."""
    try:
        lines = Lines(path)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or 'it cannot be read'}") from None
    if len(lines) == 0:
        raise ConfigError(f"{path}: there is no row in it")
    return lines


def _transcripts(path: Path, digest: str) -> Iterator[Transcript]:
    """The conversations of a file, all of the harness with `digest`. Raises `ConfigError`."""
    number = 0
    try:
        for number, line in numbered(path):
            transcript = Transcript.model_validate_json(line)
            if transcript.core_digest != digest:
                raise ConfigError(f"{path}:{number}: the transcript is of another harness")
            yield transcript
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or 'it cannot be read'}") from None
    except ValidationError as error:
        raise ConfigError(f"{path}:{number}: no transcript: {error.errors()[0]['msg']}") from None
    if number == 0:
        raise ConfigError(f"{path}: there is no transcript in it")


def check_leaks(config: SftConfig) -> None:
    """Raises `ConfigError` where what `held_out` evaluates on is trained on, or is nearly the same."""
    data = config.transcripts or config.rows
    if data is None or not (config.held_out or config.hold_out_families):
        return
    families = frozenset(config.hold_out_families or ())
    if unknown := sorted(families - {operator.family for operator in OPERATORS.values()}):
        raise ConfigError(f"hold_out_families: there is no family `{unknown[0]}`")
    evaluated = _entries(config.held_out) if config.held_out is not None else ()
    found = leaks(_entries(data), evaluated, families=families)
    # Whether names of one pool are a leak is for the policies to say: here both sets may be originals.
    named = [*islice((leak for leak in found if leak.kind != "pool"), _NAMED)]
    if named:
        pairs = "; ".join(_pair(leak) for leak in named)
        said = f"it has what evaluation must not have seen: {pairs}"
        raise ConfigError(f"{data}: {said}; `harnessc leakage` names all, `harnessc split` parts them")


def _pair(leak: Leak) -> str:
    both = f"line {leak.train}" if leak.eval is None else f"lines {leak.train} and {leak.eval}"
    return f"{both}: {leak.kind}: {leak.what}"


def _entries(path: Path) -> Iterator[Entry]:
    try:
        for number, line in numbered(path):
            yield entry(number, line)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or 'it cannot be read'}") from None
    except BadRow as error:
        raise ConfigError(f"{path}: {error}") from None


def recorded(config: SftConfig, harness: Harness, policy: Policy, bank: Banked | None) -> Recorded | None:
    """What `config` names of recorded conversations, none of which evaluation holds out; None: nothing.
    `harness` is the file's own, without what `bank` adds.

    Raises `ConfigError`.
    """
    if config.transcripts is None and config.rows is None:
        return None
    check_leaks(config)
    if config.transcripts is not None:
        return FromTranscripts(config, harness, policy, bank)
    return FromRows(config, harness, bank)
