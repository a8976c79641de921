"""Say what an edit of a harness changes: each symbol, on both axes, and what the version must say about it.

Contract: none < widening < narrowing. Behaviour: none < surface < wording < capability < policy < safety.
Exit status 0, whatever the edits are; 1 when a file has errors.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from harness_dsl.cli.main import fail

if TYPE_CHECKING:
    import argparse

    from harness_dsl.diagnostics.lines import Place
    from harness_dsl.ir.diff import Diff, Edit
    from harness_dsl.syntax.opening import Opened


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="A", help="a harness file, or the JSON that `harnessc compile` writes")
    parser.add_argument("new", metavar="B", help="the same after the edit")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how edits are printed")


def place_of(opened: Opened, id_: str) -> Place | None:
    """Where `id_`, or the nearest symbol around it, is declared; None in compiled JSON."""
    from harness_dsl.diagnostics.lines import Lines

    while id_ not in opened.spans:
        id_, slash, _ = id_.rpartition("/")
        if not slash:
            return None
    span = opened.spans[id_]
    return Lines(opened.files[span.path]).place(span.start)


def run(options: argparse.Namespace) -> int:
    from harness_dsl.ir.diff import diff
    from harness_dsl.syntax.opening import HarnessFileError, open_harness

    try:
        old, new = open_harness(options.old), open_harness(options.new)
    except HarnessFileError as error:
        if error.status == 2:
            return fail(str(error))
        print(error, file=sys.stderr)
        return error.status
    found = diff(old.core, old.surface, new.core, new.surface)
    if options.format == "json":
        print(json.dumps(_data(found, old, new), ensure_ascii=False, indent=2))
    else:
        print(_text(found, old, new))
    return 0


def _places(edit: Edit, old: Opened, new: Opened) -> tuple[Place | None, Place | None]:
    """Where the symbol stands in the old and in the new file. A renamed one has its old id in `before`."""
    renamed = edit.what == "id moved" or edit.what.startswith("renamed")
    before = (
        place_of(old, edit.before if renamed and edit.before else edit.id) if edit.what != "added" else None
    )
    after = place_of(new, edit.id) if edit.what != "removed" else None
    return before, after


def _text(found: Diff, old: Opened, new: Opened) -> str:
    if not found.edits:
        return "no edits: the two mean the same and look the same"
    lines = []
    for edit in found.edits:
        places = [
            f"{side.path}:{place.line}" if place else "—"
            for side, place in zip((old, new), _places(edit, old, new), strict=True)
        ]
        lines.append(f"{edit.id}: {edit.what}")
        lines.append(f"  contract {edit.contract}, behaviour {edit.behaviour}    {places[0]} → {places[1]}")
        if edit.before is not None:
            lines.append(f"  - {_short(edit.before)}")
        if edit.after is not None:
            lines.append(f"  + {_short(edit.after)}")
    lines.append("")
    lines.append(f"overall: contract {found.contract}, behaviour {found.behaviour}")
    lines.append(_verdict(found, old.core.version, new.core.version))
    return "\n".join(lines)


def _short(value: str) -> str:
    one_line = value.replace("\n", "⏎")
    return one_line if len(one_line) <= 160 else one_line[:159] + "…"


def _verdict(found: Diff, old: str, new: str) -> str:
    verdict = found.verdict
    said = [f"version {old} → {new}: a {verdict.needed} step is needed"]
    if str(verdict.needed) == "none":
        said = [f"version {old} → {new}: no step is needed"]
    elif verdict.version_suffices:
        said.append(f"and {verdict.declared} is declared")
    else:
        said.append(f"but {verdict.declared} is declared" if old != new else "but the version is the same")
    if verdict.acknowledge:
        said.append("; the edit has to be acknowledged")
    if verdict.evaluate:
        said.append("; it has to be evaluated on the model")
    return ", ".join(said).replace(", ;", ";")


def _data(found: Diff, old: Opened, new: Opened) -> dict[str, Any]:
    edits = []
    for edit in found.edits:
        before, after = _places(edit, old, new)
        edits.append(
            {
                "id": edit.id,
                "what": edit.what,
                "contract": str(edit.contract),
                "behaviour": str(edit.behaviour),
                "before": edit.before,
                "after": edit.after,
                "old_line": before.line if before else None,
                "new_line": after.line if after else None,
            }
        )
    verdict = found.verdict
    return {
        "old": old.path,
        "new": new.path,
        "edits": edits,
        "contract": str(found.contract),
        "behaviour": str(found.behaviour),
        "verdict": {
            "needed": str(verdict.needed),
            "declared": str(verdict.declared),
            "version_suffices": verdict.version_suffices,
            "acknowledge": verdict.acknowledge,
            "evaluate": verdict.evaluate,
        },
    }
