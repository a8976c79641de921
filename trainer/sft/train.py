"""One fine-tuning run: from a configuration to a directory with the checkpoint and everything that explains
it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness_dsl import __version__
from harness_dsl.ir.canonical import digest, surface_digest
from trainer.sft.collate import Collator
from trainer.sft.config import ConfigError, SftConfig
from trainer.sft.logs import MetricsLog, RowLog, write_json
from trainer.sft.manifest import Manifest
from trainer.sft.rows import DrawnRow, RowSource, open_rows

if TYPE_CHECKING:
    from transformers import TrainerState

Progress = Callable[[int, int, dict[str, float]], None]
"""Called with the step, the number of steps and the latest metrics."""


@dataclass(frozen=True)
class Run:
    """What a finished run left: `model` is a directory that engines load."""

    out: Path
    model: Path
    manifest: Manifest


def train(config: SftConfig, progress: Progress = lambda step, steps, metrics: None) -> Run:
    """Fine-tune as `config` says; an interrupted run in `config.out` goes on from its last checkpoint, a
    finished one is only read.

    Raises `ConfigError` for a configuration that cannot be run or differs from the one that `config.out`
    began with, `HarnessError` for the harness, and `DataFault` for a row that must not be trained on.
    """
    started = time.monotonic()
    source = open_rows(config)
    _claim(config, source)
    finished = config.out / "manifest.json"
    if finished.exists():
        manifest = Manifest.model_validate_json(finished.read_text("utf-8"))
        return Run(config.out, config.out / "model", manifest)
    log, metrics = RowLog(config.out / "rows.jsonl"), MetricsLog(config.out / "metrics.jsonl")
    checkpoint = last_checkpoint(config.out)
    log.restart(at=_step_of(checkpoint) * config.batch_rows)
    metrics.restart(at=_step_of(checkpoint))
    trainer = _trainer(config, source, log, _reporter(config, metrics, progress))
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    model = _save(trainer, config.out)
    manifest = Manifest.of(log.lines(), time.monotonic() - started, **_facts(config, source))
    write_json(config.out / "manifest.json", manifest.model_dump(mode="json"))
    return Run(config.out, model, manifest)


def _facts(config: SftConfig, source: RowSource) -> dict[str, Any]:
    harness = source.harness
    return {
        "version": __version__,
        "harness": config.harness.name,
        "core_digest": harness.digest,
        "surface_digest": surface_digest(harness.core, harness.surface),
        "hsa": config.hsa,
        "seed": config.seed,
        "prompt_tokens": source.prompt_tokens,
    }


def last_checkpoint(out: Path) -> Path | None:
    """The newest checkpoint under `out` that was written to its end; the trainer state is written last."""
    found = sorted(out.glob("checkpoint-*"), key=_step_of, reverse=True)
    return next((path for path in found if _is_whole(path / "trainer_state.json")), None)


def _is_whole(state: Path) -> bool:
    try:
        json.loads(state.read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return True


def _step_of(checkpoint: Path | None) -> int:
    return int(checkpoint.name.rpartition("-")[2]) if checkpoint else 0


def _claim(config: SftConfig, source: RowSource) -> None:
    """Write the configuration into the output directory, or see that the one there is the same."""
    config.out.mkdir(parents=True, exist_ok=True)
    path = config.out / "config.json"
    wanted = {
        **config.model_dump(mode="json", exclude={"out"}),
        "version": __version__,
        "content": {
            "harness": surface_digest(source.harness.core, source.harness.surface),
            "policy": digest(source.policy.model_dump(mode="json")),
            "base": _weights_digest(config.base),
            **_data_digest(config.transcripts or config.rows),
        },
    }
    if not path.exists():
        write_json(path, wanted)
        return
    there = json.loads(path.read_text("utf-8"))
    changed = [key for key in wanted if wanted[key] != there.get(key)]
    if changed:
        said = f"{config.out} holds a run with another `{changed[0]}`"
        raise ConfigError(f"{said}; choose another `out` or delete it")


def _data_digest(path: Path | None) -> dict[str, str]:
    """sha-256 of the file of conversations, if there is one."""
    if path is None:
        return {}
    with path.open("rb") as file:
        return {"data": hashlib.file_digest(file, "sha256").hexdigest()}


def _weights_digest(base: Path) -> str:
    """sha-256 over the weight files of `base` in the order of their names."""
    weights = hashlib.sha256()
    for path in sorted(base.glob("*.safetensors")):
        with path.open("rb") as file:
            weights.update(hashlib.file_digest(file, "sha256").digest())
    return weights.hexdigest()


def _trainer(config: SftConfig, source: RowSource, log: RowLog, reporter: Any) -> Any:
    from datasets import Dataset
    from trl import SFTConfig as TrlConfig

    from trainer.sft.learner import Learner

    collator = Collator(source.pad_id, source.end_id, config.max_length)

    def draw(batch: dict[str, list[int]]) -> dict[str, list[DrawnRow]]:
        return {"row": [source.row(index) for index in batch["index"]]}

    def collate(examples: list[dict[str, DrawnRow]]) -> Any:
        drawn = [example["row"] for example in examples]
        log.add(drawn)
        return collator([one.row for one in drawn])

    rows = Dataset.from_dict({"index": list(range(config.steps * config.batch_rows))}).with_transform(draw)
    return Learner(
        model=_base_model(config),
        args=TrlConfig(**_arguments(config)),
        train_dataset=rows,
        data_collator=collate,
        processing_class=_library_tokenizer(config.base),
        callbacks=[reporter],
    )


def _base_model(config: SftConfig) -> Any:
    import torch
    from transformers import AutoModelForCausalLM

    path = config.base
    try:
        model = AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32, local_files_only=True)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: no model can be loaded: {str(error).splitlines()[0]}") from None
    if config.freeze_embeddings:
        model.get_input_embeddings().weight.requires_grad_(False)
    return model


def _library_tokenizer(path: Path) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(path, local_files_only=True)


def _arguments(config: SftConfig) -> dict[str, Any]:
    """Options of TRL's configuration; its GPU defaults are turned off where there is no GPU."""
    import torch

    gpu = torch.cuda.is_available()
    return {
        "output_dir": str(config.out),
        "max_steps": config.steps,
        "per_device_train_batch_size": config.batch_rows,
        "learning_rate": config.learning_rate,
        "weight_decay": config.weight_decay,
        "adam_beta2": config.adam_beta2,
        "lr_scheduler_type": "warmup_stable_decay",
        "lr_scheduler_kwargs": {
            "num_decay_steps": round(config.steps * config.decay_share),
            "min_lr_ratio": 0.02,
        },
        "warmup_steps": config.warmup_steps,
        "max_grad_norm": 1.0,
        "optim": "adamw_torch",
        "seed": config.seed,
        "use_cpu": not gpu,
        "bf16": gpu,
        "gradient_checkpointing": False,
        "max_length": None,
        "dataset_kwargs": {"skip_prepare_dataset": True},
        "remove_unused_columns": False,
        "train_sampling_strategy": "sequential",
        "dataloader_num_workers": 0,
        "logging_steps": config.log_steps,
        "save_strategy": "steps" if config.save_steps else "no",
        "save_steps": config.save_steps or config.steps,
        "save_total_limit": 2,
        "report_to": "none",
        "disable_tqdm": True,
    }


def _reporter(config: SftConfig, metrics: MetricsLog, progress: Progress) -> Any:
    from transformers import TrainerCallback

    class Reporter(TrainerCallback):  # type: ignore[misc]  # transformers is untyped here
        def on_log(
            self, args: Any, state: TrainerState, control: Any, logs: dict[str, float], **rest: Any
        ) -> None:
            metrics.add(state.global_step, logs)
            progress(state.global_step, config.steps, logs)

    return Reporter()


def _save(trainer: Any, out: Path) -> Path:
    """The model and its tokenizer, written aside and moved into place whole."""
    model, aside = out / "model", out / ".model"
    shutil.rmtree(aside, ignore_errors=True)
    trainer.model.save_pretrained(aside, safe_serialization=True)
    trainer.processing_class.save_pretrained(aside)
    shutil.rmtree(model, ignore_errors=True)
    aside.replace(model)
    return model
