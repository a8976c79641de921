"""Print exactly what the model sees of a harness: its system prompt, what it costs and where it comes from.

The harness is a `.harness` file or the JSON that `harnessc compile` writes; with --variant, what is shown is
that row of `harnessc augment`. Inputs that the prompt shows are taken from --inputs and --input, else from
the test called by --test, else from the first test by name that gives them.

With --against, --against-variant or --against-inputs the prompt is compared with another one, and the first
byte and token are named that an engine's prefix cache cannot serve.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness_dsl.cli.main import fail
from harness_dsl.cli.render_prompt import RenderError, Wanted, fixture, prompt, tokenizer

if TYPE_CHECKING:
    import argparse

HELP = "print exactly what the model sees"

EXAMPLES = """\
examples:
  harnessc render shop.harness --input room=rooms/clothes.yaml
  harnessc render shop.harness --tokenizer DIR --source-map
  harnessc render shop.harness --against main.json --tokenizer DIR
  harnessc render shop.harness --variant 3 --against shop.harness
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE", help="a .harness file, or compiled JSON")
    parser.add_argument("--inputs", metavar="FILE", help="YAML or JSON object: a value for each input")
    parser.add_argument(
        "--input",
        metavar="NAME=FILE",
        action="append",
        default=[],
        help="fixture with the value of one input",
    )
    parser.add_argument("--test", metavar="NAME", help="the test whose inputs are shown")
    parser.add_argument(
        "--variant", type=int, metavar="K", help="show row K of the seed, as `augment` draws it"
    )
    parser.add_argument("--seed", type=int, help="seed of variants (default 0)")
    parser.add_argument("--policy", metavar="FILE", help="policy of variants (YAML)")
    parser.add_argument("--tokenizer", metavar="DIR", help="count tokens: a tokenizer.json, or its folder")
    parser.add_argument("--source-map", action="store_true", help="list what every piece comes from")
    parser.add_argument("--against", metavar="OTHER", help="say how much of OTHER's prompt stays a prefix")
    parser.add_argument("--against-variant", type=int, metavar="K", help="compare with row K of the seed")
    parser.add_argument("--against-inputs", metavar="FILE", help="compare with the prompt of these inputs")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how it is printed")


def run(options: argparse.Namespace) -> int:
    from harness_dsl.cli.render_report import data, map_text, parting, summary

    problem = _wrong_usage(options)
    if problem is not None:
        return fail(problem)
    try:
        counting = tokenizer(options.tokenizer) if options.tokenizer else None
        wanted = _wanted(options)
        shown = prompt(wanted)
        against = _against(options, wanted)
        other = prompt(against) if against is not None else None
        known = shown.inputs | (other.inputs if other is not None else frozenset())
        if unknown := [name for name in wanted.given if name not in known]:
            raise RenderError(f"{options.path} has no input `{unknown[0]}`", 2)
    except RenderError as error:
        if error.status == 2:
            return fail(str(error))
        print(error, file=sys.stderr)
        return error.status
    if options.format == "json":
        print(json.dumps(data(shown, other, counting), ensure_ascii=False, indent=2))
        return 0
    print(map_text(shown.rendered) if options.source_map else shown.rendered.text, end="")
    lines = summary(shown, counting)
    if against is not None and other is not None:
        lines += parting(shown, other, _name(options, against), counting)
    print("\n".join(lines), file=sys.stderr)
    return 0


def _wanted(options: argparse.Namespace) -> Wanted:
    given = _inputs_file(options.inputs) if options.inputs else {}
    for pair in options.input:
        name, _, file = pair.partition("=")
        given[name] = fixture(file)
    return Wanted(options.path, given, options.test, options.variant, options.seed or 0, options.policy)


def _against(options: argparse.Namespace, wanted: Wanted) -> Wanted | None:
    """The other prompt: what is not said about it is as for the first, but it is no variant unless said."""
    if (options.against, options.against_variant, options.against_inputs) == (None, None, None):
        return None
    given = _inputs_file(options.against_inputs) if options.against_inputs else wanted.given
    variant = options.against_variant
    if options.against is None and variant is None and options.against_inputs is not None:
        variant = wanted.variant
    return Wanted(options.against or wanted.path, given, wanted.test, variant, wanted.seed, wanted.policy)


def _name(options: argparse.Namespace, against: Wanted) -> str:
    name = against.path
    if options.against_variant is not None:
        name += f", variant {options.against_variant}"
    return name + (f" with {options.against_inputs}" if options.against_inputs else "")


def _inputs_file(path: str) -> dict[str, Any]:
    values = fixture(path)
    if not isinstance(values, dict):
        raise RenderError(f"`{path}` is no object: it gives a value for each input by name", 2)
    return values


def _wrong_usage(options: argparse.Namespace) -> str | None:
    rows = [row for row in (options.variant, options.against_variant) if row is not None]
    if any(row < 0 for row in rows):
        return "--variant and --against-variant must be at least 0"
    if not rows and (options.seed is not None or options.policy is not None):
        return f"--{'seed' if options.seed is not None else 'policy'} goes with --variant K"
    if options.policy is not None and not Path(options.policy).is_file():
        return f"there is no file `{options.policy}`"
    wrong = [pair for pair in options.input if not all(pair.partition("="))]
    return f"--input takes NAME=FILE, not `{wrong[0]}`" if wrong else None
