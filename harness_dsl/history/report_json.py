"""Comparisons as JSON data."""

from collections.abc import Iterable
from typing import Any

from harness_dsl.history.comparison import Comparison, Located
from harness_dsl.history.coverage import Label
from harness_dsl.history.hints import hints
from harness_dsl.history.precedence import went_back
from harness_dsl.history.rule import findings


def data(comparisons: Iterable[Comparison]) -> dict[str, Any]:
    """Every harness under `files`."""
    return {"files": [one(comparison) for comparison in comparisons]}


def one(comparison: Comparison) -> dict[str, Any]:
    """One harness. Without edits to name, `about` says why.

    `allowed` is what `guard` says of the version; `version_suffices` counts the patch step, too, that it only
    notes.
    """
    document: dict[str, Any] = {
        "path": comparison.path,
        "was": comparison.was,
        "status": str(comparison.status),
        "about": comparison.about,
    }
    found = comparison.found
    if found is None:
        return document
    verdict = found.verdict
    return document | {
        "old_version": comparison.versions[0],
        "new_version": comparison.versions[1],
        "edits": [_edit(located) for located in comparison.edits],
        "contract": str(found.contract),
        "behaviour": str(found.behaviour),
        "hints": hints(comparison),
        "verdict": {
            "needed": str(verdict.needed),
            "declared": str(verdict.declared),
            "version_suffices": verdict.version_suffices,
            "went_back": went_back(*comparison.versions),
            "acknowledge": verdict.acknowledge,
            "acknowledged": sorted(comparison.acknowledged),
            "allowed": not findings(comparison),
            "evaluate": verdict.evaluate,
        },
    }


def _edit(located: Located) -> dict[str, Any]:
    edit = located.edit
    return {
        "id": edit.id,
        "what": edit.what,
        "contract": str(edit.contract),
        "behaviour": str(edit.behaviour),
        "coverage": str(located.coverage or Label.UNKNOWN),
        "before": edit.before,
        "after": edit.after,
        "old_place": located.old,
        "new_place": located.new,
        "old_line": _line(located.old),
        "new_line": _line(located.new),
    }


def _line(place: str | None) -> int | None:
    return None if place is None else int(place.rpartition(":")[2])
