"""Check the certificates of variants, without knowing the operators that drew them.

Each failing row is named with the proof that it fails. Exit status 0: every row holds. 1: some row does not.
2: there is no row, or a file that cannot be read.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.capped import MOST, Capped
from harness_dsl.cli.files import write_atomically
from harness_dsl.cli.main import fail

if TYPE_CHECKING:
    import argparse

HELP = "check the certificates of variants"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rows", metavar="ROWS", help="JSON lines, as `harnessc augment` writes them")
    parser.add_argument("--harness", metavar="FILE", required=True, help="the harness they are variants of")
    parser.add_argument(
        "--reproduce", action="store_true", help="apply the operators again with their seeds, and compare"
    )
    parser.add_argument("--workers", type=int, default=1, metavar="K", help="worker processes (default 1)")
    parser.add_argument(
        "--coverage", metavar="FILE", help="write what was exercised how often, as JSON, and print it"
    )
    parser.add_argument("--all", action="store_true", help=f"print more than {MOST} faults")


def run(options: argparse.Namespace) -> int:
    from augmentors.coverage import Coverage
    from augmentors.dataset import numbered
    from augmentors.verifying import Against, failing
    from harness_dsl.syntax.opening import HarnessFileError, open_harness

    path = Path(options.rows)
    if not path.is_file():
        return fail(f"there is no file `{path}`")
    if options.workers < 1:
        return fail("--workers must be at least 1")
    if options.coverage and not Path(options.coverage).parent.is_dir():
        return fail(f"there is no folder `{Path(options.coverage).parent}`")
    try:
        opened = open_harness(options.harness)
    except HarnessFileError as error:
        if error.status == 2:
            return fail(str(error))
        print(error, file=sys.stderr)
        return error.status
    failed, coverage, said = 0, Coverage(), Capped(None if options.all else MOST)
    against = Against(opened.core, opened.surface, options.reproduce)
    for row in failing(against, numbered(path), coverage, options.workers):
        failed += 1
        for fault in row.faults:
            if row.row is None:
                said.say(f"{path}: {fault}", "a line is no row")
            else:
                said.say(f"{path}:{row.line}: row {row.row}: {fault}", fault)
    if coverage.rows == 0:
        return fail(f"there is no row in `{path}`")
    if options.coverage:
        text = json.dumps(coverage.as_data(), ensure_ascii=False, indent=2) + "\n"
        write_atomically(options.coverage, text.encode("utf-8"))
    for line in (*said.rest(), coverage.summary(), *(coverage.lines() if options.coverage else ())):
        print(line, file=sys.stderr)
    hold = "row holds" if coverage.rows == 1 else "rows hold"
    print(f"{coverage.rows - failed} of {coverage.rows} {hold}", file=sys.stderr)
    return 1 if failed else 0
