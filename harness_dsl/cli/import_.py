"""Write harness files from what others wrote: tool lists, benchmark items, Agent Skills, hook settings.

What the language cannot say is listed by JSON Pointer on standard error, or with everything else as JSON on
standard output. A definition that cannot be read is left out with the reason, and the others are taken.
Exit status 0: everything was taken over. 1: something was refused. 2: nothing could be done.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.files import STDIN, SUFFIX, clash, write_atomically
from harness_dsl.cli.main import fail
from harness_dsl.cli.one_line import one_line
from harness_dsl.diagnostics.system import reason

if TYPE_CHECKING:
    import argparse

    from harness_dsl.exchange.found import Loss, Refusal
    from harness_dsl.exchange.importing import Imported

KINDS = {
    "mcp": "`tools/list` answers and tool lists of MCP servers",
    "openai": "`tools` of an OpenAI request",
    "anthropic": "`tools` of an Anthropic request",
    "bfcl": "items or function documents of the Berkeley Function-Calling Leaderboard",
    "acebench": "items of ACEBench",
    "skills": "Agent Skills folders",
    "hooks": "hook settings of coding agents",
}
_SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    kinds = "; ".join(f"{kind}: {about}" for kind, about in KINDS.items())
    parser.add_argument("kind", choices=tuple(KINDS), metavar="KIND", help=kinds)
    parser.add_argument("path", metavar="PATH", help="a file, a folder of them, or - for standard input")
    parser.add_argument("-o", "--output", metavar="OUT", help="the harness file; default: standard output")
    parser.add_argument(
        "--split", action="store_true", help="bfcl, acebench: OUT is a folder, one harness for each item"
    )
    parser.add_argument("--server", default="", metavar="NAME", help="mcp: the server that runs the tools")
    parser.add_argument(
        "--harness", metavar="FILE", help="hooks: the harness whose tools are meant; OUT is it with the hooks"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how losses are reported")


def run(options: argparse.Namespace) -> int:
    wrong = _wrong(options)
    if wrong:
        return fail(wrong)
    if options.path != STDIN:
        return _import(options, Path(options.path))
    from tempfile import TemporaryDirectory

    from harness_dsl.syntax.source import LIMIT

    with TemporaryDirectory() as folder:
        path = Path(folder, "stdin")
        # One byte more shows that it is too much.
        path.write_bytes(sys.stdin.buffer.read(LIMIT + 1))
        return _import(options, path)


def _import(options: argparse.Namespace, path: Path) -> int:
    """Takes over what is at `path`."""
    if options.kind == "hooks":
        return _hooks(options, path)
    from harness_dsl.exchange.importing import import_harness, import_items

    if options.split:
        results = list(import_items(options.kind, path))
    else:
        results = [import_harness(options.kind, path, options.server)]
    if not any(result.text or result.refusals for result in results):
        return fail(f"there is nothing of `{options.kind}` in `{options.path}`")
    try:
        written = _write(results, options)
    except OSError as error:
        return fail(f"cannot write `{options.output}`: {reason(error)}")
    losses = [loss for result in results for loss in result.losses]
    refusals = [refusal for result in results for refusal in result.refusals]
    counts = {
        "taken": sum(len(result.sources) for result in results),
        "repeated": sum(result.repeated for result in results),
        "tests": sum(result.tests for result in results),
    }
    return _tell(options, written, counts, losses, refusals)


def _hooks(options: argparse.Namespace, path: Path) -> int:
    from harness_dsl.diagnostics import render
    from harness_dsl.exchange.hooks import import_hooks
    from harness_dsl.syntax.analysis import analysed
    from harness_dsl.syntax.source import read

    harness = None
    if options.harness is not None:
        source = read(options.harness)
        harness = analysed(source, options.harness)
        wrong = source.diagnostics if harness is None else harness.diagnostics
        errors = [found for found in wrong if found.severity == "error"]
        if errors:
            print(render.text(errors, {options.harness: source.text or ""}), file=sys.stderr)
            return 1
    result = import_hooks(path, harness)
    if not result.text and not result.refusals:
        return fail(f"there is nothing of `hooks` in `{options.path}`")
    written = []
    if options.output is None:
        sys.stdout.write(result.text)
    elif result.text:
        try:
            write_atomically(options.output, result.text.encode())
        except OSError as error:
            return fail(f"cannot write `{options.output}`: {reason(error)}")
        written = [options.output]
    return _tell(options, written, {"taken": len(result.hooks)}, result.losses, result.refusals)


def _tell(
    options: argparse.Namespace,
    written: list[str],
    counts: dict[str, int],
    losses: list[Loss],
    refusals: list[Refusal],
) -> int:
    """Says what became of everything, in the format asked for; returns the exit status."""
    if options.format == "json":
        report = {
            "written": written,
            **counts,
            "losses": [loss._asdict() for loss in losses],
            "refusals": [refusal._asdict() for refusal in refusals],
        }
        print(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        _print(counts, losses, refusals)
    return 1 if refusals else 0


def _wrong(options: argparse.Namespace) -> str | None:
    """Why the options cannot be followed."""
    if options.path != STDIN and not Path(options.path).exists():
        return f"there is no `{options.path}`"
    if options.split and options.kind not in ("bfcl", "acebench"):
        return "`--split` is for benchmark items: bfcl and acebench"
    if options.split and options.output is None:
        return "`--split` needs a folder to write to: `-o FOLDER`"
    if options.server and options.kind != "mcp":
        return "`--server` is for mcp"
    if options.harness is not None and options.kind != "hooks":
        return "`--harness` is for hooks"
    if options.harness is not None and options.output is not None:
        homes = {Path(each).resolve().parent for each in (options.harness, options.output)}
        if len(homes) > 1:
            return f"`{options.output}` is not beside the harness, where its imports and fixtures are"
    if options.format == "json" and options.output is None:
        return "`--format json` needs a file for the harness: `-o OUT`"
    if options.output is not None and not options.split and Path(options.output).is_dir():
        return f"`{options.output}` is a folder"
    return None if options.split else clash([options.output], [options.path])


def _write(results: list[Imported], options: argparse.Namespace) -> list[str]:
    """Writes what was imported; returns where."""
    if options.output is None:
        sys.stdout.write(results[0].text)
        return []
    if not options.split:
        if results[0].text:
            write_atomically(options.output, results[0].text.encode())
        return [options.output] if results[0].text else []
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for result in results:
        if result.text:
            target = folder / f"{result.name}{SUFFIX}"
            write_atomically(target, result.text.encode())
            written.append(str(target))
    return written


def _print(numbers: dict[str, int], losses: list[Loss], refusals: list[Refusal]) -> None:
    for refusal in refusals:
        name = f" `{refusal.name}`" if refusal.name else ""
        place = f"{refusal.file}{refusal.pointer and '#' + refusal.pointer}"
        print(one_line(f"refused: {place}{name}: {refusal.reason}"), file=sys.stderr)
    counts = Counter(_kind(loss.what) for loss in losses)
    first = {_kind(loss.what): loss for loss in reversed(losses)}
    for kind, count in counts.most_common(_SHOWN):
        loss = first[kind]
        place = f"{loss.file}{loss.pointer and '#' + loss.pointer}"
        more = f" and {count - 1} more" if count > 1 else ""
        print(one_line(f"lost: {loss.what} ({place}{more})"), file=sys.stderr)
    if len(counts) > _SHOWN:
        print(f"lost: {len(counts) - _SHOWN} further kinds; `--format json` lists all", file=sys.stderr)
    said = [f"{numbers['taken']} taken over", f"{len(refusals)} refused", f"{len(losses)} {_losses(losses)}"]
    said += [f"{numbers[key]} {key}" for key in ("repeated", "tests") if numbers.get(key)]
    print(", ".join(said), file=sys.stderr)


def _losses(losses: list[Loss]) -> str:
    return "loss" if len(losses) == 1 else "losses"


def _kind(what: str) -> str:
    """Losses of one kind are shown once: of names that are shown as others, each has its own."""
    return "the name" if what.startswith("the name ") else what
