"""`harnessc test --contracts`: whether implementations that are declared equivalent answer alike."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.files import harness_files

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from harness_dsl.diagnostics import Diagnostic
    from harness_dsl.syntax.opening import Opened
    from runtime.contracts.plan import Verdict

EVENTS = 400


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("contracts")
    group.add_argument(
        "--contracts",
        action="store_true",
        help="instead of tests, ask each hook's condition and its implementations (`same as`) about events",
    )
    group.add_argument(
        "--events", type=int, metavar="N", help=f"so many generated events for each hook (default {EVENTS})"
    )
    group.add_argument(
        "--transcripts", metavar="FILE", help="JSON lines: conversations whose events are asked too"
    )


def misuse(args: argparse.Namespace) -> str | None:
    """Why these options do not go together, in a sentence."""
    if not args.contracts:
        for name in ("events", "transcripts"):
            if getattr(args, name) is not None:
                return f"--{name} goes with --contracts"
        return None
    if args.events is not None and args.events < 1:
        return "--events must be at least 1"
    if (
        args.variants is not None
        or args.variant is not None
        or args.only is not None
        or args.junit is not None
    ):
        return "--contracts runs no tests: leave --only, --junit, --variants and --variant out"
    if args.transcripts is not None and not Path(args.transcripts).is_file():
        return f"there is no file `{args.transcripts}`"
    return None


def run(args: argparse.Namespace) -> int:
    """0: every implementation agrees. 1: one does not, or a file has a mistake. 2: nothing was asked."""
    from harness_dsl.syntax.opening import HarnessFileError, open_harness
    from runtime.contracts.running import ContractError

    status, asked, agree, told = 0, 0, 0, []
    for path in harness_files(args.paths):
        try:
            opened = open_harness(path)
            for verdict in _verdicts(opened, args):
                asked, agree = asked + 1, agree + verdict.agrees
                told.append({"harness": path, **asdict(verdict), "agrees": verdict.agrees})
                if not args.json:
                    _say(verdict, opened)
        except (HarnessFileError, ContractError) as error:
            if isinstance(error, HarnessFileError) and error.module and path not in args.paths:
                continue  # in a folder, modules lie beside the harnesses that import them
            status = max(status, getattr(error, "status", 2))
            print(f"harnessc test: {error}" if status == 2 else error, file=sys.stderr)
    if args.json:
        print(json.dumps({"implementations": told}, ensure_ascii=False, indent=2))
    elif asked:
        print(
            f"{agree} of {asked} implementation{'' if asked == 1 else 's'} agree{'s' if asked == 1 else ''}"
        )
    if not asked and not status:
        print("harnessc test: no hook has an implementation in Python: nothing was asked", file=sys.stderr)
        return 2
    return status or int(agree < asked)


def findings(path: str) -> tuple[list[Diagnostic], dict[str, str]]:
    """The disagreements in the harness at `path`, and the texts of its files. Raises `ContractError`."""
    from harness_dsl.syntax.opening import open_harness
    from runtime.contracts.diagnosing import diagnostic
    from runtime.contracts.plan import Plan
    from runtime.contracts.running import verdicts

    opened = open_harness(path)
    found = verdicts(Plan(path), opened.core, opened.surface)
    return [diagnostic(verdict, opened) for verdict in found if not verdict.agrees], opened.files


def _verdicts(opened: Opened, args: argparse.Namespace) -> Iterator[Verdict]:
    """Raises `HarnessFileError` for a transcript of another harness, and `ContractError`."""
    from harness_dsl.cli.augment import read_conversations
    from runtime.contracts.plan import Plan
    from runtime.contracts.running import verdicts

    if args.transcripts is not None:
        read_conversations(args.transcripts, opened.core)
    plan = Plan(opened.path, args.events or EVENTS, args.seed or 0, args.transcripts)
    return verdicts(plan, opened.core, opened.surface)


def _say(verdict: Verdict, opened: Opened) -> None:
    from harness_dsl.diagnostics import render
    from harness_dsl.ir.ids import leaf
    from runtime.contracts.diagnosing import diagnostic

    if verdict.agrees:
        said = f"agrees with the condition on {verdict.events} events"
        print(f"{opened.path}: {leaf(verdict.hook)}: `{verdict.target}` {said}")
    else:
        print(render.text([diagnostic(verdict, opened)], opened.files))
