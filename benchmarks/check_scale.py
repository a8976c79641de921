"""How `harnessc check` grows with its file, beside `baml-cli check`: CPU time (user and system) and memory.

    python benchmarks/check_scale.py [--json] [--quick]

Both programs check clean files of 250, 500, 1,000 and 2,000 units that say the same (`material/scale.py`),
then one file of about a hundred lines: `harnessc` without an answer from before (as at all sizes), and
`harnessc_unchanged` when the same bytes were checked already. Figures are medians of runs that take turns,
each a process of its own. `fmt --check` and `compile` are measured too. `--quick` leaves out 2,000 units.

Exit status 1 if a bar is missed. Without `baml-cli` (`pip install 'harness-dsl[bench]'`) only our side is
measured.
"""

import argparse
import compileall
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from material.scale import baml, harness

SIZES = (250, 500, 1000, 2000)
SMALL = 3
"""Units of the small file: about a hundred lines."""
TURNS = {250: 5, 500: 3, 1000: 3, 2000: 1}
"""Runs of `baml-cli check` by size; it takes minutes at the last."""
OURS = 3
"""At least so many runs of `harnessc check`, also where the other has fewer."""
SMALL_TURNS = 25


class Used(NamedTuple):
    """What one process took."""

    cpu_s: float
    rss_mb: float


class Side(NamedTuple):
    """One command to measure: `command` of a folder that holds the material, run `before` each time."""

    name: str
    command: Callable[[Path], list[str]]
    before: Callable[[], None]


