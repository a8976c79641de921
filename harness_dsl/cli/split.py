"""Split conversations or rows into training and evaluation sets that share no origin.

Lines that share a value of their lineage (task, product, session …) stay together, and so do lines that are
tied by others. A line that says no lineage is its conversation. Which set a group goes to depends on its
lineage and the seed alone: the order of lines does not matter. FOLDER gets train.jsonl, eval.jsonl and, where
asked for, dev.jsonl; aside.jsonl holds lines of the training set that show a family which is held out.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.files import clash
from harness_dsl.cli.main import fail

if TYPE_CHECKING:
    import argparse
    from collections import Counter

    from augmentors.splits import Groups, Shares

HELP = "split conversations or rows by their origin"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE", help="transcripts, rows or messages, one a line")
    parser.add_argument("-o", "--output", metavar="FOLDER", required=True, help="where the sets go")
    parser.add_argument(
        "--eval", type=float, default=0.1, metavar="SHARE", help="to evaluate on (default 0.1)"
    )
    parser.add_argument("--dev", type=float, default=0.0, metavar="SHARE", help="for development (default 0)")
    parser.add_argument(
        "--by", nargs="+", default=[], metavar="KEY", help="kinds of lineage that tie lines; default: all"
    )
    parser.add_argument(
        "--hold-out",
        nargs="+",
        default=[],
        metavar="FAMILY",
        help="families of operators that are never trained on; `harnessc explain OPERATOR` says the family",
    )
    parser.add_argument("--seed", type=int, default=0, help="another seed is another split (default 0)")


def run(options: argparse.Namespace) -> int:
    from augmentors.certificates import BadRow
    from augmentors.splits import Groups, Shares

    if sentence := misuse(options):
        return fail(sentence)
    shares = Shares(options.eval, options.dev, options.seed, tuple(options.by), frozenset(options.hold_out))
    groups = Groups(shares)
    try:
        seen = _add(Path(options.path), groups)
    except BadRow as error:
        print(f"{options.path}: {error}", file=sys.stderr)
        return 1
    if seen == 0:
        return fail(f"there is no line in `{options.path}`")
    counts = _write(Path(options.path), groups, Path(options.output))
    _tell(counts, groups, shares, options)
    return 0


def misuse(options: argparse.Namespace) -> str | None:
    """Why these options cannot be followed, in a sentence."""
    if not Path(options.path).is_file():
        return f"there is no file `{options.path}`"
    if min(options.eval, options.dev) < 0 or options.eval + options.dev >= 1:
        return "--eval and --dev are shares from 0 that leave something to train on"
    if not Path(options.output).parent.is_dir():
        return f"there is no folder `{Path(options.output).parent}`"
    if Path(options.output).is_file():
        return f"`{options.output}` is a file: a folder is needed"
    sets = [Path(options.output, f"{name}.jsonl") for name in _SETS]
    return clash(sets, [options.path]) or unknown_family(options.hold_out)


def unknown_family(families: list[str]) -> str | None:
    """A sentence about the first of `families` that no operator has."""
    from augmentors.registry import OPERATORS
    from harness_dsl.diagnostics import did_you_mean

    known = sorted({operator.family for operator in OPERATORS.values()})
    for family in families:
        if family not in known:
            listed = ", ".join(f"`{one}`" for one in known)
            return f"there is no family `{family}`; {did_you_mean(family, known) or f'there are {listed}'}"
    return None


def _add(path: Path, groups: Groups) -> int:
    """Reads all lines once. Raises `BadRow`."""
    from augmentors.dataset import numbered
    from augmentors.lineage import entry

    count = 0
    for number, line in numbered(path):
        groups.add(entry(number, line))
        count += 1
    return count


def _write(path: Path, groups: Groups, folder: Path) -> Counter[str]:
    """Writes each line to its set. A set is there when all are."""
    from collections import Counter

    from augmentors.dataset import numbered
    from augmentors.lineage import entry
    from augmentors.splits import ASIDE, DEV

    folder.mkdir(exist_ok=True)
    counts: Counter[str] = Counter()
    files = {name: (folder / f"{name}.jsonl.partial").open("w", encoding="utf-8") for name in _SETS}
    for number, line in numbered(path):
        part = groups.part(entry(number, line))
        counts[part] += 1
        files[part].write(line if line.endswith("\n") else f"{line}\n")
    for name, file in files.items():
        file.close()
        partial, target = Path(file.name), folder / f"{name}.jsonl"
        if name in (DEV, ASIDE) and not counts[name]:
            partial.unlink()
            target.unlink(missing_ok=True)
            continue
        partial.replace(target)
    return counts


_SETS = ("train", "dev", "eval", "aside")


def _tell(counts: Counter[str], groups: Groups, shares: Shares, options: argparse.Namespace) -> None:
    sizes, total = groups.sizes(), sum(counts.values())
    said = ", ".join(f"{counts[name]} {name}" for name in _SETS if counts[name] or name in ("train", "eval"))
    print(f"{said}, in {len(sizes)} group{'' if len(sizes) == 1 else 's'}", file=sys.stderr)
    if groups.untied:
        kinds = f" `{'`, `'.join(shares.by)}`" if shares.by else ""
        print(f"  {groups.untied} lines have no lineage{kinds}: each is a group", file=sys.stderr)
    if sizes and (largest := sizes.most_common(1)[0])[1] * 2 > total > 1:
        print(
            f"  one group has {largest[1]} of {total} lines (`{largest[0]}`): name fewer kinds with --by",
            file=sys.stderr,
        )
    if counts["aside"]:
        held = ", ".join(options.hold_out)
        print(f"  {counts['aside']} lines of the training set show {held}: aside.jsonl", file=sys.stderr)
