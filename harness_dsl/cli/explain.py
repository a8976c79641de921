"""Explain a diagnostic: what it means, why it matters, and how it looks wrong and right; or an operator that
draws variants: what it changes, what it keeps, and its parameters.

`harnessc explain --all --format markdown` writes the reference page `docs/diagnostics.md`,
`harnessc explain --operators docs/operators` the pages of operators.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from harness_dsl.cli.main import fail

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "code",
        nargs="?",
        metavar="CODE",
        help="a code such as HD406, or its name: bare-name; or an operator: rename",
    )
    parser.add_argument("--all", action="store_true", help="explain every code")
    parser.add_argument(
        "--operators", metavar="FOLDER", help="write a page for each operator, and an index, into FOLDER"
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", "markdown"),
        default="text",
        help="how it is printed; markdown goes with --all",
    )


def run(options: argparse.Namespace) -> int:
    from harness_dsl.lint import reference

    if options.operators is not None:
        return _operators(options)
    if options.all == (options.code is not None):
        return fail("explain needs a code or `--all`, and not both")
    if options.format == "markdown":
        if not options.all:
            return fail("`--format markdown` writes the page of all codes: add `--all`")
        print(reference.markdown(), end="")
        return 0
    found = reference.entries()
    if not options.all:
        wanted = options.code.lower()
        found = [entry for entry in found if wanted in (entry.code.lower(), entry.name)]
        if not found:
            return _operator(options)
    if options.format == "json":
        shown = [reference.data(entry) for entry in found]
        print(json.dumps(shown if options.all else shown[0], ensure_ascii=False, indent=2))
    else:
        print("\n\n\n".join(map(reference.text, found)))
    return 0


def _operators(options: argparse.Namespace) -> int:
    """Writes the pages; the other options are about diagnostics."""
    from pathlib import Path

    from augmentors import reference

    if options.all or options.code is not None or options.format != "text":
        return fail("`--operators FOLDER` stands alone")
    written = reference.write(Path(options.operators))
    print(f"wrote {len(written)} pages to {options.operators}")
    return 0


def _operator(options: argparse.Namespace) -> int:
    """Explains what is no diagnostic of a harness, if it is an operator, or why a conversation is refused."""
    from augmentors import reference
    from augmentors.logs.kinds import kind_of
    from augmentors.registry import OPERATORS

    operator = OPERATORS.get(options.code.lower())
    if operator is None:
        refused = kind_of(options.code)
        if refused is None:
            return fail(_unknown(options.code))
        about = {"code": refused.code, "name": refused.name, "summary": refused.summary, "help": refused.help}
        if options.format == "json":
            print(json.dumps(about, ensure_ascii=False, indent=2))
        else:
            print(f"{refused.code} {refused.name}: a conversation that `harnessc lift` refuses\n")
            print(f"{refused.summary}\n\nHelp: {refused.help}")
        return 0
    if options.format != "text":
        return fail(f"the operator `{operator.name}` is explained as text only")
    print(reference.page(operator), end="")
    return 0


def _unknown(word: str) -> str:
    from augmentors.registry import OPERATORS
    from harness_dsl.diagnostics import did_you_mean
    from harness_dsl.diagnostics.codes import CODES

    close = did_you_mean(word, [*CODES, *(code.name for code in CODES.values()), *OPERATORS])
    return f"there is no diagnostic or operator `{word}`; " + (close or "`harnessc explain --all` lists them")
