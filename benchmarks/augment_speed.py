"""How fast variants are drawn, shown, certified and checked, beside plain string replacement.

    python benchmarks/augment_speed.py [--json] [--quick]

A harness of 30 real tools (`augment/office.harness`) and 128 different conversations of 10 events, taken in
turn as in a log. A variant applies operators of every family that change how a harness is shown, and is shown
as messages: the system prompt with the documentation of its tools, then the conversation under its names.
`variants_per_s` is of these, `cold_variants_per_s` of the first round, which fills what later ones find.
`rows_per_s` is of lines on disk, each with its certificate, `rows_with_messages_per_s` of lines that hold the
messages, too.

The baseline is what one would write without us: given the new names for nothing, copy the messages and tools
of the conversation in one walk and replace whole words in every text. It is the faster of two: an alternation
of all names, and a lookup of every identifier. It is no template: splitting each conversation at its words
once, and putting them together for each row, would be several times faster still and is not measured.

Rates are per CPU second of one process, the best of several rounds of each in turn (but for the cold one);
two processes against one are wall time. Memory is the peak of a fresh `harnessc augment`. Exit status 1 if a
bar is missed.
"""

import argparse
import hashlib
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from material.office_talks import conversations

from augmentors.checker import check
from augmentors.policy import Policy
from augmentors.reading import everything_read
from augmentors.registry import OPERATORS
from augmentors.rows import Recipe, make, show
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.naming import symbols
from harness_dsl.ir.surface import Surface
from harness_dsl.protocol.transport import lower
from harness_dsl.protocol.view import View
from harness_dsl.syntax.opening import Opened, open_harness

HARNESS = Path(__file__).parent / "augment" / "office.harness"
BARS = {
    "variants_per_s": 1000,
    "times_baseline": 10,
    "checker_rows_per_s": 500,
    "two_process_speedup": 1.6,
    "size_share": 0.1,
    "memory_growth": 1.1,
}
TALKS = 128

Way = Callable[[int, dict[str, str]], Any]
"""The messages and tools of a row under new names."""

STRUCTURAL = [
    name
    for name, kind in OPERATORS.items()
    if kind.kind in ("preserving", "task-relative")
    and (kind.family != "naming" or name == "rename")
    and name != "near-duplicates"
]
"""The operators that change how a harness is shown, and nothing else, of every family. Of those that give
names the one whose names the baseline gets: nobody renames what was just renamed. Of those that add tools the
one that takes them from a bank: near duplicates are made anew for each row, at the price of all the rest.
"""


def recipe(opened: Opened, *, with_messages: bool = False) -> Recipe:
    """Each of these operators in every row."""
    policy = Policy.of({name: {"swap": 0.1} if name == "rename" else {} for name in STRUCTURAL})
    return Recipe(opened.core, opened.surface, policy, 0, conversations(opened.core, TALKS), with_messages)


class Baseline:
    """The same renames by copying messages and tools in one walk that replaces whole words; no template."""

    def __init__(self, opened: Opened) -> None:
        view = View(opened.core, opened.surface)
        talks = conversations(opened.core, TALKS)
        rest = view.renderer.system(talks[0].inputs).text.split("<tools>\n")[1]
        lines = rest.split("\n</tools>")[0]
        self.tools = [json.loads(line) for line in lines.splitlines()]
        self.messages = [lower(talk, opened.core, opened.surface) for talk in talks]
        for messages in self.messages:
            system = messages[0]["content"].replace(f"<tools>\n{lines}\n</tools>", "")
            assert len(system) < len(messages[0]["content"])
            messages[0] = {"role": "system", "content": system}
        self.old = {id_: view.naming.name(id_) for id_ in symbols(opened.core)}

    def renames(self, surface: Surface) -> dict[str, str]:
        """Old name to new."""
        return {self.old[id_]: surface.names.get(id_) or leaf(id_) for id_ in self.old}

    def by_alternation(self) -> Way:
        names = sorted(self.old.values(), key=len, reverse=True)
        return self._replacing(re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, names)) + r")(?!\w)"))

    def by_identifier(self) -> Way:
        return self._replacing(re.compile(r"\w+"))

    def _replacing(self, pattern: re.Pattern[str]) -> Way:
        substitute = pattern.sub

        def run(row: int, names: dict[str, str]) -> Any:
            def new(found: re.Match[str]) -> str:
                word = found[0]
                return names.get(word, word)

            def renamed(value: Any) -> Any:
                if isinstance(value, str):
                    return substitute(new, value)
                if isinstance(value, dict):
                    return {renamed(key): renamed(item) for key, item in value.items()}
                if isinstance(value, list):
                    return [renamed(item) for item in value]
                return value

            return renamed(self.messages[row % TALKS]), renamed(self.tools)

        return run


def rate(step: Callable[[int], object], first: int, count: int) -> float:
    """How many steps a CPU second does."""
    started = time.process_time()
    for number in range(first, first + count):
        step(number)
    return count / (time.process_time() - started)


