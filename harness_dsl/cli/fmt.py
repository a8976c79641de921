"""Lay harness files out in the canonical way. Comments, and every byte inside quotes and text blocks,
stay.

Exit status 0: laid out. 1: a file has mistakes, or another layout with --check or --diff. 2: a file cannot
be read.
"""

from __future__ import annotations

import difflib
import sys
from typing import TYPE_CHECKING

from harness_dsl.cli.files import STDIN, harness_files, source_of, write_atomically
from harness_dsl.cli.main import fail
from harness_dsl.diagnostics import Diagnostic, render

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        default=["."],
        metavar="PATH",
        help="files or folders; - from standard input to output",
    )
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit status 1 if something would change"
    )
    parser.add_argument("--diff", action="store_true", help="print what would change; change nothing")


def run(options: argparse.Namespace) -> int:
    from harness_dsl.syntax.format import format_text

    paths = harness_files(options.paths)
    if not paths:
        return fail("no `.harness` file found in " + ", ".join(options.paths))
    status = changed = 0
    for path in paths:
        name = "<stdin>" if path == STDIN else path
        source = source_of(path)
        text, found = (None, source.diagnostics)
        if source.text is not None:
            text, found = format_text(source.text, name)
        if text is None:
            _report(found, name, source.text or "")
            status = 2 if found[0].code == "HD112" else max(status, 1)
            continue
        different = text != source.text or _raw_differs(path, text)
        if path == STDIN and not (options.check or options.diff):
            sys.stdout.buffer.write(text.encode())
            continue
        if different:
            changed += 1
            if options.diff:
                print(_diff(source.text or "", text, name), end="")
            elif not options.check:
                write_atomically(path, text.encode())
            if options.check or options.diff:
                print(f"{name}: not in the canonical layout", file=sys.stderr)
                status = max(status, 1)
    if not (options.check or options.diff) and STDIN not in paths:
        print(f"{len(paths)} file{'s' if len(paths) != 1 else ''}, {changed} changed", file=sys.stderr)
    return status


def _raw_differs(path: str, text: str) -> bool:
    """Whether the bytes differ although the text does not: a byte-order mark or other line ends."""
    from pathlib import Path

    return path != STDIN and Path(path).read_bytes() != text.encode()


def _report(found: list[Diagnostic], name: str, text: str) -> None:
    errors = [diagnostic for diagnostic in found if diagnostic.severity == "error"]
    print(render.text(errors, {name: text}), file=sys.stderr)


def _diff(old: str, new: str, name: str) -> str:
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), name, f"{name} (formatted)"
    )
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)
