"""Draw certified variants of a harness: one JSON line each, with the Surface and what it claims.

Row N of a seed is always the same, whoever draws it and with however many workers. A row is short: it says
what differs from the harness, by numbers, so that the same harness is needed to read it (`harnessc verify`
does). `--format messages` writes conversations for training instead, and no certificates.

An interrupted run keeps what it has in OUT.partial, and the same command goes on from there.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.banks import add_bank_arguments, with_options
from harness_dsl.cli.files import clash, is_plain, open_as_it_is, same_file, write_atomically
from harness_dsl.cli.main import fail

if TYPE_CHECKING:
    import argparse
    from typing import BinaryIO

    from augmentors.coverage import Coverage
    from augmentors.policy import Policy
    from augmentors.rows import Recipe
    from harness_dsl.ir.core import Core
    from harness_dsl.ir.transcript import Transcript

HELP = "draw certified variants of a harness"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE", help="a .harness file, or compiled JSON")
    parser.add_argument("-n", "--rows", type=int, default=100, metavar="N", help="how many (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="seed of all rows (default 0)")
    parser.add_argument("--policy", metavar="FILE", help="YAML: which operators, how often, how strongly")
    parser.add_argument("--pool", choices=("train", "held-out"), help="where names and distractors come from")
    add_bank_arguments(parser)
    parser.add_argument("--transcripts", metavar="FILE", help="JSON lines: conversations that rows show")
    parser.add_argument("--messages", action="store_true", help="write each conversation as messages too")
    parser.add_argument(
        "--format",
        choices=("rows", "messages"),
        default="rows",
        help="certified Surfaces (default), or the conversations alone as messages for training",
    )
    parser.add_argument("--workers", type=int, default=1, metavar="K", help="worker processes (default 1)")
    parser.add_argument(
        "--coverage", metavar="FILE", help="write what was exercised how often, as JSON, and print it"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="where to write; default: standard output; a name that ends in .parquet is written as Parquet",
    )


def run(options: argparse.Namespace) -> int:
    from augmentors.policy import PolicyError
    from augmentors.rewording.banked import BankError
    from harness_dsl.syntax.opening import HarnessFileError

    if sentence := _misuse(options):
        return fail(sentence)
    try:
        recipe = _recipe(options)
    except HarnessFileError as error:
        if error.status == 2:
            return fail(str(error))
        print(error, file=sys.stderr)
        return error.status
    except PolicyError as error:
        print(f"harnessc: {error}", *filter(None, [error.excerpt]), sep="\n", file=sys.stderr)
        return 1
    except BankError as error:
        print(error, file=sys.stderr)
        return error.status
    from augmentors.processes import WorkerLostError

    try:
        if options.output is None:
            return _print(recipe, options)
        if not is_plain(options.output):
            return _write_to_it(recipe, options)
        return _write(recipe, Path(options.output), options)
    except WorkerLostError as error:
        return fail(str(error))


def _misuse(options: argparse.Namespace) -> str | None:
    """Why these options do not go together, in a sentence."""
    if options.rows < 1:
        return "--rows must be at least 1"
    if options.workers < 1:
        return "--workers must be at least 1"
    if options.messages and options.format == "messages":
        return "--messages adds messages to rows; --format messages writes nothing else: choose one"
    if options.output and options.output.endswith(".parquet") and not is_plain(options.output):
        return f"`{options.output}` is no plain file: Parquet cannot be written to it"
    if options.output and same_file(options.path, options.output):
        return f"`{options.output}` is the harness itself: choose another output"
    if options.policy and not Path(options.policy).is_file():
        return f"there is no file `{options.policy}`"
    for target in (options.output, options.coverage):
        if target and not Path(target).parent.is_dir():
            return f"there is no folder `{Path(target).parent}`"
    read = (options.path, options.transcripts, options.policy, *(options.bank or ()))
    return clash((options.output, options.coverage), read)


def _recipe(options: argparse.Namespace) -> Recipe:
    from augmentors.policy import Policy
    from augmentors.policy_names import check_names, idle
    from augmentors.rewording.banked import by_policy
    from augmentors.rows import Recipe
    from harness_dsl.syntax.opening import open_harness

    opened = open_harness(options.path)
    policy: Policy = Policy.load(Path(options.policy)) if options.policy else Policy.default()
    if options.policy:
        check_names(policy, opened.core, Path(options.policy))
    if note := idle(policy):
        print(f"{options.policy}: {note}", file=sys.stderr)
    policy = tested(with_options(policy, options), options.path)
    bank = by_policy(opened.core, policy)
    conversations = read_conversations(options.transcripts, opened.core) if options.transcripts else ()
    return Recipe(
        core=bank.core if bank else opened.core,
        surface=opened.surface,
        policy=policy.with_pool(options.pool) if options.pool else policy,
        seed=options.seed,
        conversations=conversations,
        with_messages=options.messages,
        form=options.format,
        bank=bank,
    )


def tested(policy: Policy, path: str) -> Policy:
    """`policy` with the implementations that the contract suite vouches for. Raises `PolicyError`."""
    if all(choice.operator != "hooks" for choice in policy.operators):
        return policy
    from runtime.contracts.vouching import tested_policy

    return tested_policy(policy, path, lambda text: print(text, file=sys.stderr))


def read_conversations(path: str, core: Core) -> tuple[Transcript, ...]:
    """The transcripts of a JSON-lines file, all under this Core. Raises `HarnessFileError`."""
    from pydantic import ValidationError

    from augmentors.dataset import numbered
    from harness_dsl.ir.canonical import core_digest
    from harness_dsl.ir.transcript import Transcript
    from harness_dsl.syntax.opening import HarnessFileError

    if not Path(path).is_file():
        raise HarnessFileError(f"there is no file `{path}`", 2)
    expected, found = core_digest(core), []
    for number, line in numbered(Path(path)):
        try:
            transcript = Transcript.model_validate_json(line)
        except ValidationError as error:
            message = error.errors()[0]["msg"]
            raise HarnessFileError(f"{path}:{number}: no transcript: {message}", 1) from None
        if transcript.core_digest != expected:
            raise HarnessFileError(f"{path}:{number}: the transcript is of another harness", 1)
        found.append(transcript)
    if not found:
        raise HarnessFileError(f"{path}: there is no transcript in it", 1)
    return tuple(found)


def _print(recipe: Recipe, options: argparse.Namespace) -> int:
    """Writes all rows to standard output, as they come."""
    from augmentors.coverage import Coverage
    from augmentors.rows import written

    coverage = Coverage()
    for data in written(recipe, range(options.rows), options.workers, coverage):
        sys.stdout.write(data.decode("utf-8"))
    _report(recipe, coverage, options, quiet=True)
    return 0


def _write_to_it(recipe: Recipe, options: argparse.Namespace) -> int:
    """Writes all rows to what is no plain file, as they come: it cannot be gone on with."""
    from augmentors.coverage import Coverage

    coverage = Coverage()
    with open_as_it_is(options.output) as out:
        _append(recipe, out, range(options.rows), options.workers, coverage)
    _report(recipe, coverage, options)
    return 0


def _write(recipe: Recipe, target: Path, options: argparse.Namespace) -> int:
    """Writes all rows to `target`, whole or not at all, and reports their coverage on standard error."""
    from augmentors import parquet
    from augmentors.coverage import Coverage
    from augmentors.processes import WorkerLostError

    if target.suffix == parquet.SUFFIX:
        # Said before rows are drawn, if it is not installed.
        import pyarrow.parquet  # noqa: F401

    rows, coverage = options.rows, Coverage()
    partial = target.with_name(f"{target.name}.partial")
    try:
        kept = _kept(recipe, partial, rows)
        with partial.open("r+b" if kept else "wb") as out:
            _count_kept(recipe, out, kept, coverage)
            out.truncate()
            _append(recipe, out, range(kept, rows), options.workers, coverage)
            out.flush()
            os.fsync(out.fileno())
    except KeptByAnotherError:
        return fail(f"{partial} holds rows of another run: delete it, or write elsewhere with -o")
    except (KeyboardInterrupt, WorkerLostError):
        print(f"harnessc: {coverage.rows} of {rows} rows are kept in {partial}", file=sys.stderr)
        raise
    if target.suffix == parquet.SUFFIX:
        _as_parquet(partial, target)
    else:
        partial.replace(target)
    _report(recipe, coverage, options)
    return 0


def _as_parquet(partial: Path, target: Path) -> None:
    """Puts the rows in `partial` at `target`, whole or not at all."""
    from augmentors import parquet

    aside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with partial.open(encoding="utf-8", newline="\n") as lines:
            parquet.write(lines, aside)
        aside.replace(target)
    finally:
        aside.unlink(missing_ok=True)
    partial.unlink()


def _count_kept(recipe: Recipe, out: BinaryIO, kept: int, coverage: Coverage) -> None:
    """Counts the rows that are there, and leaves `out` behind them. Messages do not say how they were drawn.

    Raises `KeptByAnotherError` for a line that is no row.
    """
    from augmentors.certificates import BadRow
    from augmentors.dataset import row_of
    from augmentors.rows import drawn

    for row in range(kept):
        line = out.readline()
        if recipe.form == "messages":
            coverage.add(drawn(recipe, row).certificate)
            continue
        read = row_of(row + 1, line.decode("utf-8", errors="replace"), recipe.book)
        if isinstance(read, BadRow):
            raise KeptByAnotherError
        coverage.add(read.certificate)


def _append(recipe: Recipe, out: BinaryIO, rows: range, workers: int, coverage: Coverage) -> None:
    from augmentors.rows import written

    lines = written(recipe, rows, workers, coverage)
    if not sys.stderr.isatty():
        out.writelines(lines)
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True)) as progress:
        bar = progress.add_task("variants", total=len(rows))
        begun = coverage.rows
        for data in lines:
            out.write(data)
            progress.update(bar, completed=coverage.rows - begun)


def _report(recipe: Recipe, coverage: Coverage, options: argparse.Namespace, quiet: bool = False) -> None:
    """Counts on standard error, unless `quiet`; what was exercised and what never was where that is asked
    for.
    """
    if not quiet:
        print(coverage.summary(), file=sys.stderr)
    if not options.coverage:
        return
    from augmentors.uncovered import never as uncovered

    never = uncovered(recipe, coverage)
    data = {**coverage.as_data(), "never": [one.as_data() for one in never]}
    text = json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    write_atomically(options.coverage, text.encode("utf-8"))
    if quiet:
        return
    for line in coverage.lines():
        print(line, file=sys.stderr)
    if never:
        some = ", ".join(f"{one.operator} of {one.symbol}" for one in never[:3])
        more = " and others" if len(never) > 3 else ""
        symbols = "1 symbol" if len(never) == 1 else f"{len(never)} symbols"
        print(f"  never exercised: {symbols} of an operator: {some}{more}", file=sys.stderr)
        for reason, count in Counter(one.reason.split(":")[0] for one in never).most_common():
            print(f"    {reason}: {count}", file=sys.stderr)


class KeptByAnotherError(Exception):
    """The rows that are kept are not those that this run would draw."""


def _kept(recipe: Recipe, partial: Path, rows: int) -> int:
    """How many complete rows of an interrupted run are those that this one would draw.

    Rows depend on the recipe and their number alone, so the first and the last are drawn again and compared.
    Raises `KeptByAnotherError` if they differ.
    """
    from augmentors.rows import make

    if not partial.is_file():
        return 0
    count, first, last = 0, b"", b""
    with partial.open("rb") as lines:
        for line in lines:
            if not line.endswith(b"\n") or count == rows:
                break
            count, first, last = count + 1, first or line, line
    if count == 0:
        return 0
    same = (make(recipe, 0).line.encode(), make(recipe, count - 1).line.encode()) == (first, last)
    if not same:
        raise KeptByAnotherError
    return count
