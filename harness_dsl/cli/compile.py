"""Write the canonical IR of a harness as JSON: Core, default Surface and digests."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from harness_dsl.cli.files import STDIN, write_atomically
from harness_dsl.cli.main import fail
from harness_dsl.diagnostics import render

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE", help="a harness file; - for standard input")
    parser.add_argument("-o", "--output", metavar="OUT", help="where to write; default: standard output")


def run(options: argparse.Namespace) -> int:
    from harness_dsl.syntax.artefact import dump_ir
    from harness_dsl.syntax.compile import compile_file, compile_text

    if options.path == STDIN:
        compiled = compile_text(sys.stdin.buffer.read(), "<stdin>", ".")
    else:
        compiled = compile_file(options.path)
    shown = [diagnostic for diagnostic in compiled.diagnostics if diagnostic.severity == "error"]
    if compiled.core is None or compiled.surface is None:
        print(render.text(shown, compiled.files), file=sys.stderr)
        return 1
    data = dump_ir(compiled.core, compiled.surface, compiled.source_digest)
    if options.output is None:
        sys.stdout.buffer.write(data + b"\n")
        return 0
    try:
        write_atomically(options.output, data + b"\n")
    except OSError as error:
        return fail(f"cannot write `{options.output}`: {error.strerror or error}")
    return 0
