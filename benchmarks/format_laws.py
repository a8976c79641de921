"""Formats generated harnesses and counts those for which a law of the formatter does not hold.

    python benchmarks/format_laws.py [--programs N] [--seed S] [--json]

Laws: the formatted text parses to the same tree and compiles to the same Core and Surface; formatting again
changes nothing; every comment, and every byte inside quotes and text blocks, is kept. Every program has a
layout of its own, with comments in places of a random kind. Exit status 1 if a law is broken.
"""

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print the summary as one line of JSON")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from tests.language.format_laws import broken_laws, comments, fmt, program

    broken: Counter[str] = Counter()
    failing: list[int] = []
    characters = remarks = 0
    for number in range(options.programs):
        seed = options.seed * 1_000_000 + number
        text = program(seed)
        characters += len(text)
        remarks += len(comments(text))
        laws = broken_laws(text, fmt)
        broken.update(laws)
        failing += [seed] if laws else []
    summary = {
        "programs": options.programs,
        "seed": options.seed,
        "characters": characters,
        "comments": remarks,
        "failing": len(failing),
        "broken": dict(broken),
        "first_failing": failing[:20],
        "cpu_s": round(time.process_time(), 1),
    }
    if options.json:
        print(json.dumps(summary))
    else:
        print(
            f"{options.programs:,} programs, {characters:,} characters, {remarks:,} comments: "
            f"{len(failing)} break a law {dict(broken) or ''}"
        )
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main())
