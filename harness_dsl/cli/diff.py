"""Say what an edit of a harness changes: each symbol, on both axes, and what the version must say about it.

A and B are two files, two folders, or git revisions: `HEAD~1`, `main:shop.harness`, `:shop.harness` (as
staged). A file beside a revision is compared with what the revision has at its path. What git keeps is read
from git, with its modules and fixtures; the files on disk are not touched.

Contract: none < widening < narrowing. Behaviour: none < surface < wording < capability < policy < safety.
Exit status 0, whatever the edits are (with --exit-code: 1 if there are any); 1 when a file has errors.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from harness_dsl.cli.main import fail

if TYPE_CHECKING:
    import argparse
    from contextlib import ExitStack

    from harness_dsl.history.comparison import Comparison


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "old", metavar="A", help="a harness file or its compiled JSON, a folder, a revision, or REV:PATH"
    )
    parser.add_argument("new", metavar="B", help="the same after the edit")
    parser.add_argument(
        "paths",
        nargs="*",
        default=[],
        metavar="PATH",
        help="of two revisions, compare only these files and folders",
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", "markdown"),
        default="text",
        help="how edits are printed; markdown is a table for a pull request",
    )
    parser.add_argument(
        "--manifest",
        metavar="FILE",
        help="the manifest.json of a training run: say of each edit whether the model was trained on such",
    )
    parser.add_argument("--exit-code", action="store_true", help="exit status 1 if anything differs")


def run(options: argparse.Namespace) -> int:
    from contextlib import ExitStack

    from harness_dsl.history.git import GitError
    from harness_dsl.history.settings import ManifestError
    from harness_dsl.history.sides import SideError
    from harness_dsl.syntax.opening import HarnessFileError

    with ExitStack() as stack:
        try:
            found, several = _compared(options, stack)
        except (SideError, GitError, ManifestError) as error:
            return fail(str(error))
        except HarnessFileError as error:
            if error.status == 2:
                return fail(str(error))
            print(error, file=sys.stderr)
            return error.status
    _show(found, several, options.format)
    broken = any(comparison.status == "broken" for comparison in found)
    differs = any(comparison.status != "same" or comparison.was for comparison in found)
    return 1 if broken or (options.exit_code and differs) else 0


def _compared(options: argparse.Namespace, stack: ExitStack) -> tuple[list[Comparison], bool]:
    """The comparisons, and whether there may be several."""
    from harness_dsl.history.settings import trained_at
    from harness_dsl.history.sides import Many, One, SideError, compare_many, compare_one, pair, side

    operators = None if options.manifest is None else trained_at(options.manifest)
    old, new = (side(operand, options.paths, stack) for operand in (options.old, options.new))
    if options.paths and not all(isinstance(one, Many) and one.repository for one in (old, new)):
        raise SideError("paths after A and B go with two git revisions")
    old, new = pair(old, new)
    if isinstance(old, One) and isinstance(new, One):
        return [compare_one(new.shown, old, new, operators=operators)], False
    assert isinstance(old, Many) and isinstance(new, Many)
    return compare_many(old, new, operators), True


def _show(found: list[Comparison], several: bool, form: str) -> None:
    import json

    from harness_dsl.history import report_json, report_markdown, report_text

    if form == "markdown":
        print(report_markdown.markdown(found))
    elif form == "json":
        document = report_json.data(found) if several else report_json.one(found[0])
        print(json.dumps(document, ensure_ascii=False, indent=2))
    else:
        print(report_text.text(found) if several else report_text.one(found[0]))
