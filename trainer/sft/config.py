"""The YAML file of one fine-tuning run."""

import difflib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError

from harness_dsl.diagnostics.system import reason


class ConfigError(Exception):
    """A mistake in a configuration file; the message is one line with file and, where known, line."""


class SftConfig(BaseModel):
    """All paths are absolute once loaded; in the file they are relative to it.

    A step trains on `batch_rows` rows: conversations of `turns` user turns, of which the share
    `general_share` are general chat that has nothing to do with the harness. `hsa` shows each row under a
    Surface of its own, drawn by `policy` (a policy file; none: the default policy); off, every row is shown
    under the file's own. Both see the same tasks in the same order.
    `transcripts` (a file of `harnessc lift`) or `rows` (of `harnessc augment --messages`) are trained on
    instead of the oracle's conversations; `turns`, `english` and `think` say nothing then. No conversation of
    `held_out` may be among them, nor one that is nearly the same, nor rows of `hold_out_families`.
    A checkpoint is written every `save_steps` steps, none if 0.
    `think`: the oracle thinks of a tool's entry before it calls the tool.
    `freeze_embeddings`: token embeddings stay as the base has them, so that words which training never shows
    can still be copied.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    harness: Path
    base: Path
    out: Path
    hsa: bool = True
    policy: Path | None = None
    transcripts: Path | None = None
    rows: Path | None = None
    held_out: Path | None = None
    hold_out_families: tuple[str, ...] | None = None
    seed: int = Field(default=0, ge=0)
    steps: int = Field(gt=0)
    batch_rows: int = Field(default=8, gt=0)
    turns: int = Field(default=5, gt=0)
    think: bool = False
    freeze_embeddings: bool = False
    english: float = Field(default=0.25, ge=0, le=1)
    general_share: float = Field(default=0.1, ge=0, lt=1)
    learning_rate: float = Field(default=2e-3, gt=0)
    warmup_steps: int = Field(default=10, ge=0)
    adam_beta2: float = Field(default=0.98, gt=0, lt=1)
    decay_share: float = Field(default=0.4, ge=0, le=1)
    weight_decay: float = Field(default=0.0, ge=0)
    max_length: int = Field(default=1024, gt=0)
    save_steps: int = Field(default=100, ge=0)
    log_steps: int = Field(default=10, gt=0)

    @model_validator(mode="after")
    def _warm_up_ends(self) -> "SftConfig":
        if self.warmup_steps > self.steps:
            raise ValueError(f"warmup_steps {self.warmup_steps} is more than steps {self.steps}")
        return self

    @model_validator(mode="after")
    def _one_source(self) -> "SftConfig":
        if self.transcripts is not None and self.rows is not None:
            raise ValueError("transcripts and rows are two sources: name one")
        if self.transcripts is None and self.rows is None and (self.held_out or self.hold_out_families):
            raise ValueError("held_out and hold_out_families are about transcripts or rows: name one of them")
        return self


def load_config(path: Path, **changes: Any) -> SftConfig:
    """The configuration in `path` with `changes` on top. Raises `ConfigError`."""
    data = _read(path)
    known = list(SftConfig.model_fields)
    for key in data:
        if key not in known:
            close = difflib.get_close_matches(str(key), known, n=1)
            hint = f", did you mean `{close[0]}`?" if close else f"; known keys: {', '.join(known)}"
            raise ConfigError(f"{path}: unknown key `{key}`{hint}")
    for key in ("harness", "base", "out", "policy", "transcripts", "rows", "held_out"):
        if isinstance(data.get(key), str):
            data[key] = (path.parent / data[key]).resolve()
    data.update({key: value for key, value in changes.items() if value is not None})
    try:
        return SftConfig.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"{path}: {where + ': ' if where else ''}{first['msg']}") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        data = YAML(typ="safe", pure=True).load(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {reason(error)}") from None
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ConfigError(f"{path}:{line}: {error.problem}") from None
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: expected keys and values")
    return dict(data)