def rates(opened: Opened, rounds: int, count: int) -> dict[str, float]:
    """Variants, baseline, checker and rows as they are written to disk, in turn; the best round of each.
    `cold`: the first variants of this process.
    """
    rows, full = recipe(opened), recipe(opened, with_messages=True)
    cold = rate(lambda row: show(rows, row), 0, count)
    base = Baseline(opened)
    certificates = [make(rows, row).certificate for row in range(count)]
    renames = [base.renames(certificate.surface) for certificate in certificates]
    ways = [base.by_alternation(), base.by_identifier()]

    def proved(row: int) -> None:
        findings = check(opened.core, opened.surface, certificates[row], everything_read)
        assert not findings, findings

    found: dict[str, list[float]] = {"variants": [], "baseline": [], "checked": [], "rows": [], "full": []}
    for turn in range(1, rounds + 1):
        found["variants"].append(rate(lambda row: show(rows, row), turn * count, count))
        found["rows"].append(rate(lambda row: make(rows, row), turn * count, count))
        found["full"].append(rate(lambda row: make(full, row), turn * count, count))
        found["baseline"].append(
            max(rate(lambda row, way=way: way(row, renames[row]), 0, count) for way in ways)
        )
        found["checked"].append(rate(proved, 0, count))
    return {"cold": cold} | {name: max(values) for name, values in found.items()}


def sizes(opened: Opened, count: int) -> dict[str, float]:
    """Mean bytes of a line that holds a Surface with its certificate, and of the same row as messages."""
    rows, plain = recipe(opened), []
    surface = []
    for row in range(count):
        surface.append(len(make(rows, row).line.encode()))
        plain.append(len(json.dumps({"messages": show(rows, row)}, ensure_ascii=False).encode()))
    return {"surface": round(statistics.mean(surface)), "messages": round(statistics.mean(plain))}


_CHILD = """
import json, resource, sys, time
from harness_dsl.cli.main import main
started = time.perf_counter()
status = main(sys.argv[1:])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"status": status, "seconds": time.perf_counter() - started, "peak_mb": peak}))
"""


def command(folder: Path, rows: int, workers: int) -> dict[str, Any]:
    """One fresh `harnessc augment`: seconds, peak memory, and the digest of what it wrote."""
    policy, talk, out = folder / "policy.yaml", folder / "talk.jsonl", folder / f"rows{workers}.jsonl"
    policy.write_text("operators: {" + ", ".join(f"{name}: {{}}" for name in STRUCTURAL) + "}\n", "utf-8")
    talks = conversations(open_harness(str(HARNESS)).core, TALKS)
    talk.write_text("".join(f"{one.model_dump_json()}\n" for one in talks), "utf-8")
    words = ["augment", str(HARNESS), "-n", str(rows), "--policy", str(policy), "--transcripts", str(talk)]
    words += ["--workers", str(workers), "-o", str(out)]
    done = subprocess.run([sys.executable, "-c", _CHILD, *words], check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if result["status"]:
        raise SystemExit(done.stderr)
    digest = hashlib.sha256()
    with out.open("rb") as written:
        while block := written.read(1 << 20):
            digest.update(block)
    out.unlink()
    return {**result, "digest": digest.hexdigest()}


def speedup(folder: Path, rows: int, rounds: int) -> float:
    """Wall time of one process over that of two, the best of each, for the same bytes."""
    alone, both = [], []
    for _ in range(rounds):
        one, two = command(folder, rows, 1), command(folder, rows, 2)
        if one["digest"] != two["digest"]:
            raise SystemExit("two processes wrote other rows than one")
        alone.append(one["seconds"])
        both.append(two["seconds"])
    return min(alone) / min(both)


def measure(quick: bool) -> dict[str, Any]:
    opened = open_harness(str(HARNESS))
    best = rates(opened, 3 if quick else 8, TALKS if quick else 2 * TALKS)
    few, many = (200, 800) if quick else (10_000, 100_000)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        faster = speedup(folder, 300 if quick else 5_000, 1 if quick else 2)
        peaks = {str(rows): round(command(folder, rows, 1)["peak_mb"], 1) for rows in (few, many)}
    return {
        "variants_per_s": round(best["variants"]),
        "cold_variants_per_s": round(best["cold"]),
        "baseline_per_s": round(best["baseline"]),
        "checker_rows_per_s": round(best["checked"]),
        "two_process_speedup": round(faster, 2),
        "peak_mb": peaks,
        "bytes_per_row": sizes(opened, 50 if quick else 300),
        "rows_per_s": round(best["rows"]),
        "rows_with_messages_per_s": round(best["full"]),
    }


def missed(result: dict[str, Any]) -> list[str]:
    """The bars that are not reached, one sentence each."""
    few, many = result["peak_mb"].values()
    size = result["bytes_per_row"]
    figures = {
        "variants_per_s": result["variants_per_s"],
        "times_baseline": result["variants_per_s"] / result["baseline_per_s"],
        "checker_rows_per_s": result["checker_rows_per_s"],
        "two_process_speedup": result["two_process_speedup"],
    }
    below = [f"{name} {value:.1f}, bar {BARS[name]}" for name, value in figures.items() if value < BARS[name]]
    share, growth = size["surface"] / size["messages"], many / few
    above = {"size_share": share, "memory_growth": growth}
    return below + [
        f"{name} {value:.2f}, bar {BARS[name]}" for name, value in above.items() if value > BARS[name]
    ]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print the figures as one line of JSON")
    parser.add_argument("--quick", action="store_true", help="fewer rows: figures to look at, not to keep")
    options = parser.parse_args()
    result = measure(options.quick)
    if options.json:
        print(json.dumps(result))
    else:
        for name, value in result.items():
            print(f"{name:<25} {value}")
    for sentence in missed(result):
        print(f"missed: {sentence}", file=sys.stderr)
    return 1 if missed(result) else 0


if __name__ == "__main__":
    raise SystemExit(main())
