"""Results of tests as one JSON document."""

from collections.abc import Sequence
from typing import Any

from runtime.testing.events import Outcome, Plan
from runtime.testing.results import FileResults


def document(plan: Plan, files: Sequence[FileResults], note: str) -> dict[str, Any]:
    """The document. `tests` has one entry for each test and row; `variant` is null for the harness itself."""
    return {
        "engine": plan.engine,
        "model": plan.model,
        "note": note,
        "seed": plan.seed,
        "variants": plan.variants,
        "passed": sum(file.passed for file in files),
        "files": [_file(file) for file in files],
        "tests": [_test(file, outcome) for file in files for outcome in file.outcomes],
    }


def _file(file: FileResults) -> dict[str, Any]:
    return {
        "path": file.path,
        "harness": file.harness,
        "error": None if file.failed is None else file.failed.message,
        "shown": [
            {"variant": row, "core_digest": shown.core, "surface_digest": shown.surface}
            for row, shown in file.shown.items()
        ],
    }


def _test(file: FileResults, outcome: Outcome) -> dict[str, Any]:
    return {
        "file": file.path,
        "variant": outcome.row,
        "id": outcome.test.id,
        "title": outcome.test.title,
        "passed": outcome.passed,
        "problems": list(outcome.problems),
        "reply": outcome.reply,
        "milliseconds": round(outcome.seconds * 1000, 1),
    }
