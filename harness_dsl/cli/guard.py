"""Check what is staged for a commit: mistakes, layout, and the version that its edits ask for.

Only the index and HEAD are read, never the files on disk, so that partly staged files are judged as they will
be committed. A harness that reads a changed module or fixture counts as changed. With --against BRANCH, all
that was done since HEAD left that branch is judged as one edit: for a pull request.

Edits that only show things otherwise or reword them go in, with a note if the patch step of the version is
missing. Widening, capability and policy ask for a minor step, and for passing tests. Narrowing and safety ask
for a major step, and for a comment in the version line: `# acknowledges narrowing: why`. No edit goes in with
a version that comes before the last one, a revert neither.

With `manifest` under `[guard]` in harness.toml, each edit is said to lie inside, partly inside or outside
what that training run has shown to the model.

Exit status 0: it may go in. 1: something to correct. 2: no repository, or nothing that can be read.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from harness_dsl.cli.main import fail

if TYPE_CHECKING:
    import argparse

    from harness_dsl.history.comparison import Comparison
    from harness_dsl.history.guarding import Guarded


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        default=[],
        metavar="PATH",
        help="only harnesses that lie here or read something here",
    )
    parser.add_argument(
        "--against", metavar="REV", help="judge against the commit at which HEAD left REV, instead of HEAD"
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", "markdown"),
        default="text",
        help="how findings are printed; markdown is a comment for a pull request",
    )
    parser.add_argument("--no-cache", action="store_true", help="judge again what is already known")


def run(options: argparse.Namespace) -> int:
    from harness_dsl.cli.check import check
    from harness_dsl.cli.guard_tests import run_tests
    from harness_dsl.history.cache import Cache, cache_folder
    from harness_dsl.history.git import GitError, Repository
    from harness_dsl.history.guarding import Guard
    from harness_dsl.history.settings import ManifestError, SettingsError
    from harness_dsl.history.staged import snapshots, staged
    from harness_dsl.syntax.opening import HarnessFileError

    cache = Cache(None if options.no_cache else cache_folder())
    try:
        head, index = snapshots(Repository(), options.against)
        with head, index:
            guard = Guard(head, index, cache, check, run_tests)
            judged = [guard.judge(one) for one in staged(head, index, options.paths)]
    except (GitError, SettingsError, ManifestError) as error:
        return fail(str(error))
    except HarnessFileError as error:
        print(error, file=sys.stderr)
        return 1
    cache.trim()
    if options.format == "json":
        print(json.dumps(_data(judged, head.label), ensure_ascii=False, indent=2))
    elif options.format == "markdown":
        from harness_dsl.history.guard_markdown import comment

        print(comment(judged))
    else:
        _print(judged)
    return 0 if all(one.passes for one in judged) else 1


def _print(judged: list[Guarded]) -> None:
    from harness_dsl.diagnostics import render

    seen: set[object] = set()
    for one in judged:
        if one.comparison is not None or one.notes:
            print(_text(one) + "\n")
        new = [found for found in one.findings if found not in seen]
        seen.update(new)  # a module is checked with each harness that imports it
        if new:
            print(render.text(new, one.files))
    changed = sum(one.staged.changed for one in judged)
    files = f"{len(judged)} file{'s' if len(judged) != 1 else ''}, {changed} changed"
    findings = f"{len(seen)} finding{'s' if len(seen) != 1 else ''}" if seen else "nothing to correct"
    print(f"{files}: {findings}", file=sys.stderr)


def _text(one: Guarded) -> str:
    lines = [one.path]
    if one.comparison is not None and one.comparison.found is not None:
        from harness_dsl.history import report_text

        lines += report_text.one(one.comparison).split("\n")
    elif one.comparison is not None and one.comparison.was:
        lines.append(f"moved here from {one.comparison.was}")
    if one.tests is not None:
        lines.append(f"tests: {one.tests[0]} of {one.tests[1]} passed")
    lines += [f"note: {note}" for note in one.notes]
    return "\n  ".join(lines).replace("\n  \n", "\n\n")


def _data(judged: list[Guarded], before: str) -> dict[str, Any]:
    from harness_dsl.diagnostics import render

    files = []
    for one in judged:
        known = {} if one.comparison is None else _edits(one.comparison)
        document = {
            "path": one.path,
            "was": one.staged.was if one.staged.was != one.path else None,
            "status": _status(one),
            "passes": one.passes,
            "findings": render.data(one.findings, one.files),
            "notes": one.notes,
            "tests": None if one.tests is None else {"passed": one.tests[0], "run": one.tests[1]},
        }
        files.append(known | document)
    return {"passes": all(one.passes for one in judged), "before": before, "files": files}


def _edits(comparison: Comparison) -> dict[str, Any]:
    from harness_dsl.history import report_json

    return report_json.one(comparison)


def _status(one: Guarded) -> str:
    if one.staged.path is None:
        return "removed"
    if one.staged.was is None:
        return "added"
    return "changed" if one.staged.changed else "same"
