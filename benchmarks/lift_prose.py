"""How much of text that no oracle wrote is understood, and whether it survives transport.

    python benchmarks/lift_prose.py [FOLDER] [--every N] [--json]

Each text of the corpora stands as thinking and as reply of a conversation that calls a tool or loads a skill,
in a log that is lifted under a harness imported from real tools or skills. `resolved` and `unresolved`: names
in prose; `shared`: of the unresolved, those that several symbols have; `refused`: conversations above the
default limit; `strange`: mentions found where the texts are about something else, which no text means.
Each conversation that was lifted is shown under a variant and lifted again, and shown under its own Surface:
`moved` and `back` count those that are the same.

`--every N` takes each Nth text. FOLDER holds `mcp-github`, `mcp-registry`, `bfcl`, `skills` and `tau2`;
default: the corpora beside the checkout. Exit status 1 if a conversation is not the same, or too much strange
prose is taken for names.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from augmentors.logs.belonging import Terms
from augmentors.logs.lifting import Lifting, Taken
from augmentors.policy import Policy
from augmentors.samples import sample_talks
from augmentors.transport import lift, lower, without_harness
from augmentors.variants import draw
from harness_dsl.exchange.found import Kind
from harness_dsl.exchange.importing import import_harness
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.syntax.compile import compile_text

ROOT = Path(__file__).resolve().parents[1]
POLICY = Policy.of({"rename": {"swap": 0.3}, "reorder": {}, "tool-docs": {}})
STRANGE_BAR = 0.02
"""Mentions in a text that is about other things, at most so many a text; a section of a document is one."""

HARNESSES: dict[str, tuple[Kind, str]] = {
    "mcp-github": ("mcp", "mcp-github"),
    "bfcl": ("bfcl", "bfcl/multi_turn_func_doc"),
    "skills": ("skills", "skills"),
}
# Which texts stand under which harness, and whether they are about something else.
PAIRS = (
    ("mcp-github", "mcp-github", False),
    ("bfcl", "bfcl", False),
    ("skills", "skills", False),
    ("skills", "mcp-github", True),
    ("tau2", "bfcl", True),
    ("mcp-registry", "bfcl", True),
)


def descriptions(value: Any) -> Iterator[str]:
    """Every description in a JSON value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("description", "desc") and isinstance(inner, str):
                yield inner
            else:
                yield from descriptions(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from descriptions(inner)


def texts(folder: Path, name: str) -> list[str]:
    """The different texts of a corpus: descriptions, or documents a section at a time."""
    found: list[str] = []
    for path in sorted((folder / name).rglob("*")):
        if path.suffix == ".md":
            found += re.split(r"^(?=#+ )", path.read_text("utf-8"), flags=re.M)
        elif path.suffix == ".json" and name != "tau2":
            found += _of_json(path.read_text("utf-8"))
    return [*dict.fromkeys(text for text in found if text.strip())]


def _of_json(text: str) -> Iterator[str]:
    try:
        yield from descriptions(json.loads(text))
    except json.JSONDecodeError:
        for line in text.splitlines():
            yield from descriptions(json.loads(line))


def opened(folder: Path, name: str) -> tuple[Core, Surface]:
    kind, path = HARNESSES[name]
    compiled = compile_text(import_harness(kind, folder / path).text)
    assert compiled.core is not None and compiled.surface is not None
    return compiled.core, compiled.surface


def conversations(core: Core, surface: Surface, prose: list[str]) -> Iterator[list[dict[str, Any]]]:
    """Plain messages as somebody else would have recorded them, each with one of the texts twice."""
    talks = [without_harness(lower(talk, core, surface)) for talk in sample_talks(core)]
    for number, text in enumerate(prose):
        *before, _ = talks[number % len(talks)]
        yield [*before, {"role": "assistant", "reasoning_content": text, "content": text}]


def measure(core: Core, surface: Surface, prose: list[str]) -> dict[str, Any]:
    """What becomes of `prose` under one harness."""
    lifting = Lifting(core, surface, Terms())
    counts: Counter[str] = Counter()
    for number, messages in enumerate(conversations(core, surface, prose)):
        found = lifting.line(json.dumps(messages, ensure_ascii=False).encode())
        counts["texts"] += 1
        if found.report is not None:
            counts["resolved"] += found.report.mentions
            counts["unresolved"] += len(found.report.unresolved)
            counts["shared"] += sum("several symbols share" in note for note in found.report.notes)
        if not isinstance(found, Taken):
            counts["refused"] += 1
            counts[f"refused: {found.reasons[0].kind}"] += 1
            continue
        variant = draw(core, surface, POLICY, 0, number)
        shown = lower(found.transcript, variant.core, variant.surface)
        counts["moved"] += lift(shown, variant.core, variant.surface).transcript == found.transcript
        again = without_harness(lower(found.transcript, core, surface))
        counts["back"] += _same(again, messages)
    return dict(counts)


def _same(again: list[dict[str, Any]], messages: list[dict[str, Any]]) -> bool:
    """Whether prose came back byte for byte."""
    keys = ("role", "content", "reasoning_content")
    return [[one.get(key) for key in keys] for one in again] == [
        [one.get(key) for key in keys] for one in messages
    ]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT.parent / "shared" / "corpora")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each Nth text")
    parser.add_argument("--json", action="store_true", help="print everything as one JSON object on one line")
    options = parser.parse_args()
    if not options.folder.is_dir():
        print(f"there are no corpora in {options.folder}")
        return 2
    found = {}
    known = {name: opened(options.folder, name) for name in HARNESSES}
    for corpus, harness, strange in PAIRS:
        prose = texts(options.folder, corpus)[:: options.every]
        found[f"{corpus} under {harness}"] = {**measure(*known[harness], prose), "about_it": not strange}
    if options.json:
        print(json.dumps(found))
    else:
        _table(found)
    return 0 if all(map(_holds, found.values())) else 1


def _holds(counts: dict[str, Any]) -> bool:
    taken = counts["texts"] - counts.get("refused", 0)
    strange = 0 if counts["about_it"] else counts.get("resolved", 0) / 2
    return counts["moved"] == counts["back"] == taken and strange <= STRANGE_BAR * counts["texts"]


def _table(found: dict[str, dict[str, Any]]) -> None:
    rows = [("texts under a harness", "texts", "resolved", "unresolved", "refused", "moved", "back")]
    for name, counts in found.items():
        resolved, unresolved = counts.get("resolved", 0), counts.get("unresolved", 0)
        refused, shared = counts.get("refused", 0), counts.get("shared", 0)
        rows.append(
            (
                name,
                str(counts["texts"]),
                str(resolved),
                f"{unresolved} ({unresolved / max(1, resolved + unresolved):.0%}), {shared} shared",
                f"{refused} ({refused / counts['texts']:.1%})",
                str(counts["moved"]),
                str(counts["back"]),
            )
        )
    for row in rows:
        print(f"{row[0]:<28}{row[1]:>7}{row[2]:>10}{row[3]:>26}{row[4]:>14}{row[5]:>8}{row[6]:>8}")


if __name__ == "__main__":
    raise SystemExit(main())
