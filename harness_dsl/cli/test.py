"""Run the tests that a harness declares, through the loop that serves it.

Without a model each test runs on an oracle that is made from its own expectations: the expected skills and
calls, then a reply that states the expected facts. That shows that the test can be passed with these tools,
rules and hooks; it says nothing about a model. With `--engine embedded --model DIR` the tests measure that
model.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from harness_dsl.ir.core import TestCase
    from runtime.engines.base import Engine
    from runtime.load import Loaded
    from runtime.testing.run import TestResult

HELP = "run the tests of a harness on an engine"

SCRIPTED_NOTE = (
    "engine scripted: an oracle made from the expectations. What passes can be passed in the real loop, with "
    "these tools and hooks; no model was asked."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE", type=Path, help="a harness file, or its compiled JSON")
    parser.add_argument(
        "--engine",
        choices=("scripted", "embedded"),
        default="scripted",
        help="scripted: the oracle of each test (default); embedded: the model in --model",
    )
    parser.add_argument("--model", metavar="DIR", type=Path, help="the directory of a causal language model")
    parser.add_argument(
        "--only", metavar="NAME", action="append", help="run the test of this title or id; may be repeated"
    )
    parser.add_argument("--max-tokens", type=int, default=256, help="longest output of a model (default 256)")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")


def run(args: argparse.Namespace) -> int:
    """0: every test passed. 1: a test failed, or the harness has a mistake. 2: usage or environment."""
    import asyncio

    from runtime.engines.base import EngineError
    from runtime.load import LoadError, load_harness

    if (args.engine == "embedded") != (args.model is not None):
        return _usage("--engine embedded and --model DIR go together")
    if args.max_tokens < 1:
        return _usage("--max-tokens must be at least 1")
    try:
        loaded = load_harness(args.path)
        known = {name for test in loaded.core.tests for name in _names(test)}
        unknown = [name for name in args.only or () if name not in known]
        if unknown:
            return _usage(f"{args.path} has no test `{unknown[0]}`")
        results = asyncio.run(_results(args, loaded))
    except LoadError as error:
        print(error, file=sys.stderr)
        return error.status
    except (EngineError, ValueError) as error:
        return _usage(str(error))
    _show(results, args)
    return 0 if all(result.passed for result in results) else 1


async def _results(args: argparse.Namespace, loaded: Loaded) -> list[TestResult]:
    from runtime.byte_tokenizer import byte_tokenizer
    from runtime.engines.base import Sampling
    from runtime.model_files import load_tokenizer
    from runtime.testing.run import run_tests
    from runtime.version import Versions

    engine: Engine | None = None
    tokenizer = byte_tokenizer()
    if args.model is not None:
        from runtime.engines.embedded import EmbeddedEngine
        from runtime.engines.embedded_model import quiet_loading

        tokenizer = load_tokenizer(args.model)
        quiet_loading()
        engine = EmbeddedEngine.load(args.model)
    versions = Versions(tokenizer, loaded.tools, loaded.hooks, token_limits=args.model is not None)
    chosen = [
        test for test in loaded.core.tests if args.only is None or not _names(test).isdisjoint(args.only)
    ]
    try:
        return await run_tests(
            versions,
            loaded.core,
            loaded.surface,
            engine=engine,
            sampling=Sampling(max_tokens=args.max_tokens),
            tests=chosen,
        )
    finally:
        if engine is not None:
            await engine.close()


def _names(test: TestCase) -> set[str]:
    """What a test may be asked for by: its title, its id, or the id without `test/`."""
    return {test.title, test.id, test.id.partition("/")[2]}


def _show(results: list[TestResult], args: argparse.Namespace) -> None:
    if args.json:
        document = {
            "engine": args.engine,
            "model": None if args.model is None else str(args.model),
            "note": SCRIPTED_NOTE if args.engine == "scripted" else "",
            "passed": sum(result.passed for result in results),
            "tests": [
                {
                    "id": result.id,
                    "title": result.title,
                    "passed": result.passed,
                    "problems": list(result.problems),
                    "reply": result.reply,
                    "milliseconds": round(result.seconds * 1000, 1),
                }
                for result in results
            ],
        }
        print(json.dumps(document, ensure_ascii=False, indent=2))
        return
    for result in results:
        print(f"{'ok    ' if result.passed else 'FAILED'}  {result.title}  → {result.reply or '(nothing)'}")
        for problem in result.problems:
            print(f"        {problem}")
    print(f"{sum(result.passed for result in results)} of {len(results)} tests passed")
    print(SCRIPTED_NOTE if args.engine == "scripted" else f"engine embedded: {args.model}")


def _usage(sentence: str) -> int:
    print(f"harnessc test: {sentence}", file=sys.stderr)
    return 2
