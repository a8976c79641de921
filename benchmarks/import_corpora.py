"""What becomes of real tool lists, benchmark items and skills: taken over, refused, lost, and per target.

    python benchmarks/import_corpora.py [FOLDER] [--json]

FOLDER holds `mcp-github`, `mcp-registry`, `bfcl`, `acebench-zh` and `skills`; default: the corpora beside the
checkout, or else the small part of them in the tests. Exit status 1 if some output has an error or warning,
or if a tool is neither written for a target nor refused with a reason.

`taken`: what a target takes as it is; `sanitised`: with `--sanitise`, which finds names for those it refuses.
"""

import argparse
import ast
import json
import re
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from harness_dsl.exchange.exporting import TARGETS, Export, Target, export
from harness_dsl.exchange.found import Kind
from harness_dsl.exchange.importing import import_harness
from harness_dsl.exchange.tidy import analyse
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
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
    targets = {
        target: reached(compiled.core, compiled.surface, target)
        for target in TARGETS
        if (target == "agent-skills") == (kind == "skills")
    }
    return {
        "files": result.files,
        "symbols": len(result.sources),
        "tests": result.tests,
        "repeated": result.repeated,
        "losses": len(result.losses),
        "kinds_of_loss": dict(Counter(_kind(loss.what) for loss in result.losses).most_common()),
        "refusals": [refusal._asdict() for refusal in result.refusals],
        "findings": len(findings),
        "cpu_s": round(seconds, 2),
        "targets": targets,
    }


def reached(core: Core, surface: Surface, target: Target) -> dict[str, Any]:
    """How many tools or skills `target` takes, and why not the others, one by one in `faults`."""
    total = len(core.tools or core.skills)
    plain = export(core, surface, target)
    sanitised = export(core, surface, target, sanitise=True)
    refused = {fault.symbol: fault.reason for fault in plain.faults}
    return {
        "taken": total - len(_owners(refused)),
        "refused": len(_owners(refused)),
        "sanitised": total - len(_owners(fault.symbol for fault in sanitised.faults)),
        "written": _written(plain),
        "reasons": dict(Counter(reason.split("` ", 1)[-1] for reason in refused.values())),
        "faults": refused,
    }


def _owners(symbols: Iterable[str]) -> set[str]:
    return {"/".join(symbol.split("/")[:2]) for symbol in symbols}


def _written(exported: Export) -> int:
    """The tools or skills that stand in an export."""
    document = exported.document
    match exported.target:
        case "agent-skills":
            return len(exported.files)
        case "python-stubs":
            return sum(isinstance(node, ast.FunctionDef) for node in ast.parse(exported.text).body)
        case "json-schema":
            return len(document["$defs"]) // 2
        case "mcp":
            return len(document["tools"])
        case "gemini":
            return len(document[0]["functionDeclarations"])
        case _:
            return len(document)


def _kind(what: str) -> str:
    """A loss without the name or number that it is about."""
    if what.startswith("the name"):
        return "the name …: it is shown as another"
    return re.sub(r"`[^`]*`(?=,| to)|\b-?\d+(?:\.\d+)?\b", "…", what)


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
        part = (
            ""
            if beside.is_dir()
            else " (the small part in the tests: the corpora are not beside the checkout)"
        )
        print(f"from {options.folder}{part if options.folder == default else ''}\n")
        show(results)
    unexplained = [
        name
        for name, result in results.items()
        for counts in result["targets"].values()
        if counts["written"] != counts["taken"]
    ]
    return 1 if unexplained or any(result["findings"] for result in results.values()) else 0


COLUMNS = ("files", "symbols", "tests", "repeated", "losses", "refused", "findings", "cpu_s")


def show(results: dict[str, Any]) -> None:
    print(f"{'corpus':<14}" + "".join(f"{column:>10}" for column in COLUMNS))
    for name, result in results.items():
        values = {**result, "refused": len(result["refusals"])}
        print(f"{name:<14}" + "".join(f"{values[column]:>10}" for column in COLUMNS))
    print(f"\n{'target':<32}{'taken':>10}{'of':>8}{'sanitised':>12}")
    for name, result in results.items():
        for target, counts in result["targets"].items():
            total = counts["taken"] + counts["refused"]
            print(f"{name + ' → ' + target:<32}{counts['taken']:>10}{total:>8}{counts['sanitised']:>12}")
            for reason, count in counts["reasons"].items():
                print(f"{'':<10}{count:>6} not: {reason}")
    for name, result in results.items():
        print(f"\n{name}: what is lost")
        for what, count in result["kinds_of_loss"].items():
            print(f"{'':<10}{count:>6} {what}")
        for refusal in result["refusals"]:
            print(f"{'':<10}refused `{refusal['name']}` in {refusal['file']}: {refusal['reason']}")


if __name__ == "__main__":
    raise SystemExit(main())
