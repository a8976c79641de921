"""The demo's comparison over several seeds: fixed harness against HSA, on the compact shop.

    make study                                    three seeds, half as many steps again, up to 30 minutes
    python examples/study.py --seeds 5 --steps 320

Each seed has its own training rows; both arms of a seed see the same tasks for the same steps. A finished
seed is kept in build/study, and the command goes on where it was stopped. Both arms answer the same items, so
the last column is a paired difference. Prints what was measured and writes build/study/results.json.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
CONFIG = ROOT / "examples/live_shop/configs/sft_mini.yaml"
OUT = ROOT / "build/study"

console = Console(highlight=False)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=3, help="how many (default 3)")
    parser.add_argument("--steps", type=int, default=480, help="training steps of each arm (default 480)")
    parser.add_argument("--items", type=int, default=200, help="items of each suite (default 200)")
    options = parser.parse_args()
    if min(options.seeds, options.steps, options.items) < 1:
        parser.error("--seeds, --steps and --items must be at least 1")
    os.chdir(ROOT)
    runs = [seed_result(seed, options.steps, options.items) for seed in range(options.seeds)]
    show(runs, options)
    (OUT / "results.json").write_text(json.dumps({"runs": runs}, indent=2) + "\n", "utf-8")
    console.print(f"Written to {OUT / 'results.json'}")
    return 0


def seed_result(seed: int, steps: int, items: int) -> dict[str, Any]:
    """The result of one seed, run now or read from an earlier run with the same options."""
    from trainer.demo import run_arms
    from trainer.sft.config import load_config

    out = OUT / f"seed{seed}-steps{steps}-items{items}"
    kept = out / "result.json"
    if kept.is_file():
        console.print(f"seed {seed}: kept from an earlier run")
        return dict(json.loads(kept.read_text("utf-8")))
    out.mkdir(parents=True, exist_ok=True)
    config = load_config(CONFIG, seed=seed, steps=steps)
    # JSON is YAML: the run's configuration is written down beside its results.
    written = out / "config.yaml"
    written.write_text(config.model_dump_json(exclude_none=True, indent=2), "utf-8")
    with console.status(f"seed {seed}: both arms, {steps} steps each") as status:

        def report(arm: str, what: str, at: int, of: int) -> None:
            status.update(f"seed {seed}: {arm}, {what} {at} of {of}")

        results = run_arms(written, out, items, report)
    found = {"seed": seed, **results.as_json()}
    kept.write_text(json.dumps(found) + "\n", "utf-8")
    console.print(f"seed {seed}: {found['seconds']:.0f} s")
    return found


def show(runs: list[dict[str, Any]], options: argparse.Namespace) -> None:
    title = f"right answers in %, {options.items} items a cell, {options.steps} steps an arm"
    table = Table(title=title)
    for column in ("suite", "seed", "fixed", "HSA", "HSA − fixed"):
        table.add_column(column, justify="left" if column == "suite" else "right")
    for suite in ("own", "variants", "uptake"):
        pairs = [(run["fixed"][suite], run["hsa"][suite]) for run in runs]
        for run, (fixed, hsa) in zip(runs, pairs, strict=True):
            table.add_row(suite, str(run["seed"]), f"{fixed:.1f}", f"{hsa:.1f}", f"{hsa - fixed:+.1f}")
        table.add_row(
            f"[bold]{suite}",
            "mean",
            *(f"[bold]{statistics.mean(pair[arm] for pair in pairs):.1f}" for arm in (0, 1)),
            f"[bold]{statistics.mean(hsa - fixed for fixed, hsa in pairs):+.1f}",
            end_section=True,
        )
    console.print(table)


if __name__ == "__main__":
    raise SystemExit(main())
