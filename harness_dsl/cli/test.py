"""Run the tests that harnesses declare, on each harness and on certified variants of it.

Without a model each test runs on an oracle that is made from its own expectations: the expected skills and
calls, then a reply that states the expected facts. That shows that the test can be passed with these tools,
rules and hooks; it says nothing about a model. With `--engine embedded --model DIR`, or `--engine sglang
--url URL --model DIR` for a model that is served, the tests measure that model.

With `--contracts`, no test is run: for each hook with an implementation in Python that is declared equivalent
(`same as`), its condition and the implementation are asked about events that are generated from the types of
the harness, and about those of `--transcripts`. A disagreement is shown with the smallest event found.

Tests run in a process of their own: a tool that hangs, ends the process or takes all the memory fails its
test, and the others go on. What tools print goes to standard error.

Exit status 0: every test passed. 1: a test failed, or a harness has a mistake. 2: nothing could be run: wrong
usage, no test, or something outside the files.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli import contracts
from harness_dsl.cli.files import clash, harness_files, same_file, write_atomically

if TYPE_CHECKING:
    import argparse

    from runtime.testing.events import Plan
    from runtime.testing.report_text import TextReport
    from runtime.testing.results import FileResults

EXAMPLES = """\
examples:
  harnessc test shop.harness
  harnessc test . --junit report.xml
  harnessc test shop.harness --variants 20 --seed 7
  harnessc test shop.harness --contracts
  harnessc test shop.harness --variant 3 --seed 7 --only "price of a link" -o variant3.json
