"""Comparisons as plain text."""

from collections.abc import Iterable

from harness_dsl.history.comparison import Comparison, Located, Status
from harness_dsl.ir.diff import Bump, Diff

WIDEST = 160


def text(comparisons: Iterable[Comparison]) -> str:
    """A paragraph for each harness, under its path."""
    blocks = []
    for comparison in comparisons:
        body = one(comparison)
        indented = "\n".join(f"  {line}" if line else "" for line in body.split("\n"))
        blocks.append(f"{comparison.path}\n{indented}")
    return "\n\n".join(blocks) if blocks else "no harness differs"


def one(comparison: Comparison) -> str:
    """The edits, the classes, and what the version must say."""
    moved = [f"moved here from {comparison.was}"] if comparison.was else []
    if comparison.found is None:
        return "\n".join([*moved, comparison.about or str(comparison.status)])
    if comparison.status == Status.SAME:
        return "\n".join([*moved, "no edits: the two mean the same and look the same"])
    lines = moved
    for located in comparison.edits:
        lines += _edit(located)
    found = comparison.found
    lines += ["", f"overall: contract {found.contract}, behaviour {found.behaviour}"]
    lines.append(verdict(comparison))
    return "\n".join(lines)


def _edit(located: Located) -> list[str]:
    edit = located.edit
    places = f"{located.old or '—'} → {located.new or '—'}"
    lines = [
        f"{edit.id}: {edit.what}",
        f"  contract {edit.contract}, behaviour {edit.behaviour}    {places}",
    ]
    if located.coverage is not None:
        lines.append(f"  {located.coverage} what the model was trained on")
    if edit.before is not None:
        lines.append(f"  - {short(edit.before)}")
    if edit.after is not None:
        lines.append(f"  + {short(edit.after)}")
    return lines


def short(value: str, widest: int = WIDEST) -> str:
    """`value` on one line."""
    line = value.replace("\n", "⏎")
    return line if len(line) <= widest else line[: widest - 1] + "…"


def verdict(comparison: Comparison) -> str:
    """What the version line must say, and what it says."""
    assert comparison.found is not None
    old, new = comparison.versions
    said = [f"version {old} → {new}: {_step(comparison.found, old, new)}"]
    if comparison.unacknowledged:
        said.append(f"to be acknowledged: {', '.join(sorted(comparison.unacknowledged))}")
    elif comparison.found.verdict.acknowledge:
        said.append("what is narrowed or touches safety is acknowledged")
    if comparison.found.verdict.evaluate:
        said.append("it has to be evaluated on the model")
    return "; ".join(said)


def _step(found: Diff, old: str, new: str) -> str:
    needed = found.verdict.needed
    if needed == Bump.NONE:
        return "no step is needed"
    step = f"a {needed} step is needed, "
    if found.verdict.version_suffices:
        return step + f"and {found.verdict.declared} is declared"
    if old == new:
        return step + "but the version is the same"
    declared = found.verdict.declared
    return step + ("but it moved otherwise" if declared == Bump.OTHER else f"but {declared} is declared")
