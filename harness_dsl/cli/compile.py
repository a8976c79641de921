"""Write the canonical IR of a harness as JSON, or what another system takes of it.

Without --target: Core, default Surface and digests. With --target, what the target loses and how its answers
are read stands on standard error, and as JSON in the file of --report; a name or type that it cannot take is
an error, and nothing is written. --decode reads the calls that come back.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.files import STDIN, clash, same_file, write_atomically
from harness_dsl.cli.main import fail
from harness_dsl.cli.one_line import one_line
from harness_dsl.diagnostics import render
from harness_dsl.diagnostics.system import reason

if TYPE_CHECKING:
    import argparse

    from harness_dsl.exchange.exporting import Export, Fault
    from harness_dsl.syntax.compile import Compiled

TARGETS = (
    "ir",
    "ir-schema",
    "openai-tools",
    "openai-strict",
    "anthropic-tools",
    "mcp",
    "gemini",
    "json-schema",
    "python-stubs",
    "agent-skills",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", nargs="?", metavar="FILE", help="a harness file; - for standard input; none for ir-schema"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="where to write; default: standard output; agent-skills: a folder",
    )
    parser.add_argument(
        "--target",
        choices=TARGETS,
        default="ir",
        help="what to write: the IR (default), its JSON Schema, or what another system takes",
    )
    parser.add_argument(
        "--sanitise", action="store_true", help="send other names for those that the target refuses"
    )
    parser.add_argument(
        "--report", metavar="FILE", help="write losses, faults and how to decode as JSON to FILE"
    )
    parser.add_argument(
        "--decode",
        metavar="CALLS",
        help="write instead, by semantic ids, the calls of a model behind the target: one as JSON a line; "
        "- for standard input",
    )


def run(options: argparse.Namespace) -> int:
    from harness_dsl.syntax.artefact import dump_ir
    from harness_dsl.syntax.compile import compile_file, compile_text

    wrong = _wrong(options)
    if wrong:
        return fail(wrong)
    if options.target == "ir-schema":
        return _schema(options.output)
    if options.path == STDIN:
        compiled = compile_text(sys.stdin.buffer.read(), "<stdin>", ".")
    else:
        compiled = compile_file(options.path)
    shown = [diagnostic for diagnostic in compiled.diagnostics if diagnostic.severity == "error"]
    if compiled.core is None or compiled.surface is None:
        print(render.text(shown, compiled.files), file=sys.stderr)
        return 2 if any(diagnostic.code == "HD112" for diagnostic in shown) else 1
    if options.decode is not None:
        return _decode(compiled, options)
    if options.target != "ir":
        return _export(compiled, options)
    return _put(dump_ir(compiled.core, compiled.surface, compiled.source_digest) + b"\n", options.output)


def _wrong(options: argparse.Namespace) -> str | None:
    """Why the options cannot be followed."""
    own = ("ir", "ir-schema")
    if options.target == "ir-schema" and options.path is not None:
        return "ir-schema is one for all harnesses: leave FILE out"
    if options.target != "ir-schema" and options.path is None:
        return "which FILE? - for standard input"
    for option in ("sanitise", "report", "decode"):
        if getattr(options, option) and options.target in own:
            return f"`--{option}` is for what another system takes: say which with `--target`"
    if options.decode is None and options.target == "agent-skills" and options.output is None:
        return "agent-skills needs a folder to write to: `-o FOLDER`"
    for output in (options.output, options.report):
        if output is not None and options.path is not None and same_file(options.path, output):
            return f"`{output}` is the harness itself: choose another output"
    return clash((options.output, options.report))


def _schema(output: str | None) -> int:
    from harness_dsl.exchange.ir_schema import ir_schema

    return _put(json.dumps(ir_schema(), indent=2).encode() + b"\n", output)


def _export(compiled: Compiled, options: argparse.Namespace) -> int:
    from harness_dsl.exchange.exporting import export

    assert compiled.core is not None and compiled.surface is not None
    result = export(compiled.core, compiled.surface, options.target, sanitise=options.sanitise)
    if options.report is not None:
        report = json.dumps(result.report(), ensure_ascii=False, indent=2)
        status = _put(report.encode("utf-8", "backslashreplace") + b"\n", options.report)
        if status:
            return status
    if result.faults:
        for fault in result.faults:
            print(_fault(fault, compiled), file=sys.stderr)
        count = len(result.faults)
        print(f"{count} error{'s' if count != 1 else ''}: nothing is written", file=sys.stderr)
        if not options.sanitise and any("is no name" in fault.reason for fault in result.faults):
            print("help: with `--sanitise`, names that the target takes are sent instead", file=sys.stderr)
        return 1
    _say(result)
    if options.target == "agent-skills":
        return _folder(result.files, Path(options.output))
    text = result.text or json.dumps(result.document, ensure_ascii=False, indent=2) + "\n"
    return _put(text.encode("utf-8", "backslashreplace"), options.output)


def _decode(compiled: Compiled, options: argparse.Namespace) -> int:
    """One call as JSON a line, `null` for what is none; why, on standard error."""
    from harness_dsl.exchange.decoding import Calls, Undecodable
    from harness_dsl.protocol.json_text import BadJson, dump, load

    assert compiled.core is not None and compiled.surface is not None
    calls = Calls(compiled.core, compiled.surface, options.target, sanitise=options.sanitise)
    try:
        data = sys.stdin.buffer.read() if options.decode == STDIN else Path(options.decode).read_bytes()
        lines = data.decode("utf-8-sig").splitlines()
    except OSError as error:
        return fail(f"cannot read `{options.decode}`: {reason(error)}")
    except UnicodeDecodeError:
        return fail(f"`{options.decode}` is not UTF-8")
    out, refused = [], 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            said = calls.decode(load(line)).model_dump(mode="json")
        except (Undecodable, BadJson) as problem:
            print(f"{options.decode}:{number}: {problem}", file=sys.stderr)
            said, refused = None, refused + 1
        out.append(dump(said) + "\n")
    return _put("".join(out).encode("utf-8", "backslashreplace"), options.output) or int(refused > 0)


def _put(data: bytes, output: str | None) -> int:
    if output is None:
        sys.stdout.buffer.write(data)
        return 0
    try:
        write_atomically(output, data)
    except OSError as error:
        return fail(f"cannot write `{output}`: {reason(error)}")
    return 0


def _folder(files: dict[str, str], folder: Path) -> int:
    try:
        for name, text in files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(target, text.encode())
    except OSError as error:
        return fail(f"cannot write `{folder}`: {reason(error)}")
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
        print(one_line(f"lost: {what}{of}"), file=sys.stderr)
    for sentence in result.decode:
        print(one_line(f"decode: {sentence}"), file=sys.stderr)
