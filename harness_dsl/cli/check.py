"""Find mistakes in harness files: syntax, names, types, templates, tests, and what only looks wrong.

Exit status 0: no error and no warning. 1: something to correct. 2: nothing could be checked.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.files import STDIN, harness_files, source_of, write_atomically
from harness_dsl.cli.main import fail
from harness_dsl.diagnostics import Diagnostic, render

if TYPE_CHECKING:
    import argparse

    from harness_dsl.syntax.source import Source


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", default=["."], metavar="PATH", help="files or folders; - for standard input"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how findings are printed")
    parser.add_argument(
        "--fix",
        action="store_true",
        help="first make the safe fixes in the files given: references for bare names, labels for items",
    )
    parser.add_argument("--info", action="store_true", help="list findings that need no correction too")


def run(options: argparse.Namespace) -> int:
    paths = harness_files(options.paths)
    if not paths:
        return fail("no `.harness` file found in " + ", ".join(options.paths))
    if options.fix and STDIN in paths:
        return fail("`--fix` changes files, and standard input is none")
    repaired = sum(map(repair, paths)) if options.fix else 0
    found: list[Diagnostic] = []
    files: dict[str, str] = {}
    for path in paths:
        found += check(path, files)
    found = list(dict.fromkeys(found))  # a module is checked with each file that imports it
    shown = [diagnostic for diagnostic in found if options.info or diagnostic.severity != "info"]
    if options.format == "json":
        print(render.json_text(shown, files))
    else:
        if shown:
            print(render.text(shown, files))
        print(_summary(found, len(paths), repaired), file=sys.stderr)
    return 1 if any(diagnostic.severity != "info" for diagnostic in found) else 0


def check(path: str, files: dict[str, str]) -> list[Diagnostic]:
    """Everything found in one file, in the order of the text, then in its modules. Texts go into `files`."""
    return checked(source_of(path), "<stdin>" if path == STDIN else path, files)


def checked(source: Source, name: str, files: dict[str, str]) -> list[Diagnostic]:
    """What `check` finds in a file with this text."""
    from harness_dsl.lint import lint
    from harness_dsl.syntax.analysis import analysed, sort

    files[name] = source.text or ""
    analysis = analysed(source, name)
    if analysis is None:
        return source.diagnostics
    found = sort(lint(analysis))
    for module in analysis.modules:
        files.setdefault(module.path, module.text)
        found += module.found if module.analysis is None else sort(lint(module.analysis))
    return found


def repair(path: str) -> int:
    """Makes the safe fixes in the file at `path`, whole or not at all; returns how many.

    The file is left alone where they would leave it with more errors.
    """
    from harness_dsl.lint.fixing import fixed, safe_fixes
    from harness_dsl.syntax.source import decode

    source = source_of(path)
    before = [found for found in check(path, {}) if found.span.path == path]
    fixes = safe_fixes(before, path)
    if source.text is None or not fixes:
        return 0
    data = fixed(Path(path).read_bytes(), fixes)
    after = checked(decode(data, path), path, {})
    if _errors(after) > _errors(before):
        return 0
    write_atomically(path, data)
    return len(fixes)


def _errors(found: list[Diagnostic]) -> int:
    return sum(diagnostic.severity == "error" for diagnostic in found)


def _summary(found: list[Diagnostic], files: int, repaired: int) -> str:
    counts = {
        severity: sum(diagnostic.severity == severity for diagnostic in found)
        for severity in ("error", "warning", "info")
    }
    said = [
        f"{count} {severity}{'s' if count != 1 and severity != 'info' else ''}"
        for severity, count in counts.items()
        if count
    ]
    fixed = f", {repaired} fix{'es' if repaired != 1 else ''} made" if repaired else ""
    return f"{files} file{'s' if files != 1 else ''} checked{fixed}: " + (", ".join(said) or "nothing found")
