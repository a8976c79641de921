"""How long `harnessc --help` takes beside `python -c pass`: the ratio of the medians, to be at most 3.

    python benchmarks/help_startup.py [--json] [--runs 20]

The installed console script is measured, its import path and that of an editable install included. Runs
alternate, so that what else the machine does strikes both. Exit status 1 if the bar is missed.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

BAR = 3.0


def seconds(command: list[str]) -> float:
    """Wall time of one run."""
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def measure(runs: int) -> dict[str, float]:
    """Medians of `runs` runs each, in milliseconds, and their ratio."""
    beside = Path(sys.executable).parent / "harnessc"
    script = str(beside) if beside.exists() else shutil.which("harnessc")
    if script is None:
        raise SystemExit("harnessc is not installed: `pip install -e .`")
    helped, passed = [script, "--help"], [sys.executable, "-c", "pass"]
    seconds(helped), seconds(passed)
    times: list[tuple[float, float]] = [(seconds(helped), seconds(passed)) for _ in range(runs)]
    ours = statistics.median(one for one, _ in times) * 1000
    bare = statistics.median(other for _, other in times) * 1000
    return {"help_ms": round(ours, 2), "pass_ms": round(bare, 2), "ratio": round(ours / bare, 2), "bar": BAR}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--runs", type=int, default=20, help="runs of each command")
    options = parser.parse_args()
    result = measure(options.runs)
    if options.json:
        print(json.dumps(result))
    else:
        print(
            f"harnessc --help {result['help_ms']} ms, python -c pass {result['pass_ms']} ms: "
            f"ratio {result['ratio']} (bar {BAR})"
        )
    return 0 if result["ratio"] <= BAR else 1


if __name__ == "__main__":
    raise SystemExit(main())
