"""Write the canonical IR of a harness as JSON, or what another system takes of it.

Without --target: Core, default Surface and digests. With --target, what the target loses and how its answers
are read stands on standard error; a name or type that it cannot take is an error, and nothing is written.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.files import STDIN, same_file, write_atomically
from harness_dsl.cli.main import fail
from harness_dsl.diagnostics import render

if TYPE_CHECKING:
    import argparse

    from harness_dsl.exchange.exporting import Export, Fault
    from harness_dsl.syntax.compile import Compiled

TARGETS = ("openai-tools", "openai-strict", "anthropic-tools", "mcp", "gemini", "json-schema", "agent-skills")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE", help="a harness file; - for standard input")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="where to write; default: standard output; agent-skills: a folder",
    )
    parser.add_argument("--target", choices=TARGETS, help="write for this system instead of the IR")


def run(options: argparse.Namespace) -> int:
    from harness_dsl.syntax.artefact import dump_ir
    from harness_dsl.syntax.compile import compile_file, compile_text

    if options.target == "agent-skills" and options.output is None:
        return fail("agent-skills needs a folder to write to: `-o FOLDER`")
    if options.output is not None and same_file(options.path, options.output):
        return fail(f"`{options.output}` is the harness itself: choose another output")
    if options.path == STDIN:
        compiled = compile_text(sys.stdin.buffer.read(), "<stdin>", ".")
    else:
        compiled = compile_file(options.path)
    shown = [diagnostic for diagnostic in compiled.diagnostics if diagnostic.severity == "error"]
    if compiled.core is None or compiled.surface is None:
        print(render.text(shown, compiled.files), file=sys.stderr)
        return 1
    if options.target is not None:
        return _export(compiled, options)
    return _put(dump_ir(compiled.core, compiled.surface, compiled.source_digest) + b"\n", options.output)


def _export(compiled: Compiled, options: argparse.Namespace) -> int:
    from harness_dsl.exchange.exporting import export

    assert compiled.core is not None and compiled.surface is not None
    result = export(compiled.core, compiled.surface, options.target)
    if result.faults:
        for fault in result.faults:
            print(_fault(fault, compiled), file=sys.stderr)
        print(f"{len(result.faults)} errors: nothing is written", file=sys.stderr)
        return 1
    _say(result)
    if options.target == "agent-skills":
        return _folder(result.files, Path(options.output))
    text = json.dumps(result.document, ensure_ascii=False, indent=2)
    return _put(text.encode("utf-8", "backslashreplace") + b"\n", options.output)


def _put(data: bytes, output: str | None) -> int:
    if output is None:
        sys.stdout.buffer.write(data)
        return 0
    try:
        write_atomically(output, data)
    except OSError as error:
        return fail(f"cannot write `{output}`: {error.strerror or error}")
    return 0


def _folder(files: dict[str, str], folder: Path) -> int:
    try:
        for name, text in files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(target, text.encode())
    except OSError as error:
        return fail(f"cannot write `{folder}`: {error.strerror or error}")
    return 0


def _fault(fault: Fault, compiled: Compiled) -> str:
    """`file:line:column: error: symbol: reason`, at the nearest place that the symbol has."""
    from harness_dsl.diagnostics.lines import Lines

    symbol = fault.symbol
    while symbol not in compiled.spans and "/" in symbol:
        symbol = symbol.rsplit("/", 1)[0]
    span = compiled.spans.get(symbol)
    if span is None or span.path not in compiled.files:
        return f"{compiled.path}: error: {fault.symbol}: {fault.reason}"
    place = Lines(compiled.files[span.path]).place(span.start)
    return f"{span.path}:{place.line}:{place.column}: error: {fault.symbol}: {fault.reason}"


def _say(result: Export) -> None:
    """What is lost, each kind once with all that lose it; then how to decode."""
    symbols: dict[str, list[str]] = {}
    for symbol, what in result.lost:
        symbols.setdefault(what, []).append(symbol)
    for what, owners in symbols.items():
        of = f" ({', '.join(owners)})" if any(owners) else ""
        print(f"lost: {what}{of}", file=sys.stderr)
    for sentence in result.decode:
        print(f"decode: {sentence}", file=sys.stderr)
