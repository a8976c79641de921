"""`harnessc eval F --model DIR --suite …`: how well a model follows a harness, in the loop that serves."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.files import clash, is_plain
from harness_dsl.cli.main import fail
from harness_dsl.diagnostics.system import install

if TYPE_CHECKING:
    from trainer.evaluate.report import SuiteResult

HELP = "score a model on a harness, on variants of it, or on edits of its policy"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("harness", type=Path, metavar="FILE", help="a .harness file")
    parser.add_argument("--model", type=Path, required=True, metavar="DIR", help="directory of a causal LM")
    parser.add_argument(
        "--suite",
        choices=("own", "variants", "uptake"),
        action="append",
        help="own: the harness as it is; variants: unseen names; uptake: a changed limit (default: all)",
    )
    parser.add_argument("--n", type=int, default=100, help="items per suite (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the items (default 0)")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write counts, intervals and every item")
    parser.add_argument("--plot", type=Path, metavar="PNG", help="draw the shares with their intervals")


def run(args: argparse.Namespace) -> int:
    """0: scored, whatever the score. 1: a mistake in the harness. 2: usage, a missing extra, or the model."""
    if args.n < 1:
        return fail("--n must be at least 1")
    try:
        import torch  # noqa: F401
        import transformers
    except ImportError:
        return fail(f"evaluation runs the embedded engine: {install('train')}")
    if not args.harness.is_file():
        return fail(f"there is no file `{args.harness}`")
    if sentence := _unfit(args):
        return fail(sentence)
    from runtime.engines.base import EngineError
    from trainer.evaluate.plot import plot_scores
    from trainer.evaluate.run import evaluate
    from trainer.harness import HarnessError
    from trainer.sft.logs import write_json

    transformers.logging.set_verbosity_error()
    suites = tuple(dict.fromkeys(args.suite or ("own", "variants", "uptake")))
    try:
        results = evaluate(args.harness, args.model, suites, n=args.n, seed=args.seed)
    except EngineError as error:
        return fail(str(error))
    except HarnessError as error:
        print(error, file=sys.stderr)
        return 1
    for result in results:
        print(_line(result))
    if args.json:
        write_json(args.json, [result.as_json() for result in results])
    if args.plot:
        plot_scores({args.model.name: [result.score for result in results]}, args.plot)
    return 0


def _unfit(args: argparse.Namespace) -> str | None:
    """Why the results cannot be written where they should go, in a sentence."""
    for path in (args.json, args.plot):
        if path is not None and not is_plain(path):
            return f"`{path}` is no plain file: choose one"
    return clash((args.json, args.plot), (args.harness,))


def _line(result: SuiteResult) -> str:
    score = result.score
    interval = f"[{100 * score.low:.1f}, {100 * score.high:.1f}]"
    parts = ", ".join(f"{name} {100 * result.part(name).share:.1f} %" for name in ("calls", "reply"))
    return f"{score.suite:<9}{100 * score.share:5.1f} % {interval}  {score.right} of {score.total}  ({parts})"
