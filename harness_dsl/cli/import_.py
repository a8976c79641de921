"""Write harness files from what others wrote: tool lists, benchmark items, Agent Skills.

What the language cannot say is listed by JSON Pointer on standard error, or with everything else as JSON on
standard output. A definition that cannot be read is left out with the reason, and the others are taken.
Exit status 0: everything was taken over. 1: something was refused. 2: nothing could be done.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness_dsl.cli.files import SUFFIX, write_atomically
from harness_dsl.cli.main import fail
from harness_dsl.diagnostics.system import reason

if TYPE_CHECKING:
    import argparse

    from harness_dsl.exchange.importing import Imported

KINDS = {
    "mcp": "`tools/list` answers and tool lists of MCP servers",
    "openai": "`tools` of an OpenAI request",
    "anthropic": "`tools` of an Anthropic request",
    "bfcl": "items or function documents of the Berkeley Function-Calling Leaderboard",
    "acebench": "items of ACEBench",
    "skills": "Agent Skills folders",
}
_SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    kinds = "; ".join(f"{kind}: {about}" for kind, about in KINDS.items())
    parser.add_argument("kind", choices=tuple(KINDS), metavar="KIND", help=kinds)
    parser.add_argument("path", metavar="PATH", help="a file, or a folder of them")
    parser.add_argument("-o", "--output", metavar="OUT", help="the harness file; default: standard output")
    parser.add_argument(
        "--split", action="store_true", help="bfcl, acebench: OUT is a folder, one harness for each item"
    )
    parser.add_argument("--server", default="", metavar="NAME", help="mcp: the server that runs the tools")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how losses are reported")


def run(options: argparse.Namespace) -> int:
    wrong = _wrong(options)
    if wrong:
        return fail(wrong)
    from harness_dsl.exchange.importing import import_harness, import_items

    path = Path(options.path)
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
    if options.format == "json":
        print(json.dumps(_report(results, written), ensure_ascii=False, indent=2))
    else:
        _print(results)
    return 1 if any(result.refusals for result in results) else 0


def _wrong(options: argparse.Namespace) -> str | None:
    """Why the options cannot be followed."""
    if not Path(options.path).exists():
        return f"there is no `{options.path}`"
    if options.split and options.kind not in ("bfcl", "acebench"):
        return "`--split` is for benchmark items: bfcl and acebench"
    if options.split and options.output is None:
        return "`--split` needs a folder to write to: `-o FOLDER`"
    if options.server and options.kind != "mcp":
        return "`--server` is for mcp"
    if options.format == "json" and options.output is None:
        return "`--format json` needs a file for the harness: `-o OUT`"
    if options.output is not None and not options.split and Path(options.output).is_dir():
        return f"`{options.output}` is a folder"
    return None


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


def _report(results: list[Imported], written: list[str]) -> dict[str, Any]:
    return {
        "written": written,
        "taken": sum(len(result.sources) for result in results),
        "repeated": sum(result.repeated for result in results),
        "tests": sum(result.tests for result in results),
        "losses": [loss._asdict() for result in results for loss in result.losses],
        "refusals": [refusal._asdict() for result in results for refusal in result.refusals],
    }


def _print(results: list[Imported]) -> None:
    losses = [loss for result in results for loss in result.losses]
    refusals = [refusal for result in results for refusal in result.refusals]
    for refusal in refusals:
        name = f" `{refusal.name}`" if refusal.name else ""
        print(
            f"refused: {refusal.file}{refusal.pointer and '#' + refusal.pointer}{name}: {refusal.reason}",
            file=sys.stderr,
        )
    counts = Counter(loss.what for loss in losses)
    first = {loss.what: loss for loss in reversed(losses)}
    for what, count in counts.most_common(_SHOWN):
        loss = first[what]
        place = f"{loss.file}{loss.pointer and '#' + loss.pointer}"
        more = f" and {count - 1} more" if count > 1 else ""
        print(f"lost: {what} ({place}{more})", file=sys.stderr)
    if len(counts) > _SHOWN:
        print(f"lost: {len(counts) - _SHOWN} further kinds; `--format json` lists all", file=sys.stderr)
    taken, repeated = sum(len(result.sources) for result in results), sum(r.repeated for r in results)
    said = [f"{taken} taken over", f"{len(refusals)} refused", f"{len(losses)} losses"]
    said += [f"{repeated} repeated"] if repeated else []
    tests = sum(result.tests for result in results)
    said += [f"{tests} tests"] if tests else []
    print(", ".join(said), file=sys.stderr)
