"""Check the certificates of variants, without knowing the operators that drew them.

Each failing row is named with the proof that it fails. Exit status 0: every row holds. 1: some row does not.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.capped import MOST, Capped
from harness_dsl.cli.main import fail

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from augmentors.certificates import Row
    from harness_dsl.syntax.opening import Opened

HELP = "check the certificates of variants"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rows", metavar="ROWS", help="JSON lines, as `harnessc augment` writes them")
    parser.add_argument("--harness", metavar="FILE", required=True, help="the harness they are variants of")
    parser.add_argument(
        "--reproduce", action="store_true", help="apply the operators again with their seeds, and compare"
    )
    parser.add_argument("--all", action="store_true", help=f"print more than {MOST} faults")


def run(options: argparse.Namespace) -> int:
    from augmentors.certificates import BadRow, read
    from augmentors.coverage import Coverage
    from harness_dsl.syntax.opening import HarnessFileError, open_harness

    path = Path(options.rows)
    if not path.is_file():
        return fail(f"there is no file `{path}`")
    try:
        opened = open_harness(options.harness)
    except HarnessFileError as error:
        if error.status == 2:
            return fail(str(error))
        print(error, file=sys.stderr)
        return error.status
    failing, coverage, said = 0, Coverage(), Capped(None if options.all else MOST)
    for row in read(path):
        if isinstance(row, BadRow):
            failing += 1
            coverage.rows += 1
            said.say(f"{path}: {row}", "a line is no row")
            continue
        coverage.add(row.certificate)
        faults = list(_faults(row, opened, options.reproduce))
        failing += bool(faults)
        for fault in faults:
            said.say(f"{path}:{row.number}: row {row.certificate.row}: {fault}", fault)
    if coverage.rows == 0:
        print(f"{path}: there is no row in it", file=sys.stderr)
        return 1
    for line in (*said.rest(), *coverage.lines()):
        print(line, file=sys.stderr)
    print(f"{coverage.rows - failing} of {coverage.rows} rows hold", file=sys.stderr)
    return 1 if failing else 0


def _faults(row: Row, opened: Opened, again: bool) -> Iterator[str]:
    from augmentors.checker import check
    from augmentors.messages import check_messages
    from augmentors.reading import everything_read
    from augmentors.reproduce import differences

    findings = check(opened.core, opened.surface, row.certificate, everything_read)
    yield from map(str, findings)
    if not findings and row.messages is not None:
        yield from map(str, check_messages(opened.core, opened.surface, row.certificate, row.messages))
    if again and not findings:
        for difference in differences(opened.core, opened.surface, row.certificate):
            yield f"not reproduced: {difference}"