"""

SCRIPTED_NOTE = (
    "engine scripted: an oracle made from the expectations. What passes can be passed in the real loop, with "
    "these tools and hooks; no model was asked."
)

MEMORY_MB = 4096


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="+", help="harness files, compiled JSON, or folders")
    parser.add_argument(
        "--only", metavar="NAME", action="append", help="run the test of this title or id; may be repeated"
    )
    parser.add_argument("--fail-fast", action="store_true", help="stop at the first test that fails")
    parser.add_argument("--junit", metavar="FILE", help="write the results as JUnit XML too")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    variants = parser.add_argument_group("variants")
    which = variants.add_mutually_exclusive_group()
    which.add_argument("--variants", type=int, metavar="N", help="run on N variants of the seed too")
    which.add_argument("--variant", type=int, metavar="K", help="run on variant K of the seed alone")
    variants.add_argument("--seed", type=int, help="seed of all variants, as for `augment`, or of events")
    variants.add_argument("--policy", metavar="FILE", help="YAML: which operators, how often, how strongly")
    variants.add_argument("-o", "--output", metavar="OUT", help="write the harness under variant K, compiled")
    contracts.add_arguments(parser)
    engine = parser.add_argument_group("engine")
    engine.add_argument(
        "--engine",
        choices=("scripted", "embedded", "sglang"),
        default="scripted",
        help="scripted: the oracle of each test (default); embedded: the model in --model; sglang: a server",
    )
    engine.add_argument("--model", metavar="DIR", help="the model; for sglang, a folder with its tokenizer")
    engine.add_argument("--url", help="where the SGLang server listens")
    engine.add_argument("--max-tokens", type=int, default=256, help="longest output of a model (default 256)")
    engine.add_argument(
        "--timeout", type=float, metavar="S", help="seconds for one test (default 120; with a model 600)"
    )


def run(args: argparse.Namespace) -> int:
    """0: every test passed. 1: a test failed, or a harness has a mistake. 2: nothing could be run."""
    problem = _wrong_usage(args)
    if problem is not None:
        return _usage(problem)
    if args.contracts:
        return contracts.run(args)
    named = set(args.paths)
    paths = harness_files(args.paths)
    if not paths:
        return _usage("there is no `.harness` file in " + ", ".join(args.paths))
    from runtime.testing.report_text import TextReport
    from runtime.testing.results import FileResults

    report = None if args.json else TextReport(many=len(paths) > 1)
    files: list[FileResults] = []
    for path in paths:
        file = FileResults(_plan(args, path))
        _run_file(args, file, report, alone=len(paths) == 1)
        if file.failed is not None and file.failed.module and path not in named:
            continue  # in a folder, modules lie beside the harnesses that import them
        files.append(file)
        if file.failed is not None:
            _say(file.failed.message, file.failed.status)
        elif report is not None:
            report.closed(file)
            if not file.tests and args.only is None:
                print(f"{path} declares no test", file=sys.stderr)
        if args.fail_fast and file.passed < len(file.outcomes):
            break
    return _conclude(args, files, report)


def _plan(args: argparse.Namespace, path: str) -> Plan:
    from runtime.testing.events import Plan

    return Plan(
        harness=path,
        variants=args.variants or 0,
        variant=args.variant,
        seed=args.seed or 0,
        policy=args.policy,
        only=None if args.only is None else tuple(args.only),
        engine=args.engine,
        model=args.model,
        url=args.url,
        max_tokens=args.max_tokens,
        output=args.output,
        memory_mb=MEMORY_MB if args.engine == "scripted" else None,
    )


def _run_file(args: argparse.Namespace, file: FileResults, report: TextReport | None, alone: bool) -> None:
    from contextlib import closing

    from runtime.testing.events import Failed, Loaded, Outcome
    from runtime.testing.progress import Progress
    from runtime.testing.supervise import supervise

    if not Path(file.path).is_file():
        file.failed = Failed(f"there is no file `{file.path}`", 2)
        return
    timeout_s = args.timeout or (120.0 if args.engine == "scripted" else 600.0)
    progress = Progress()
    with closing(supervise(file.plan, timeout_s)) as events, closing(progress):
        for event in events:
            file.add(event)
            progress.saw(file, event)
            if isinstance(event, Loaded) and alone and event.unknown:
                file.failed = Failed(f"{file.path} has no test `{event.unknown[0]}`", 2)
                return
            if report is not None:
                if isinstance(event, Loaded):
                    report.opened(file)
                report.saw(file, event)
            if args.fail_fast and isinstance(event, Outcome) and not event.passed:
                return


def _conclude(args: argparse.Namespace, files: list[FileResults], report: TextReport | None) -> int:
    """Prints and writes what is left to say; returns the exit status."""
    ran = [outcome for file in files for outcome in file.outcomes]
    note = SCRIPTED_NOTE if args.engine == "scripted" else f"engine {args.engine}: {args.model}"
    status = max([0, *(file.failed.status for file in files if file.failed is not None)])
    if report is None:
        from runtime.testing.report_json import document

        scripted = SCRIPTED_NOTE if args.engine == "scripted" else ""
        print(json.dumps(document(_plan(args, ""), files, scripted), ensure_ascii=False, indent=2))
    elif ran:
        report.total(files)
        print(note)
    if args.junit is not None:
        from runtime.testing.report_junit import junit

        write_atomically(args.junit, junit(files))
    loaded = [file for file in files if file.harness]
    # Such a file may well have the test; a module has none.
    unread = any(file.failed and not file.failed.module for file in files if not file.harness)
    for name in args.only or ():
        if loaded and not unread and status < 2 and all(name in file.unknown for file in loaded):
            status = _usage(f"no file has a test `{name}`")
    if not ran and status == 0:
        return _usage("no tests: nothing was run")
    return status or int(any(not outcome.passed for outcome in ran))


def _wrong_usage(args: argparse.Namespace) -> str | None:
    if (args.engine != "scripted") != (args.model is not None):
        engine = "embedded" if args.engine == "scripted" else args.engine
        return f"--engine {engine} and --model DIR go together"
    if (args.engine == "sglang") != (args.url is not None):
        return "--engine sglang and --url URL go together"
    for name, value, least in (
        ("--max-tokens", args.max_tokens, 1),
        ("--variants", args.variants, 1),
        ("--variant", args.variant, 0),
    ):
        if value is not None and value < least:
            return f"{name} must be at least {least}"
    if args.timeout is not None and not args.timeout > 0:
        return "--timeout must be more than 0"
    return _wrong_files(args)


def _wrong_files(args: argparse.Namespace) -> str | None:
    problem = contracts.misuse(args)
    if problem is not None:
        return problem
    varied = args.variants is not None or args.variant is not None
    if not varied and not args.contracts and (args.seed is not None or args.policy is not None):
        return f"--{'seed' if args.seed is not None else 'policy'} goes with --variants N or --variant K"
    if args.output is not None and (args.variant is None or len(harness_files(args.paths)) != 1):
        return "-o writes one harness under one variant: give one file and --variant K"
    for path in (args.output, args.junit):
        if path is not None and any(same_file(path, harness) for harness in harness_files(args.paths)):
            return f"`{path}` is a harness that is tested: choose another output"
        if path is not None and (not Path(path).parent.is_dir() or Path(path).is_dir()):
            return f"`{path}` cannot be written: there is no such folder, or it is one"
    if args.policy is not None and not Path(args.policy).is_file():
        return f"there is no file `{args.policy}`"
    return clash((args.output, args.junit), (args.policy, args.transcripts))


def _say(message: str, status: int) -> None:
    print(f"harnessc test: {message}" if status == 2 else message, file=sys.stderr)


def _usage(sentence: str) -> int:
    print(f"harnessc test: {sentence}", file=sys.stderr)
    return 2
