"""Whether variants of real harnesses hold, and every operator reaches every symbol that it applies to.

    python benchmarks/augment_corpora.py [FOLDER] [--only NAME ...] [--rows N] [--json]

Tools and skills are imported from `bfcl`, `mcp-github` and `skills` in FOLDER (default: the corpora beside
the checkout), and the examples are taken as they are. For each, rows are drawn with every registered
operator, until every operator has changed every symbol that it applies to, or N rows are drawn: by turns for
tasks that use each tool and each skill once, and for tasks that are not known. Every row is written, read and
checked as `harnessc verify` does; one in twenty has its conversation as messages beside it.

Exit status 1 if a row is not accepted or a symbol was never changed; 2 if there is no corpus.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from augmentors.coverage import Coverage
from augmentors.policy import Policy
from augmentors.registry import OPERATORS
from augmentors.rows import Recipe, make
from augmentors.samples import sample_talks
from augmentors.uncovered import left, never
from augmentors.verifying import Against, failing
from harness_dsl.exchange.found import Kind
from harness_dsl.exchange.importing import import_harness
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.syntax.compile import compile_text
from harness_dsl.syntax.opening import open_harness

ROOT = Path(__file__).resolve().parents[1]
CORPORA: dict[str, Kind] = {"bfcl": "bfcl", "mcp-github": "mcp", "skills": "skills"}
EXAMPLES = (
    "bank_desk/desk.harness",
    "course_tutor/tutor.harness",
    "live_shop/shop.harness",
    "live_shop/shop_mini.harness",
)
POLICY = Policy.of({name: {"probability": 0.5} for name in OPERATORS}, original=0.02)
_AT_ONCE = 20
_WITH_MESSAGES = 20


def imported(kind: Kind, path: Path) -> tuple[Core, Surface]:
    """What `harnessc import` makes of a corpus."""
    compiled = compile_text(import_harness(kind, path).text)
    assert compiled.core is not None and compiled.surface is not None
    return compiled.core, compiled.surface


def measure(core: Core, surface: Surface, most: int) -> dict[str, Any]:
    """Draws and checks rows of one harness."""
    recipe = Recipe(core, surface, POLICY, 0, tuple(sample_talks(core)))
    kinds = (recipe, replace(recipe, conversations=()))
    against, checked = Against(core, surface), Coverage()
    seconds: Counter[str] = Counter()
    refused: list[str] = []
    row = 0
    while row < most and left(recipe, checked):
        begun = time.process_time()
        lines = [*_lines(kinds[row // _AT_ONCE % 2], range(row, min(row + _AT_ONCE, most)))]
        drawn = time.process_time()
        for one in failing(against, lines, checked):
            refused += [f"row {one.row}: {fault}" for fault in one.faults]
        seconds.update(draw=drawn - begun, check=time.process_time() - drawn)
        row += len(lines)
    return {
        "tools": len(core.tools),
        "skills": len(core.skills),
        "rows": checked.rows,
        "accepted": checked.rows - len({said.split(":")[0] for said in refused}),
        "refused": refused[:20],
        "operators": dict(sorted(checked.operators.items())),
        "pairs": len(checked.pairs),
        "covered": len(checked.symbols),
        "never": [one.as_data() for one in never(recipe, checked)],
        "cpu_s": {name: round(count, 1) for name, count in seconds.items()},
    }


def _lines(recipe: Recipe, rows: range) -> Iterator[tuple[int, str]]:
    """The rows as they stand in a file."""
    shown = replace(recipe, with_messages=True)
    for row in rows:
        yield row + 1, make(recipe if row % _WITH_MESSAGES else shown, row).line


def harnesses(folder: Path, only: list[str]) -> Iterator[tuple[str, tuple[Core, Surface]]]:
    """What there is to be varied, by name."""
    for name, kind in CORPORA.items():
        if not only or name in only:
            yield name, imported(kind, folder / name)
    for path in EXAMPLES:
        if not only or path in only:
            opened = open_harness(ROOT / "examples" / path)
            yield path, (opened.core, opened.surface)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT.parent / "shared" / "corpora")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="take these alone")
    parser.add_argument("--rows", type=int, default=4000, metavar="N", help="at most (default 4000)")
    parser.add_argument("--json", action="store_true", help="print everything as one JSON object on one line")
    options = parser.parse_args()
    if not options.folder.is_dir():
        print(f"there are no corpora in {options.folder}")
        return 2
    found = {}
    for name, (core, surface) in harnesses(options.folder, options.only):
        found[name] = measure(core, surface, options.rows)
        if not options.json:
            _say(name, found[name])
    if options.json:
        print(json.dumps(found))
    hold = all(one["accepted"] == one["rows"] and not one["never"] for one in found.values())
    return 0 if hold else 1


def _say(name: str, one: dict[str, Any]) -> None:
    seconds = one["cpu_s"]
    print(f"{name}: {one['tools']} tools, {one['skills']} skills")
    print(f"  {one['accepted']} of {one['rows']} rows accepted")
    print(f"  {one['covered']} pairs of operator and symbol changed, {len(one['never'])} never")
    print(f"  {one['pairs']} pairs of operators met in a row")
    print(f"  {seconds['draw']} CPU s to draw, {seconds['check']} to check", flush=True)
    for said in one["refused"][:5]:
        print(f"  refused: {said}")
    reasons = Counter(f"{pair['operator']}: {pair['reason'].split(':')[0]}" for pair in one["never"])
    for reason, count in reasons.most_common(5):
        print(f"  never: {reason}: {count}")


if __name__ == "__main__":
    raise SystemExit(main())
