"""Comparisons as Markdown, for the description of a pull request."""

import re
from collections.abc import Iterable

from harness_dsl.history.comparison import Comparison, Located, Status
from harness_dsl.history.coverage import Label
from harness_dsl.history.hints import hints
from harness_dsl.history.report_text import counted, short, total, verdict
from harness_dsl.history.rule import asks
from harness_dsl.ir.diff import Behaviour, Bump, Contract

WIDEST = 80

FOLDED = 4
"""From so many edits on, those that ask for little are folded away."""


def markdown(comparisons: Iterable[Comparison]) -> str:
    """A heading and a table for each harness that changed; the edits that ask for most first."""
    compared = list(comparisons)
    shown = [_one(comparison) for comparison in compared]
    if len(compared) > 1:
        shown.insert(0, f"{plain(total(compared))}.")
    return "\n\n".join(shown) if shown else "No harness differs."


def _one(comparison: Comparison) -> str:
    head = f"### {code(comparison.path)}"
    if comparison.was:
        head += f" (was {code(comparison.was)})"
    if comparison.found is None:
        return f"{head}\n\n{_about(comparison)}"
    if comparison.status == Status.SAME:
        return f"{head}\n\nNo edits: the two mean the same and look the same."
    found = comparison.found
    classes = f"{counted(comparison.edits)}: contract {found.contract}, behaviour {found.behaviour}"
    said = f"**{classes}** — {plain(verdict(comparison))}"
    said += "".join(f"\n\n{prose(hint)}" for hint in hints(comparison))
    return f"{head}\n\n{said}\n\n{_tables(comparison.edits)}" if comparison.edits else f"{head}\n\n{said}"


def _about(comparison: Comparison) -> str:
    """Why there are no edits to name; what the compiler says keeps its lines."""
    about = comparison.about or str(comparison.status)
    if "\n" not in about:
        return f"{plain(about[:1].upper() + about[1:])}."
    ticks = "`" * max(3, max((len(run) for run in re.findall("`+", about)), default=0) + 1)
    return f"This state has mistakes:\n\n{ticks}text\n{about}\n{ticks}"


def _tables(edits: tuple[Located, ...]) -> str:
    """What asks for a minor or major step; the rest folded away where there is much of it."""
    grave = tuple(located for located in edits if asks(located.edit, Bump.MINOR))
    slight = edits[len(grave) :]  # the most severe stand first
    if not grave or len(slight) < FOLDED:
        return _table(edits)
    summary = f"<summary>{len(slight)} edits that ask for a patch step at most</summary>"
    return f"{_table(grave)}\n\n<details>{summary}\n\n{_table(slight)}\n\n</details>"


def _table(edits: tuple[Located, ...]) -> str:
    covered = any(located.coverage is not None for located in edits)
    columns = ["symbol", "edit", "contract", "behaviour", "old", "new", *(["trained"] if covered else [])]
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    for located in edits:
        edit = located.edit
        cells = [code(edit.id), _what(located), _class(edit.contract), _class(edit.behaviour)]
        cells += [code(place) if place else "—" for place in (located.old, located.new)]
        cells += [str(located.coverage or Label.UNKNOWN)] if covered else []
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _class(level: Contract | Behaviour) -> str:
    """The classes that have to be acknowledged stand out."""
    # By identity: the two orders count alike, so that members of both may be equal.
    return f"**{level}**" if level is Contract.NARROWING or level is Behaviour.SAFETY else str(level)


def _what(located: Located) -> str:
    edit = located.edit
    values = [code(value) for value in short(edit.before, edit.after, WIDEST) if value]
    return plain(edit.what) + (f": {' → '.join(values)}" if values else "")


def code(value: str) -> str:
    """`value` as code that cannot leave its cell: fenced by more backticks than it holds, `|` escaped."""
    ticks = "`" * (max((len(run) for run in re.findall("`+", value)), default=0) + 1)
    pad = " " if value.startswith("`") or value.endswith("`") else ""
    line = " ".join(value.split("\n")).replace("|", "\\|")
    return f"{ticks}{pad}{line}{pad}{ticks}"


def prose(value: str) -> str:
    """`value`, in which what stands in backticks is code."""
    parts = re.split(r"`([^`]+)`", value)
    return "".join(code(part) if at % 2 else plain(part) for at, part in enumerate(parts))


def plain(value: str) -> str:
    """`value` as text that is no markup."""
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", " ".join(value.split("\n")))
