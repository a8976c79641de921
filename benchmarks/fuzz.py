"""Feeds broken inputs of many kinds to the language and the importers, and counts what does not survive.

    python benchmarks/fuzz.py [--cases N] [--seed S] [--state FILE] [--json]
    python benchmarks/fuzz.py --show NUMBER [--seed S]

Inputs: random bytes, pieces and tokens; edited, half-typed, deeply nested and huge harnesses made from
all examples; projects with modules; project files, fixtures, tool lists and skills. Each case is made from
the seed and its number, so `--show` makes it again. A case fails when anything raises, takes more than 20
seconds of processor time, or makes the process need more than 2 GB.

Work is done in chunks, each in a process of its own. With FILE each is kept there, so that a run that was
stopped goes on where it stood. Exit status 1 if a case failed.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CHUNK = 1000
MEMORY = 2 * 1024**3
KEPT = 20
"""Failures of a chunk that are told in full."""
STUCK = 1800
"""Seconds after which a process that does not even answer a signal is ended."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--state", type=Path, metavar="FILE", help="where finished chunks are kept")
    parser.add_argument("--json", action="store_true", help="print the summary as one line of JSON")
    parser.add_argument("--show", type=int, metavar="NUMBER", help="print the files of one case")
    parser.add_argument("--chunk", nargs=3, metavar=("START", "STOP", "BEAT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.chunk:
        start, stop, beat = options.chunk
        print(json.dumps(run_chunk(options.seed, int(start), int(stop), Path(beat))))
        return 0
    if options.show is not None:
        return show(options.seed, options.show)
    done = kept(options.state) if options.state else {}
    for start in range(0, options.cases, CHUNK):
        stop = min(start + CHUNK, options.cases)
        if (start, stop) not in done:
            done[start, stop] = in_processes(options.seed, start, stop)
            if options.state:
                with options.state.open("a") as file:
                    file.write(json.dumps(done[start, stop]) + "\n")
    wanted = [chunk for (_, stop), chunk in sorted(done.items()) if stop <= options.cases]
    return report(wanted, options)


def kept(state: Path) -> dict[tuple[int, int], dict[str, Any]]:
    """The chunks that an earlier run finished."""
    if not state.is_file():
        return {}
    chunks = [json.loads(line) for line in state.read_text().splitlines()]
    return {(chunk["start"], chunk["stop"]): chunk for chunk in chunks}


def in_processes(seed: int, start: int, stop: int) -> dict[str, Any]:
    """One chunk, in a process; a process that dies is reported at its case and followed by another."""
    whole: dict[str, Any] = {"start": start, "stop": stop, "kinds": {}, "failures": [], "rss_mb": 0.0}
    whole |= dict.fromkeys(("cases", "crashes", "hangs", "cpu_s"), 0)
    while start < stop:
        with tempfile.NamedTemporaryFile() as beat:
            numbers = [str(seed), "--chunk", str(start), str(stop)]
            command = [sys.executable, __file__, "--seed", *numbers, beat.name]
            ended = "ended"
            try:
                process = subprocess.run(command, capture_output=True, text=True, timeout=STUCK)
                ended = f"ended with status {process.returncode}: {process.stderr.strip()[-300:]}"
            except subprocess.TimeoutExpired:
                process, ended = None, "endless"
            if process is not None and process.returncode == 0:
                add(whole, json.loads(process.stdout.splitlines()[-1]))
                return whole
            reached = Path(beat.name).read_text()
            if not reached:
                raise SystemExit(f"no case can be run: {ended}")
            at = int(reached)
        kind = "hang" if ended == "endless" else "crash"
        whole["failures"].append({"case": at, "what": kind, "error": ended})
        whole["hangs" if kind == "hang" else "crashes"] += 1
        whole["cases"] += at + 1 - start
        start = at + 1
    return whole


def add(whole: dict[str, Any], part: dict[str, Any]) -> None:
    whole["cases"] += part["cases"]
    whole["kinds"] = dict(Counter(whole["kinds"]) + Counter(part["kinds"]))
    whole["failures"] += part["failures"]
    whole["crashes"] += part["crashes"]
    whole["hangs"] += part["hangs"]
    whole["rss_mb"] = max(whole["rss_mb"], part["rss_mb"])
    whole["cpu_s"] += part["cpu_s"]


def run_chunk(seed: int, start: int, stop: int, beat: Path) -> dict[str, Any]:
    """The cases from `start`, here. `beat` always holds the number of the case under way."""
    sys.path.insert(0, str(ROOT))
    from tests.language.fuzzing.cases import case
    from tests.language.fuzzing.survival import Endless, survive

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    kinds: Counter[str] = Counter()
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for number in range(start, stop):
            beat.write_text(str(number))
            made = case(seed, number)
            kinds[made.kind] += 1
            for path, data in made.files.items():
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                Path(path).write_bytes(data)
            try:
                survive(next(iter(made.files)))
            except Endless as error:
                failures.append({"case": number, "what": "hang", "kind": made.kind, "error": str(error)})
            except Exception as error:
                at = traceback.extract_tb(error.__traceback__)[-1]
                where = f"{Path(at.filename).name}:{at.lineno}"
                said = f"{type(error).__name__}: {error} ({where})"[:300]
                failures.append({"case": number, "what": "crash", "kind": made.kind, "error": said})
            for path in made.files:
                Path(path).unlink()
        os.chdir(ROOT)
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "cases": stop - start,
        "kinds": dict(kinds),
        "crashes": sum(failure["what"] == "crash" for failure in failures),
        "hangs": sum(failure["what"] == "hang" for failure in failures),
        "failures": failures[:KEPT],
        "rss_mb": round(rss, 1),
        "cpu_s": round(time.process_time(), 1),
    }


def show(seed: int, number: int) -> int:
    sys.path.insert(0, str(ROOT))
    from tests.language.fuzzing.cases import case

    made = case(seed, number)
    print(f"case {number} of seed {seed}: {made.kind}")
    for path, data in made.files.items():
        print(f"== {path}\n{data.decode('utf-8', 'backslashreplace')}")
    return 0


def report(chunks: list[dict[str, Any]], options: argparse.Namespace) -> int:
    failures = [failure for chunk in chunks for failure in chunk["failures"]]
    kinds: Counter[str] = Counter()
    for chunk in chunks:
        kinds.update(chunk["kinds"])
    summary = {
        "cases": sum(chunk["cases"] for chunk in chunks),
        "seed": options.seed,
        "crashes": sum(chunk["crashes"] for chunk in chunks),
        "hangs": sum(chunk["hangs"] for chunk in chunks),
        "max_rss_mb": max((chunk["rss_mb"] for chunk in chunks), default=0),
        "cpu_s": round(sum(chunk["cpu_s"] for chunk in chunks), 1),
        "kinds": dict(kinds.most_common()),
        "failures": failures[:50],
    }
    if options.json:
        print(json.dumps(summary))
    else:
        for failure in failures[:50]:
            print(f"{failure['what']} in case {failure['case']}: {failure['error']}")
        print(
            f"{summary['cases']:,} cases, {summary['crashes']} crashes, {summary['hangs']} hangs, "
            f"at most {summary['max_rss_mb']:.0f} MB, {summary['cpu_s']:.0f} s of processor time"
        )
    return 1 if summary["crashes"] or summary["hangs"] else 0


if __name__ == "__main__":
    sys.exit(main())
