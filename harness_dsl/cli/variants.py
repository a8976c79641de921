"""Show variants of a harness side by side: what differs from it, symbol by symbol.

The rows are drawn with a seed and a policy, as `harnessc augment` draws them, or read from a file that it
wrote (--from). A `*` stands before what a variant shows in another way than the harness does.
"""

from __future__ import annotations

import json
import shutil
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.banks import add_bank_arguments, bank_of_rows, with_options
from harness_dsl.cli.main import fail

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from augmentors.comparison import Difference
    from augmentors.variants import Variant
    from harness_dsl.syntax.opening import Opened

HELP = "show variants of a harness side by side"
_NARROWEST = 14


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE", help="a .harness file, or compiled JSON")
    parser.add_argument("-n", "--rows", type=int, default=3, metavar="N", help="how many (default 3)")
    parser.add_argument("--first", type=int, default=0, metavar="ROW", help="the first row (default 0)")
    parser.add_argument("--seed", type=int, default=0, help="seed of all rows (default 0)")
    parser.add_argument("--policy", metavar="FILE", help="YAML: which operators, how often, how strongly")
    parser.add_argument("--pool", choices=("train", "held-out"), help="where names and distractors come from")
    add_bank_arguments(parser)
    parser.add_argument(
        "--from", dest="source", metavar="ROWS", help="rows of this file instead of drawn ones"
    )
    parser.add_argument("--width", type=int, metavar="COLUMNS", help="width of the table (default: terminal)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how it is printed")


def run(options: argparse.Namespace) -> int:
    from augmentors.comparison import differences
    from augmentors.policy import PolicyError
    from augmentors.rewording.banked import BankError
    from harness_dsl.syntax.opening import HarnessFileError, open_harness

    if options.rows < 1 or options.first < 0:
        return fail("--rows must be at least 1, and --first at least 0")
    for path in (options.policy, options.source):
        if path and not Path(path).is_file():
            return fail(f"there is no file `{path}`")
    try:
        opened = open_harness(options.path)
        variants = _read(opened, options) if options.source else _drawn(opened, options)
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
    if not variants:
        print(f"{options.source}: there is no row {options.first} in it", file=sys.stderr)
        return 1
    found = differences(opened.core, opened.surface, variants)
    if options.format == "json":
        print(json.dumps(_data(opened, variants, found), ensure_ascii=False, indent=2))
        return 0
    width = options.width or shutil.get_terminal_size((120, 40)).columns
    print(f"{opened.core.name}: {len(variants)} variants; * is shown in another way than the harness does")
    for line in _table(variants, found, width):
        print(line)
    return 0


def _drawn(opened: Opened, options: argparse.Namespace) -> list[Variant]:
    """Raises `PolicyError`."""
    from augmentors.policy import Policy
    from augmentors.policy_names import check_names, idle
    from augmentors.rewording.banked import by_policy
    from augmentors.variants import draw
    from harness_dsl.cli.augment import tested

    policy = Policy.load(Path(options.policy)) if options.policy else Policy.default()
    if options.policy:
        check_names(policy, opened.core, Path(options.policy))
    if note := idle(policy):
        print(f"{options.policy}: {note}", file=sys.stderr)
    policy = with_options(policy.with_pool(options.pool) if options.pool else policy, options)
    policy = tested(policy, opened.path)
    bank = by_policy(opened.core, policy)
    core = bank.core if bank else opened.core
    rows = range(options.first, options.first + options.rows)
    return [draw(core, opened.surface, policy, options.seed, row) for row in rows]


def _read(opened: Opened, options: argparse.Namespace) -> list[Variant]:
    """Raises `HarnessFileError` for a line that is no row of this harness."""
    from augmentors.adapters.refactorings import shape
    from augmentors.certificates import BadRow
    from augmentors.dataset import read
    from augmentors.limit_values import with_limits
    from augmentors.rewording.books import book_of
    from augmentors.variants import Variant
    from harness_dsl.syntax.opening import HarnessFileError

    found = []
    bank = bank_of_rows(opened.core, options.source, options.path, options)
    rows = read(Path(options.source), book_of(opened.core, opened.surface, bank))
    for row in islice(rows, options.first, options.first + options.rows):
        if isinstance(row, BadRow):
            raise HarnessFileError(f"{options.source}: {row}", 1)
        certificate = row.certificate
        core = bank.core if bank and certificate.bank else opened.core
        given = shape(core, opened.surface, certificate.refactorings)
        core = with_limits(given.core, certificate.limits)
        found.append(Variant.claimed(core, certificate))
    return found


def _data(opened: Opened, variants: Sequence[Variant], found: Sequence[Difference]) -> dict[str, Any]:
    return {
        "harness": opened.core.name,
        "core_digest": variants[0].certificate.base_core,
        "variants": [
            {
                "seed": one.certificate.seed,
                "row": one.certificate.row,
                "surface_digest": one.certificate.surface_digest,
                "level": one.certificate.level,
                "operators": [step.operator for step in one.certificate.operators],
            }
            for one in variants
        ],
        "differences": [
            {
                "aspect": one.aspect,
                "id": one.id,
                "original": one.original,
                "variants": one.variants,
                "changed": one.changed,
            }
            for one in found
        ],
    }


def _table(variants: Sequence[Variant], found: Sequence[Difference], width: int) -> list[str]:
    first = max((_columns(one.id) for one in found), default=0) + 2
    column = max(_NARROWEST, (width - first) // (len(variants) + 1) - 2)
    heads = [f"row {one.certificate.row}" for one in variants]
    lines = [_line("", "original", heads, [False] * len(heads), first, column)]
    operators = [", ".join(step.operator for step in one.certificate.operators) or "–" for one in variants]
    lines.append(_line("applied", "", operators, [False] * len(heads), first, column))
    aspect = ""
    for one in found:
        if one.aspect != aspect:
            aspect = one.aspect
            lines.append(aspect)
        lines.append(_line(f"  {one.id}", one.original, one.variants, one.changed, first, column))
    return lines


def _line(
    head: str, original: str, cells: Sequence[str], marked: Sequence[bool], first: int, column: int
) -> str:
    shown = [_fitted(head, first), "  " + _fitted(original, column)]
    for cell, is_marked in zip(cells, marked, strict=True):
        shown.append(("* " if is_marked else "  ") + _fitted(cell, column))
    return "".join(shown).rstrip()


def _fitted(text: str, columns: int) -> str:
    """`text` on one line, cut or filled up to so many columns."""
    text = " ".join(text.split()) if "\n" in text else text
    if _columns(text) > columns:
        while _columns(text) > columns - 1:
            text = text[:-1]
        text += "…"
    return text + " " * (columns - _columns(text))


def _columns(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)
