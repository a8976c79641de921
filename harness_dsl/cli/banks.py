"""Banks of wordings that a command is told to draw from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from augmentors.policy import Policy
    from augmentors.rewording.banked import Banked
    from harness_dsl.ir.core import Core


def add_bank_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bank",
        action="append",
        metavar="YAML",
        help="draw from the accepted wordings of this bank, too; several are allowed",
    )
    parser.add_argument(
        "--include-proposed", action="store_true", help="with banks: wordings that nobody has accepted, too"
    )


def with_options(policy: Policy, options: argparse.Namespace) -> Policy:
    """`policy` with the banks of the command line behind its own."""
    banks = (*policy.banks, *(options.bank or ()))
    proposed = policy.include_proposed or options.include_proposed
    return policy.model_copy(update={"banks": banks, "include_proposed": proposed})


def bank_of_rows(core: Core, rows: str, harness: str, options: argparse.Namespace) -> Banked | None:
    """The banks that rows of a file are read with: those that are named; else, where a row was drawn with
    some, the one beside the harness, if it is there. Raises `BankError`.
    """
    from augmentors.rewording.banked import beside, with_banks

    named = list(options.bank or ())
    if not named and beside(harness).is_file() and any(_need_a_bank(rows)):
        named = [str(beside(harness))]
    return with_banks(core, named, options.include_proposed) if named else None


def _need_a_bank(rows: str) -> Iterator[bool]:
    """Whether each line may be a row, short or written out, that says which wordings it was drawn with. Short
    ones have their distractors under `bank`.
    """
    from augmentors.dataset import numbered

    for _, line in numbered(Path(rows)):
        yield '"wordings_of":' in line or ('"schema_version":' in line and '"bank":"' in line)
