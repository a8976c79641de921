"""Say what an evaluation set shares with a training set, and so cannot measure.

TRAIN and EVAL hold transcripts, rows or messages. Looked for are a shared origin (lineage), texts of users
that are nearly the same, variants that are shown in the very same way, names of the same pool, and families
of changes that are held out and yet trained on.
Exit status 0: nothing is shared. 1: something is, and is named. 2: a file cannot be read.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.main import fail
from harness_dsl.cli.one_line import one_line
from harness_dsl.cli.split import unknown_family

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from augmentors.leakage import Leak
    from augmentors.lineage import Entry

HELP = "say what an evaluation set shares with a training set"
_SHOWN = 3
_KINDS = ("lineage", "text", "surface", "pool", "family")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("train", metavar="TRAIN", help="what is trained on")
    parser.add_argument("eval", metavar="EVAL", help="what is evaluated on")
    parser.add_argument(
        "--like",
        type=float,
        default=0.8,
        metavar="SHARE",
        help="texts with this share of 5-grams in common are nearly the same (default 0.8)",
    )
    parser.add_argument("--by", nargs="+", default=[], metavar="KEY", help="kinds of lineage that count")
    parser.add_argument(
        "--hold-out", nargs="+", default=[], metavar="FAMILY", help="families that are not trained on"
    )
    parser.add_argument(
        "--allow",
        nargs="+",
        default=[],
        choices=_KINDS,
        metavar="KIND",
        help=f"pass over {', '.join(_KINDS)}",
    )
    parser.add_argument("--all", action="store_true", help=f"name more than {_SHOWN} pairs of each kind")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how pairs are printed")


def run(options: argparse.Namespace) -> int:
    from augmentors.certificates import BadRow
    from augmentors.leakage import leaks

    for path in (options.train, options.eval):
        if not Path(path).is_file():
            return fail(f"there is no file `{path}`")
    if not 0 < options.like <= 1:
        return fail("--like is a share above 0 and at most 1")
    if sentence := unknown_family(options.hold_out):
        return fail(sentence)
    lines = Counter[str]()
    found = leaks(
        _entries(options.train, lines),
        _entries(options.eval, lines),
        options.like,
        tuple(options.by),
        frozenset(options.hold_out),
    )
    try:
        counts = _say((leak for leak in found if leak.kind not in options.allow), options)
    except BadRow as error:
        print(error, file=sys.stderr)
        return 1
    for path in (options.train, options.eval):
        if not lines[path]:
            return fail(f"there is no line in `{path}`")
    return _tell(counts, lines, options)


def _entries(path: str, lines: Counter[str]) -> Iterator[Entry]:
    """The lines of a file; `lines` counts them. Raises `BadRow` with the path in front."""
    from augmentors.certificates import BadRow
    from augmentors.dataset import numbered
    from augmentors.lineage import entry

    for number, line in numbered(Path(path)):
        lines[path] += 1
        try:
            yield entry(number, line)
        except BadRow as error:
            raise BadRow(f"{path}: {error}") from None


def _say(found: Iterator[Leak], options: argparse.Namespace) -> Counter[str]:
    """Prints the first of each kind; counts all."""
    counts: Counter[str] = Counter()
    for leak in found:
        counts[leak.kind] += 1
        if not options.all and counts[leak.kind] > _SHOWN:
            continue
        if options.format == "json":
            data = {"kind": leak.kind, "train": leak.train, "eval": leak.eval, "what": leak.what}
            print(json.dumps(data, ensure_ascii=False))
            continue
        evaluated = "" if leak.eval is None else f"{options.eval}:{leak.eval} and "
        print(one_line(f"{evaluated}{options.train}:{leak.train}: {leak.kind}: {leak.what}"))
    return counts


def _tell(counts: Counter[str], lines: Counter[str], options: argparse.Namespace) -> int:
    from augmentors.leakage import KINDS

    checked = f"{lines[options.eval]} lines beside {lines[options.train]}"
    if not counts:
        print(f"nothing leaks: {checked}", file=sys.stderr)
        return 0
    for kind, count in counts.most_common():
        more = f", {_SHOWN} of them named; --all names all" if count > _SHOWN and not options.all else ""
        print(f"{kind}: {count} × {KINDS[kind]}{more}", file=sys.stderr)
    print(f"{sum(counts.values())} leaks: {checked}", file=sys.stderr)
    return 1
