"""What becomes of real tool lists, benchmark items and skills: taken over, refused, lost, and per target.

    python benchmarks/import_corpora.py [FOLDER] [--json]

FOLDER holds `mcp-github`, `mcp-registry`, `bfcl`, `acebench-zh` and `skills`; default: the corpora beside the
checkout, or else the small part of them in the tests. Exit status 1 if some output has an error or warning.
"""

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from harness_dsl.exchange.exporting import TARGETS, export
from harness_dsl.exchange.found import Kind
from harness_dsl.exchange.importing import import_harness
from harness_dsl.exchange.tidy import analyse
from harness_dsl.lint import lint
from harness_dsl.syntax.compile import compile_text

ROOT = Path(__file__).resolve().parents[1]
CORPORA: dict[str, Kind] = {
    "mcp-github": "mcp",
    "mcp-registry": "mcp",
    "bfcl": "bfcl",
    "acebench-zh": "acebench",
    "skills": "skills",
}


def measure(kind: Kind, path: Path) -> dict[str, Any]:
    """One corpus."""
    started = time.process_time()
    result = import_harness(kind, path)
    seconds = time.process_time() - started
    findings = [found for found in lint(analyse(result.text, path.name)) if found.severity != "info"]
    compiled = compile_text(result.text)
    assert compiled.core is not None and compiled.surface is not None
    targets = {}
    for target in TARGETS:
        if (target == "agent-skills") == (kind == "skills"):
            exported = export(compiled.core, compiled.surface, target)
            refused = {"/".join(fault.symbol.split("/")[:2]) for fault in exported.faults}
            reasons = Counter(fault.reason.split("` ", 1)[-1] for fault in exported.faults)
            total = len(compiled.core.tools or compiled.core.skills)
            targets[target] = {
                "taken": total - len(refused),
                "refused": len(refused),
                "reasons": dict(reasons),
            }
    return {
        "files": result.files,
        "symbols": len(result.sources),
        "repeated": result.repeated,
        "losses": len(result.losses),
        "kinds_of_loss": dict(Counter(_kind(loss.what) for loss in result.losses).most_common()),
        "refusals": [refusal._asdict() for refusal in result.refusals],
        "findings": len(findings),
        "cpu_s": round(seconds, 2),
        "targets": targets,
    }


def _kind(what: str) -> str:
    """A loss without the name that it is about."""
    return "a name: shown as another" if what.startswith("the name") else what


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    beside = ROOT.parent / "shared" / "corpora"
    default = beside if beside.is_dir() else ROOT / "tests" / "exchange" / "material"
    parser.add_argument("folder", nargs="?", type=Path, default=default)
    parser.add_argument("--json", action="store_true", help="print everything as one JSON object on one line")
    options = parser.parse_args()
    results = {name: measure(kind, options.folder / name) for name, kind in CORPORA.items()}
    if options.json:
        print(json.dumps(results, ensure_ascii=False))
    else:
        show(results)
    return 1 if any(result["findings"] for result in results.values()) else 0


def show(results: dict[str, Any]) -> None:
    columns = ("files", "symbols", "repeated", "losses", "refused", "findings", "cpu_s")
    print(f"{'corpus':<14}" + "".join(f"{column:>10}" for column in columns))
    for name, result in results.items():
        values = {**result, "refused": len(result["refusals"])}
        print(f"{name:<14}" + "".join(f"{values[column]:>10}" for column in columns))
    for name, result in results.items():
        for refusal in result["refusals"]:
            print(f"{name}: refused {refusal['name']}: {refusal['reason']}")
        for target, counts in result["targets"].items():
            print(f"{name} → {target}: {counts['taken']} of {counts['taken'] + counts['refused']}")
            for reason, count in counts["reasons"].items():
                print(f"    {count}: {reason}")


if __name__ == "__main__":
    raise SystemExit(main())
