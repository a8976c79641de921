"""Find mistakes in harness files: syntax, names, types, templates, tests, and what only looks wrong.

Exit status 0: no error and no warning. 1: something to correct. 2: a file that is named cannot be read.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from harness_dsl.cli.files import STDIN, harness_files, source_of
from harness_dsl.cli.main import fail
from harness_dsl.cli.remembered import counts, summary
from harness_dsl.diagnostics import Diagnostic

if TYPE_CHECKING:
    import argparse

    from harness_dsl.lint.checking import Checked
    from harness_dsl.lint.run import Suppressed

MOST = 50
"""So many findings of one file are printed as text; the others are counted."""
UNREADABLE = "HD112"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", default=["."], metavar="PATH", help="files or folders; - for standard input"
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", "sarif", "github"),
        default="text",
        help="how findings are printed: for people, for programs, for code scanners, for GitHub workflows",
    )
    parser.add_argument(
        "--fix",
        action="store_true",
        help="first make the safe fixes: references for bare names, labels, no comments of no use",
    )
    parser.add_argument(
        "--unsafe",
        action="store_true",
        help="with --fix: those that may change the meaning too, such as the one name that comes close",
    )
    parser.add_argument("--info", action="store_true", help="list findings that need no correction too")
    parser.add_argument("--all", action="store_true", help=f"print more than {MOST} findings of a file")
    parser.add_argument(
        "--no-cache", action="store_true", help="check again what has not changed since it was checked"
    )
    parser.add_argument(
        "--watch", action="store_true", help="check again whenever a file that is read changes"
    )


def run(options: argparse.Namespace) -> int:
    if options.unsafe and not options.fix:
        return fail("`--unsafe` goes with `--fix`")
    if options.watch and options.format != "text":
        return fail("`--watch` prints text only")
    paths = harness_files(options.paths)
    if not paths:
        return fail("no `.harness` file found in " + ", ".join(options.paths))
    if STDIN in paths and (options.fix or options.watch):
        wanted = "--fix" if options.fix else "--watch"
        return fail(f"`{wanted}` is for files, and standard input is none")
    if not options.watch:
        return _once(paths, options)
    from harness_dsl.cli.watch import watch

    def again() -> tuple[list[str], int]:
        files = harness_files(options.paths)
        return files, _once(files, options)

    return watch(again, lambda: harness_files(options.paths))


def _once(paths: list[str], options: argparse.Namespace) -> int:
    """Fixes what is to be fixed, checks, prints; returns the exit status."""
    repaired = 0
    if options.fix:
        from harness_dsl.cli.repair import repair

        repaired = sum(repair(path, options.unsafe) for path in paths)
    answers = _answers(paths, not options.no_cache)
    # a module is checked with each file that imports it
    found = list(dict.fromkeys(one for answer in answers for one in answer.found))
    suppressed = list(dict.fromkeys(one for answer in answers for one in answer.suppressed))
    files: dict[str, str] = {}
    for answer in reversed(answers):
        files.update(answer.files)
    _print(found, suppressed, files, options)
    if options.format in ("text", "github"):
        print(summary(counts(found), len(paths), repaired), file=sys.stderr)
    named = {_name(path) for path in paths}
    if any(one.code == UNREADABLE and one.span.path in named for one in found):
        return 2
    return 1 if any(one.severity != "info" for one in found) else 0


def _answers(paths: list[str], cache: bool) -> list[Checked]:
    """What is found in each file; with `cache`, from before where nothing has changed since."""
    if not cache:
        return [check_path(path) for path in paths]
    from harness_dsl.cli.remembered import Remembered

    remembered = Remembered()
    answers = [check_path(path) if path == STDIN else remembered.check(path, check_path) for path in paths]
    remembered.tidy()
    return answers


def check_path(path: str) -> Checked:
    """Everything found in one file, or in standard input."""
    from harness_dsl.lint.checking import checked

    return checked(source_of(path), _name(path))


def check(path: str, files: dict[str, str]) -> list[Diagnostic]:
    """Everything found in one file, in the order of the text, then in its modules. Texts go into `files`."""
    answer = check_path(path)
    for name, text in answer.files.items():
        files[name] = text
    return answer.found


def _name(path: str) -> str:
    return "<stdin>" if path == STDIN else path


def _print(
    found: list[Diagnostic], suppressed: list[Suppressed], files: dict[str, str], options: argparse.Namespace
) -> None:
    shown = [one for one in found if options.info or one.severity != "info"]
    if options.format == "json":
        from harness_dsl.diagnostics import render

        print(render.json_text(shown, files))
    elif options.format == "sarif":
        from harness_dsl.lint import sarif

        allowed = [one for one in suppressed if options.info or one.found.severity != "info"]
        print(sarif.text(shown, allowed, files))
    elif shown and options.format == "github":
        from harness_dsl.diagnostics import github

        print(github.text(shown, files))
    elif shown:
        _print_text(shown, files, None if options.all else MOST)


def _print_text(found: list[Diagnostic], files: dict[str, str], most: int | None) -> None:
    """File by file; of more than `most` findings in a file, errors are shown first."""
    from harness_dsl.diagnostics import render

    by_file: dict[str, list[Diagnostic]] = {}
    for one in found:
        by_file.setdefault(one.span.path, []).append(one)
    for path, own in by_file.items():
        kept = own
        if most is not None and len(own) > most:
            ranked = sorted(range(len(own)), key=lambda at: (_RANKS[own[at].severity], at))
            kept = [own[at] for at in sorted(ranked[:most])]
        print(render.text(kept, files))
        if len(kept) < len(own):
            print(f"{path}: and {len(own) - len(kept)} more; `--all` shows them\n")


_RANKS = {"error": 0, "warning": 1, "info": 2}