def used(command: list[str]) -> Used:
    """CPU time and greatest memory of one run. Raises `SystemExit` when it fails."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment(), text=True
    )
    assert process.stderr is not None
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}\n{said}")
    return Used(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def environment() -> dict[str, str]:
    """Without what would make either program trace, upload, or compile its Python code at every start."""
    dropped = ("BAML_", "BOUNDARY_", "RUST_", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    return {**kept, "BAML_LOG": "error", "XDG_CACHE_HOME": str(CACHE)}


CACHE = Path(tempfile.gettempdir()) / f"check_scale.{os.getpid()}"


def program(name: str) -> str | None:
    """The installed command `name`, beside this Python before any other."""
    beside = Path(sys.executable).parent / name
    return str(beside) if beside.exists() else shutil.which(name)


def forget() -> None:
    shutil.rmtree(CACHE, ignore_errors=True)


def nothing() -> None:
    """Leaves what is kept from the last run."""


def in_turns(sides: list[Side], folder: Path, turns: int) -> dict[str, list[Used]]:
    """`turns` runs of every side, one after the other."""
    taken: dict[str, list[Used]] = {side.name: [] for side in sides}
    for _ in range(turns):
        for side in sides:
            side.before()
            taken[side.name].append(used(side.command(folder)))
    return taken


def written(folder: Path, units: int) -> Path:
    """The material of one size, in a folder of its own."""
    place = folder / str(units)
    (place / "baml_src").mkdir(parents=True)
    (place / "desk.harness").write_text(harness(units), "utf-8")
    (place / "baml_src" / "desk.baml").write_text(baml(units), "utf-8")
    return place


def harnessc(*words: str) -> Callable[[Path], list[str]]:
    ours = program("harnessc")
    if ours is None:
        raise SystemExit("harnessc is not installed: `pip install -e .`")
    return lambda folder: [ours, *words, str(folder / "desk.harness")]


def measure(sizes: tuple[int, ...]) -> dict[str, Any]:
    """Every figure, as JSON-like data."""
    check = Side("harnessc", harnessc("check"), forget)
    unchanged = Side("harnessc_unchanged", harnessc("check"), nothing)
    others = [Side("fmt", harnessc("fmt", "--check"), nothing), Side("compile", _compile(), nothing)]
    theirs = program("baml-cli")
    peers = []
    if theirs is not None:
        peers.append(
            Side("baml", lambda folder: [theirs, "check", "--from", str(folder / "baml_src")], nothing)
        )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small = written(folder, SMALL)
        in_turns([check, *peers], small, 1)  # brings both programs into the memory of the system
        cold = in_turns([check, unchanged, *peers], small, SMALL_TURNS)
        taken = {}
        for size in sizes:
            place = written(folder, size)
            taken[size] = in_turns([check, *peers], place, TURNS[size])
            taken[size]["harnessc"] += in_turns([check], place, OURS - TURNS[size])["harnessc"]
            taken[size] |= in_turns(others, place, min(TURNS[size], 3)) if size >= 1000 else {}
        lines = {
            "harnessc": len((small / "desk.harness").read_text().splitlines()),
            "baml": len((small / "baml_src" / "desk.baml").read_text().splitlines()),
        }
    forget()
    return _figures(cold, taken, lines)


def _compile() -> Callable[[Path], list[str]]:
    command = harnessc("compile")
    return lambda folder: [*command(folder), "-o", str(folder / "desk.json")]


def _figures(
    cold: dict[str, list[Used]], taken: dict[int, dict[str, list[Used]]], lines: dict[str, int]
) -> dict[str, Any]:
    def cpu(name: str) -> dict[str, float]:
        return {str(size): round(_median(sides[name]), 3) for size, sides in taken.items() if name in sides}

    measured = {str(size): sides for size, sides in taken.items() if size >= 1000}
    result: dict[str, Any] = {
        "harnessc": cpu("harnessc"),
        "baml": cpu("baml") or None,
        "cold_ms": {name: round(_median(runs) * 1000, 1) for name, runs in cold.items()},
        "rss_mb": {size: _memory(sides["harnessc"]) for size, sides in measured.items()},
        "cold_lines": lines,
        "turns": {str(size): len(sides["harnessc"]) for size, sides in taken.items()} | {"cold": SMALL_TURNS},
        "also": {name: cpu(name) for name in ("fmt", "compile")},
        "also_rss_mb": {
            name: {size: _memory(sides[name]) for size, sides in measured.items()}
            for name in ("fmt", "compile")
        },
    }
    result["cold_ms"].setdefault("baml", None)
    result["ratios"] = ratios(result)
    result["missed"] = [name for name, (value, bar) in result["ratios"].items() if value > bar]
    return result


def _median(runs: list[Used]) -> float:
    return statistics.median(run.cpu_s for run in runs)


def _memory(runs: list[Used]) -> float:
    return round(statistics.median(run.rss_mb for run in runs), 1)


def ratios(result: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """What is compared, and the most that it may be."""
    ours, theirs, cold = result["harnessc"], result["baml"], result["cold_ms"]
    found: dict[str, tuple[float, float]] = {}

    def compare(name: str, one: float, other: float, bar: float) -> None:
        found[name] = (round(one / other, 3), bar)

    if theirs:
        compare("to_baml_1000", ours["1000"], theirs["1000"], 1 / 4)
        compare("cold_to_baml", cold["harnessc"], cold["baml"], 1.5)
        compare("unchanged_to_baml", cold["harnessc_unchanged"], cold["baml"], 1)
    if "2000" in ours:
        if theirs:
            compare("to_baml_2000", ours["2000"], theirs["2000"], 1 / 8)
        compare("growth", ours["2000"], ours["1000"], 2.2)
        compare("growth_rss", result["rss_mb"]["2000"], result["rss_mb"]["1000"], 2.2)
        for name, figures in result["also"].items():
            compare(f"growth_{name}", figures["2000"], figures["1000"], 2.2)
            memory = result["also_rss_mb"][name]
            compare(f"growth_{name}_rss", memory["2000"], memory["1000"], 2.2)
    return found


def report(result: dict[str, Any]) -> None:
    """The figures for a reader."""
    print(f"{'units':>6}  {'harnessc':>9}  {'baml':>9}   CPU seconds")
    for size, ours in result["harnessc"].items():
        theirs = (result["baml"] or {}).get(size, "")
        print(f"{size:>6}  {ours:>9}  {theirs:>9}")
    print("one small file, CPU ms: " + ", ".join(f"{n} {v}" for n, v in result["cold_ms"].items()))
    print("memory, MB: " + ", ".join(f"{size} units {value}" for size, value in result["rss_mb"].items()))
    for name, (value, bar) in result["ratios"].items():
        print(f"{name:<20} {value:>6}  at most {bar}{'' if value <= bar else '   MISSED'}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print the figures as one JSON object")
    parser.add_argument("--quick", action="store_true", help="leave out 2,000 units")
    options = parser.parse_args()
    if program("baml-cli") is None:
        print(
            "baml-cli is not installed, so only our side is measured: `pip install 'harness-dsl[bench]'`",
            file=sys.stderr,
        )
    _as_installed()
    result = measure(SIZES[:-1] if options.quick else SIZES)
    if options.json:
        print(json.dumps(result))
    else:
        report(result)
    return 1 if result["missed"] else 0


def _as_installed() -> None:
    """Compiles our modules, as installing them does: a checkout need not have been run before."""
    root = Path(__file__).resolve().parent.parent
    for package in ("grammar", "harness_dsl"):
        compileall.compile_dir(root / package, quiet=2)


if __name__ == "__main__":
    raise SystemExit(main())
