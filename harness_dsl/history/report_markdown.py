"""Comparisons as Markdown, for the description of a pull request."""

import re
from collections.abc import Iterable

from harness_dsl.history.comparison import Comparison, Located, Status
from harness_dsl.history.report_text import short, verdict

WIDEST = 80


def markdown(comparisons: Iterable[Comparison]) -> str:
    """A heading and a table for each harness that changed."""
    shown = [_one(comparison) for comparison in comparisons]
    return "\n\n".join(shown) if shown else "No harness differs."


def _one(comparison: Comparison) -> str:
    head = f"### {_code(comparison.path)}"
    if comparison.was:
        head += f" (was {_code(comparison.was)})"
    if comparison.found is None:
        return f"{head}\n\n{_plain(comparison.about or str(comparison.status))}"
    if comparison.status == Status.SAME:
        return f"{head}\n\nNo edits: the two mean the same and look the same."
    found = comparison.found
    said = f"**contract {found.contract}, behaviour {found.behaviour}** — {_plain(verdict(comparison))}"
    return f"{head}\n\n{said}\n\n{_table(comparison.edits)}" if comparison.edits else f"{head}\n\n{said}"


def _table(edits: tuple[Located, ...]) -> str:
    covered = any(located.coverage is not None for located in edits)
    columns = ["symbol", "edit", "contract", "behaviour", "old", "new", *(["trained"] if covered else [])]
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    for located in edits:
        edit = located.edit
        cells = [_code(edit.id), _what(located), str(edit.contract), str(edit.behaviour)]
        cells += [_code(place) if place else "—" for place in (located.old, located.new)]
        cells += [str(located.coverage or "—")] if covered else []
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _what(located: Located) -> str:
    edit = located.edit
    values = [_code(short(value, WIDEST)) for value in (edit.before, edit.after) if value]
    return _plain(edit.what) + (f": {' → '.join(values)}" if values else "")


def _code(value: str) -> str:
    """`value` as code that cannot leave its cell: fenced by more backticks than it holds, `|` escaped."""
    ticks = "`" * (max((len(run) for run in re.findall("`+", value)), default=0) + 1)
    pad = " " if value.startswith("`") or value.endswith("`") else ""
    line = " ".join(value.split("\n")).replace("|", "\\|")
    return f"{ticks}{pad}{line}{pad}{ticks}"


def _plain(value: str) -> str:
    """`value` as text that is no markup."""
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", " ".join(value.split("\n")))
