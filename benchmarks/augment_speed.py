"""How fast certified variants are drawn, shown and checked, beside plain string replacement.

    python benchmarks/augment_speed.py [--json] [--quick]

A harness of 30 real tools (`augment/office.harness`) and a conversation of 10 events. A variant applies
operators of every family that changes how a harness is shown, and is shown as messages: the system prompt
with the documentation of its tools, then the conversation under its names. What it claims can be put
together for each row at any time; writing rows to disk, which does so, is measured beside it. The baseline
gets the new names for nothing and replaces them in the original's messages and tools, in one walk that
copies and substitutes. It is the faster of two: an alternation of all names, and a lookup of every
identifier.

Rates are per CPU second of one process, the best of several rounds of each in turn; two processes against one
are wall time. Memory is the peak of a fresh `harnessc augment`. Exit status 1 if a bar is missed.
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

from augmentors.checker import check
from augmentors.policy import Policy
from augmentors.reading import everything_read
from augmentors.registry import OPERATORS
from augmentors.rows import Recipe, make, show
from harness_dsl.ir.canonical import core_digest
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.naming import symbols
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import (
    Call,
    Generated,
    LoadSkill,
    Mention,
    ReplyText,
    Result,
    SkillShown,
    Think,
    Transcript,
    User,
)
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
WEATHER, DISTANCE = "tool/get_current_weather", "tool/geo_distance_calculate"


def conversation(opened: Opened) -> Transcript:
    """Ten events: a skill, two calls, names in thinking and in replies."""
    skill = "skill/weather_report"
    place = {"location": "Oslo", "include_humidity": True}
    way = {"start_location": "Bergen", "end_location": "Oslo", "units": "kilometers"}
    return Transcript(
        core_digest=core_digest(opened.core),
        inputs={"office": {"name": "North Pier"}, "message": "What is the weather like in Oslo?"},
        events=(
            User(text="What is the weather like in Oslo, and how far is it from Bergen?"),
            Generated(
                events=(
                    Think(text=("First ", Mention(symbol=skill), ", then ", Mention(symbol=WEATHER), ".")),
                    LoadSkill(skill=skill),
                )
            ),
            SkillShown(skill=skill),
            Generated(events=(Call(tool=WEATHER, arguments=place),)),
            Result(tool=WEATHER, value={"temperature": 4.5, "humidity": 81, "sky": "rain"}),
            Generated(
                events=(
                    Think(text=("The rest is for ", Mention(symbol=DISTANCE), ".")),
                    Call(tool=DISTANCE, arguments=way),
                )
            ),
            Result(tool=DISTANCE, value={"value": 463.2, "unit": "km"}),
            Generated(events=(ReplyText(text=("Sure: 4.5 °C and rain, 463.2 km away.",)),)),
            User(text="How do you know?"),
            Generated(
                events=(ReplyText(text=("Sure: ", Mention(symbol=WEATHER), " says so, as of this minute.")),)
            ),
        ),
    )


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
    talk = (conversation(opened),)
    return Recipe(opened.core, opened.surface, policy, 0, talk, with_messages)


class Baseline:
    """The same renames by copying messages and tools and replacing whole words."""

    def __init__(self, opened: Opened) -> None:
        view = View(opened.core, opened.surface)
        rendered = view.renderer.system(conversation(opened).inputs).text
        head, rest = rendered.split("<tools>\n")
        lines, tail = rest.split("\n</tools>")
        self.tools = [json.loads(line) for line in lines.splitlines()]
        self.messages = lower(conversation(opened), opened.core, opened.surface)
        self.messages[0] = {"role": "system", "content": head + tail}
        self.old = {id_: view.naming.name(id_) for id_ in symbols(opened.core)}

    def renames(self, surface: Surface) -> dict[str, str]:
        """Old name to new."""
        return {self.old[id_]: surface.names.get(id_) or leaf(id_) for id_ in self.old}

    def by_alternation(self) -> Callable[[dict[str, str]], Any]:
        names = sorted(self.old.values(), key=len, reverse=True)
        return self._replacing(re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, names)) + r")(?!\w)"))

    def by_identifier(self) -> Callable[[dict[str, str]], Any]:
        return self._replacing(re.compile(r"\w+"))

    def _replacing(self, pattern: re.Pattern[str]) -> Callable[[dict[str, str]], Any]:
        substitute = pattern.sub

        def run(names: dict[str, str]) -> Any:
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

            return renamed(self.messages), renamed(self.tools)

        return run


def rate(step: Callable[[int], object], first: int, count: int) -> float:
    """How many steps a CPU second does."""
    started = time.process_time()
    for number in range(first, first + count):
        step(number)
    return count / (time.process_time() - started)


def rates(opened: Opened, rounds: int, count: int) -> dict[str, float]:
    """Variants, baseline, checker and rows as they are written to disk, in turn; the best round of each."""
    rows = recipe(opened)
    base = Baseline(opened)
    certificates = [make(rows, row).certificate for row in range(count)]
    renames = [base.renames(certificate.surface) for certificate in certificates]
    ways = [base.by_alternation(), base.by_identifier()]

    def proved(row: int) -> None:
        findings = check(opened.core, opened.surface, certificates[row], everything_read)
        assert not findings, findings

    found: dict[str, list[float]] = {"variants": [], "baseline": [], "checked": [], "rows": []}
    for turn in range(rounds):
        found["variants"].append(rate(lambda row: show(rows, row), turn * count, count))
        found["rows"].append(rate(lambda row: make(rows, row), turn * count, count))
        found["baseline"].append(max(rate(lambda row, way=way: way(renames[row]), 0, count) for way in ways))
        found["checked"].append(rate(proved, 0, count))
    return {name: max(values) for name, values in found.items()}


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
    talk.write_text(conversation(open_harness(str(HARNESS))).model_dump_json() + "\n", "utf-8")
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
    # The first rounds fill what is kept for a harness and its conversation.
    best = rates(opened, 4 if quick else 8, 150 if quick else 300)
    few, many = (200, 800) if quick else (10_000, 100_000)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        faster = speedup(folder, 300 if quick else 10_000, 1 if quick else 3)
        peaks = {str(rows): round(command(folder, rows, 1)["peak_mb"], 1) for rows in (few, many)}
    return {
        "variants_per_s": round(best["variants"]),
        "baseline_per_s": round(best["baseline"]),
        "checker_rows_per_s": round(best["checked"]),
        "two_process_speedup": round(faster, 2),
        "peak_mb": peaks,
        "bytes_per_row": sizes(opened, 50 if quick else 300),
        "rows_per_s": round(best["rows"]),
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
            print(f"{name:<20} {value}")
    for sentence in missed(result):
        print(f"missed: {sentence}", file=sys.stderr)
    return 1 if missed(result) else 0


if __name__ == "__main__":
    raise SystemExit(main())
