"""Check the certificates of variants, without knowing the operators that drew them.

Each failing row is named with the proof that it fails. With --replay the conversation that a row shows is
played again: the model's outputs in the names of the row, through the loop, tools and hooks that serve. That
runs code of the project, in a process of its own: a row whose tools hang, end the process or take all the
memory fails, and the others go on. Calls, results, replies and the final state must be those of the row, and
those that the harness's own Surface gives.

A row in which a hook runs another of its implementations holds only if the contract suite vouches for that:
then what `harnessc test --contracts` does is done for the harness, and code of the project runs.

Exit status 0: every row holds. 1: some row does not. 2: there is no row, a file that cannot be read, or no
row that --replay could play.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.banks import add_bank_arguments, bank_of_rows
from harness_dsl.cli.capped import MOST, Capped
from harness_dsl.cli.files import clash, write_atomically
from harness_dsl.cli.main import fail

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from augmentors.coverage import Coverage
    from augmentors.verifying import Proof
    from harness_dsl.ir.core import Core
    from runtime.replay_apart import ReplayApart

HELP = "check the certificates of variants"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rows", metavar="ROWS", help="JSON lines, as `harnessc augment` writes them")
    parser.add_argument("--harness", metavar="FILE", required=True, help="the harness they are variants of")
    parser.add_argument(
        "--reproduce", action="store_true", help="apply the operators again with their seeds, and compare"
    )
    parser.add_argument(
        "--replay", action="store_true", help="play the conversation of each row again, and compare"
    )
    parser.add_argument(
        "--transcripts",
        metavar="FILE",
        help="JSON lines: the conversations that rows show, as they were given to `augment`",
    )
    parser.add_argument(
        "--timeout", type=float, metavar="S", help="seconds for one row with --replay (default 60)"
    )
    add_bank_arguments(parser)
    parser.add_argument("--workers", type=int, default=1, metavar="K", help="worker processes (default 1)")
    parser.add_argument(
        "--coverage", metavar="FILE", help="write what was exercised how often, as JSON, and print it"
    )
    parser.add_argument("--all", action="store_true", help=f"print more than {MOST} faults")


def run(options: argparse.Namespace) -> int:
    from augmentors.coverage import Coverage
    from augmentors.dataset import numbered
    from augmentors.processes import WorkerLostError
    from augmentors.rewording.banked import BankError
    from augmentors.verifying import Against, failing
    from harness_dsl.syntax.opening import HarnessFileError, open_harness

    path = Path(options.rows)
    if not path.is_file():
        return fail(f"there is no file `{path}`")
    if options.workers < 1:
        return fail("--workers must be at least 1")
    if options.coverage and not Path(options.coverage).parent.is_dir():
        return fail(f"there is no folder `{Path(options.coverage).parent}`")
    read = (path, options.harness, options.transcripts, *(options.bank or ()))
    if sentence := clash([options.coverage], read):
        return fail(sentence)
    if options.transcripts and not options.replay:
        return fail("--transcripts says which conversations --replay plays again: give --replay, too")
    if options.timeout is not None and not options.replay:
        return fail("--timeout bounds what --replay plays: give --replay, too")
    if options.timeout is not None and not options.timeout > 0:
        return fail("--timeout must be more than 0")
    try:
        opened = open_harness(options.harness)
        further: Proof | None = _replay(options, opened.core) if options.replay else None
        bank = bank_of_rows(opened.core, options.rows, options.harness, options)
    except HarnessFileError as error:
        if error.status == 2:
            return fail(str(error))
        print(error, file=sys.stderr)
        return error.status
    except BankError as error:
        print(error, file=sys.stderr)
        return error.status
    if any(hook.implementations for hook in opened.core.hooks):
        from runtime.contracts.vouching import ContractProof

        further = ContractProof(opened.path, opened.core, opened.surface, further)
    failed, coverage, said = 0, Coverage(), Capped(None if options.all else MOST)
    against = Against(opened.core, opened.surface, options.reproduce, further, bank)
    try:
        for row in failing(against, numbered(path), coverage, options.workers):
            failed += 1
            for fault in row.faults:
                if row.row is None:
                    said.say(f"{path}: {fault}", "a line is no row")
                else:
                    said.say(f"{path}:{row.line}: row {row.row}: {fault}", fault)
    except WorkerLostError as error:
        return fail(str(error))
    if coverage.rows == 0:
        return fail(f"there is no row in `{path}`")
    if options.coverage:
        text = json.dumps(coverage.as_data(), ensure_ascii=False, indent=2) + "\n"
        write_atomically(options.coverage, text.encode("utf-8"))
    for line in (*said.rest(), coverage.summary(), *(coverage.lines() if options.coverage else ())):
        print(line, file=sys.stderr)
    for line in _unproved(coverage):
        print(line, file=sys.stderr)
    hold = "row holds" if coverage.rows == 1 else "rows hold"
    print(f"{coverage.rows - failed} of {coverage.rows} {hold}", file=sys.stderr)
    if options.replay and not failed and coverage.unproved.total() == coverage.rows:
        return fail("--replay could play no row")
    return 1 if failed else 0


def _replay(options: argparse.Namespace, core: Core) -> ReplayApart:
    """Raises `HarnessFileError`."""
    from harness_dsl.cli.augment import read_conversations
    from harness_dsl.syntax.opening import HarnessFileError
    from runtime.load import LoadError, load_harness
    from runtime.replay_apart import TIMEOUT_S, ReplayApart
    from runtime.replay_proof import ReplayProof

    conversations = read_conversations(options.transcripts, core) if options.transcripts else ()
    try:
        proof = ReplayProof(load_harness(Path(options.harness)), conversations)
    except LoadError as error:
        raise HarnessFileError(str(error), error.status) from None
    return ReplayApart(proof, options.timeout or TIMEOUT_S)


def _unproved(coverage: Coverage) -> Iterator[str]:
    """How many rows were not replayed, and why."""
    for reason, count in coverage.unproved.most_common():
        yield f"{count} {'row was' if count == 1 else 'rows were'} not replayed: {reason}"
