"""`harnessc train sft CONFIG.yaml`: fine-tune a model on a harness, with or without harness-state
augmentation.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from harness_dsl.cli.main import fail
from harness_dsl.diagnostics.system import install

HELP = "fine-tune a model on a harness"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    stages = parser.add_subparsers(dest="stage", required=True, metavar="STAGE")
    about = "supervised fine-tuning on the oracle's conversations"
    sft = stages.add_parser("sft", help=about, description=f"{about[0].upper()}{about[1:]}.")
    sft.add_argument(
        "config", type=Path, metavar="CONFIG.yaml", help="harness, base model, policy, steps; see examples"
    )
    sft.add_argument("--hsa", choices=("on", "off"), help="show each row under a Surface of its own, or not")
    sft.add_argument("--out", type=Path, help="directory to write to, instead of the file's")
    sft.add_argument("--steps", type=int, help="number of steps, instead of the file's")
    sft.add_argument("--seed", type=int, help="seed, instead of the file's")


def run(args: argparse.Namespace) -> int:
    """0: trained. 1: a mistake in the configuration, the harness or the data. 2: a missing file or extra."""
    try:
        import torch  # noqa: F401
        import transformers
        import trl  # noqa: F401
    except ImportError:
        return fail(f"training needs torch, transformers and trl: {install('train')}")
    if not args.config.is_file():
        return fail(f"there is no file `{args.config}`")
    from trainer.harness import HarnessError
    from trainer.sft.collate import DataFault
    from trainer.sft.config import ConfigError, load_config
    from trainer.sft.train import train
    from trainer.simulator.oracle import OracleError

    transformers.logging.set_verbosity_error()
    try:
        config = load_config(
            args.config,
            hsa=None if args.hsa is None else args.hsa == "on",
            out=args.out and args.out.resolve(),
            steps=args.steps,
            seed=args.seed,
        )
        with _Bar(config.steps) as bar:
            done = train(config, bar.show)
    except (ConfigError, HarnessError, DataFault, OracleError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from the last checkpoint", file=sys.stderr)
        return 130
    facts = done.manifest
    said = f"{facts.rows} rows, {facts.tokens} tokens, {facts.surfaces} surfaces, {facts.seconds:.0f} s"
    print(f"{done.model}: {said}")
    return 0


class _Bar:
    """A progress bar on standard error."""

    def __init__(self, steps: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress = Progress(
            TextColumn("train"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[note]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self._task = self._progress.add_task("train", total=steps, note="")

    def show(self, step: int, steps: int, metrics: dict[str, float]) -> None:
        note = f"loss {float(metrics['loss']):.3f}" if "loss" in metrics else ""
        self._progress.update(self._task, completed=step, note=note)

    def __enter__(self) -> _Bar:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
