"""Comparisons as plain text, for a terminal: the verdict stands last, the edits that ask for most first."""

from collections import Counter
from collections.abc import Iterable

from harness_dsl.history.comparison import Comparison, Located, Status
from harness_dsl.history.coverage import Label
from harness_dsl.history.hints import hints
from harness_dsl.history.precedence import went_back
from harness_dsl.history.rule import step
from harness_dsl.ir.diff import Bump, Diff

WIDEST = 160


def text(comparisons: Iterable[Comparison]) -> str:
    """A paragraph for each harness, under its path."""
    blocks = []
    compared = list(comparisons)
    for comparison in compared:
        body = one(comparison)
        indented = "\n".join(f"  {line}" if line else "" for line in body.split("\n"))
        blocks.append(f"{comparison.path}\n{indented}")
    if len(blocks) > 1:
        blocks.append(total(compared))
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
    lines += ["", f"{counted(comparison.edits)}: contract {found.contract}, behaviour {found.behaviour}"]
    lines.append(verdict(comparison))
    lines += hints(comparison)
    return "\n".join(lines)


def total(comparisons: list[Comparison]) -> str:
    """One line about several harnesses."""
    by_step = Counter(comparison.found.verdict.needed for comparison in comparisons if comparison.found)
    said = [
        f"{by_step[needed]} need{'s' if by_step[needed] == 1 else ''} {_asked(needed)}"
        for needed in reversed(Bump)
        if by_step[needed]
    ]
    others = Counter(str(comparison.status) for comparison in comparisons if comparison.found is None)
    said += [f"{others[status]} {status}" for status in sorted(others)]
    return f"{len(comparisons)} harnesses differ: {', '.join(said)}"


def _asked(needed: Bump) -> str:
    return "no step of the version" if needed == Bump.NONE else f"a {needed} step of the version"


def counted(edits: tuple[Located, ...]) -> str:
    return f"{len(edits)} edit{'' if len(edits) == 1 else 's'}"


def _edit(located: Located) -> list[str]:
    edit = located.edit
    lines = [
        f"{edit.id}: {edit.what}",
        f"  contract {edit.contract}, behaviour {edit.behaviour}    {places(located)}".rstrip(),
    ]
    if located.coverage is not None:
        lines.append(f"  {trained(located.coverage)}")
    before, after = short(edit.before, edit.after)
    if before is not None:
        lines.append(f"  - {before}")
    if after is not None:
        lines.append(f"  + {after}")
    return lines


def trained(label: Label) -> str:
    """What `label` says, as part of a sentence."""
    if label == Label.UNKNOWN:
        return "whether the model was trained on it is unknown"
    return f"{label} what the model was trained on"


def places(located: Located) -> str:
    """Where the symbol stood and stands; the file once, where it is the same. Empty where it is in none."""
    if located.old is None or located.new is None:
        return located.new or located.old or ""
    path, _, line = located.new.rpartition(":")
    if located.old == located.new:
        return located.new
    return f"{located.old} → {line if located.old.rpartition(':')[0] == path else located.new}"


def short(before: str | None, after: str | None, widest: int = WIDEST) -> tuple[str | None, str | None]:
    """Both values on one line each, and around the first difference where they are too long."""
    lines = [None if value is None else value.replace("\n", "⏎") for value in (before, after)]
    one, other = lines
    start = 0
    if one is not None and other is not None and max(len(one), len(other)) > widest:
        start = max(0, _same_until(one, other) - widest // 3)
    cut = [None if line is None else _part(line, start, widest) for line in lines]
    return cut[0], cut[1]


def _same_until(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _part(line: str, start: int, widest: int) -> str:
    """At most `widest` characters of `line` from `start`; `…` stands for what is left out."""
    shown = line if start == 0 else "…" + line[start:]
    return shown if len(shown) <= widest else shown[: widest - 1] + "…"


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
    back = went_back(old, new)
    if needed == Bump.NONE:
        return "no step is needed, but it goes back" if back else "no step is needed"
    asked = f"a {needed} step is needed"
    if found.verdict.version_suffices:
        return f"{asked}, and {found.verdict.declared} is declared"
    asked += f", to {step(old, needed)}"
    if old == new:
        return f"{asked}, but the version is the same"
    if back:
        return f"{asked}, but it goes back"
    declared = found.verdict.declared
    return f"{asked}, but {'it moved otherwise' if declared == Bump.OTHER else f'{declared} is declared'}"
