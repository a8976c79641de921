"""Draw certified variants of a harness: one JSON line each, with the Surface and what it claims.

Row N of a seed is always the same, whoever draws it. An interrupted run keeps what it has in OUT.partial, and
the same command goes on from there.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.files import same_file
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
    parser.add_argument("--transcripts", metavar="FILE", help="JSON lines: conversations that rows show")
    parser.add_argument("--messages", action="store_true", help="write each conversation as messages too")
    parser.add_argument("--processes", type=int, default=1, metavar="K", help="worker processes (default 1)")
    parser.add_argument("-o", "--output", metavar="OUT", help="where to write; default: standard output")


def run(options: argparse.Namespace) -> int:
    from augmentors.policy import PolicyError
    from augmentors.rows import make_all
    from harness_dsl.syntax.opening import HarnessFileError

    if options.rows < 1:
        return fail("--rows must be at least 1")
    if options.processes < 1:
        return fail("--processes must be at least 1")
    if options.output and same_file(options.path, options.output):
        return fail(f"`{options.output}` is the harness itself: choose another output")
    if options.policy and not Path(options.policy).is_file():
        return fail(f"there is no file `{options.policy}`")
    try:
        recipe = _recipe(options)
    except HarnessFileError as error:
        if error.status == 2:
            return fail(str(error))
        print(error, file=sys.stderr)
        return error.status
    except PolicyError as error:
        print(f"harnessc: {error}", file=sys.stderr)
        return 1
    if options.output is None:
        for made in make_all(recipe, range(options.rows), options.processes):
            sys.stdout.write(made.line)
        return 0
    return _write(recipe, Path(options.output), options.rows, options.processes)


def _recipe(options: argparse.Namespace) -> Recipe:
    from augmentors.policy import Policy
    from augmentors.rows import Recipe
    from harness_dsl.syntax.opening import open_harness

    opened = open_harness(options.path)
    policy: Policy = Policy.load(Path(options.policy)) if options.policy else Policy.default()
    conversations = _conversations(options.transcripts, opened.core) if options.transcripts else ()
    return Recipe(
        core=opened.core,
        surface=opened.surface,
        policy=policy.with_pool(options.pool) if options.pool else policy,
        seed=options.seed,
        conversations=conversations,
        with_messages=options.messages,
    )


def _conversations(path: str, core: Core) -> tuple[Transcript, ...]:
    """The transcripts of a JSON-lines file, all under this Core. Raises `HarnessFileError`."""
    from pydantic import ValidationError

    from harness_dsl.ir.canonical import core_digest
    from harness_dsl.ir.transcript import Transcript
    from harness_dsl.syntax.opening import HarnessFileError

    if not Path(path).is_file():
        raise HarnessFileError(f"there is no file `{path}`", 2)
    expected, found = core_digest(core), []
    for number, line in enumerate(Path(path).read_text("utf-8", errors="replace").splitlines(), 1):
        if not line.strip():
            continue
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


def _write(recipe: Recipe, target: Path, rows: int, processes: int) -> int:
    """Writes all rows to `target`, whole or not at all, and reports their coverage on standard error."""
    from augmentors.certificates import from_line
    from augmentors.coverage import Coverage

    partial = target.with_name(f"{target.name}.partial")
    if not target.parent.is_dir():
        return fail(f"there is no folder `{target.parent}`")
    coverage = Coverage()
    try:
        kept = _kept(recipe, partial, rows)
    except KeptByAnotherError:
        return fail(f"{partial} holds rows of another run: delete it, or write elsewhere with -o")
    try:
        with partial.open("r+b" if kept else "wb") as out:
            for _ in range(kept):
                coverage.add(from_line(out.readline().decode("utf-8")))
            out.truncate()
            _append(recipe, out, range(kept, rows), processes, coverage)
            out.flush()
            os.fsync(out.fileno())
    except KeyboardInterrupt:
        print(f"harnessc: {coverage.rows} of {rows} rows are kept in {partial}", file=sys.stderr)
        raise
    partial.replace(target)
    for line in coverage.lines():
        print(line, file=sys.stderr)
    return 0


def _append(recipe: Recipe, out: BinaryIO, rows: range, processes: int, coverage: Coverage) -> None:
    from rich.console import Console
    from rich.progress import track

    from augmentors.rows import make_all

    console = Console(stderr=True)
    made = make_all(recipe, rows, processes)
    for row in track(made, "variants", len(rows), console=console, disable=not console.is_terminal):
        out.write(row.line.encode("utf-8"))
        coverage.add(row.certificate)


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
