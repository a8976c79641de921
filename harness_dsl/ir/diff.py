"""What changed between two harnesses, classified on two total orders, and what the version must say about it.

The class of a chain of edits is at most the maximum of its steps, and equal to it where the steps touch
different symbols. Nothing here knows positions; who has source lines adds them by the id of the edit.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import NamedTuple

from harness_dsl.ir.core import Core
from harness_dsl.ir.diff_levels import NARROWER, NOTHING, Behaviour, Contract, Level
from harness_dsl.ir.diff_moves import Likeness, alike, forgotten, moved_core, moved_surface, moves
from harness_dsl.ir.diff_table import Entry, Table, table
from harness_dsl.ir.ids import SemanticId, kind
from harness_dsl.ir.surface import Surface

NAMED = 4
"""So many changes of a renamed symbol are named; the others are counted."""

__all__ = ["Behaviour", "Bump", "Contract", "Diff", "Edit", "Verdict", "bump", "diff", "needed_bump"]


@dataclass(frozen=True)
class Edit:
    """One change. `id`: the symbol in the new harness, or in the old one if it is gone.

    `what`: a phrase such as `added`, `removed`, `effect changed`. `before`, `after`: the two values as an
    author writes them; None: absent.
    """

    id: SemanticId
    what: str
    contract: Contract
    behaviour: Behaviour
    before: str | None
    after: str | None


class Bump(IntEnum):
    """How far a version moved, or must move. `OTHER`: backwards, or not by the three numbers of a version."""

    OTHER = -1
    NONE = 0
    PATCH = 1
    MINOR = 2
    MAJOR = 3

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Verdict:
    """What the version line must say.

    needed       the least bump for these edits
    declared     the bump that the two versions make
    acknowledge  the author must say besides that the change is meant: it narrows or touches safety
    evaluate     reworded text is claimed to mean the same, and that claim needs an evaluation
    """

    needed: Bump
    declared: Bump
    acknowledge: bool
    evaluate: bool

    @property
    def version_suffices(self) -> bool:
        return self.needed == Bump.NONE or self.declared >= self.needed

    def allowed(self, acknowledged: bool = False) -> bool:
        """Whether the version line covers the edits."""
        return self.version_suffices and (acknowledged or not self.acknowledge)


class Diff(NamedTuple):
    """`contract` and `behaviour` are the maxima over the edits."""

    edits: tuple[Edit, ...]
    contract: Contract
    behaviour: Behaviour
    verdict: Verdict


def diff(old_core: Core, old_surface: Surface, new_core: Core, new_surface: Surface) -> Diff:
    """Every edit from the old harness to the new one, by id. Both Cores must be valid.

    Ids that the new Core declares as `moved` are followed. A removed and an added symbol that read alike are
    shown as one edit, renamed by similarity; it is classed as the removal and the addition that it also is.
    """
    followed = moves(old_core, new_core)
    old = table(moved_core(old_core, followed), moved_surface(old_surface, followed))
    new = table(new_core, new_surface)
    edits = [*_moved(followed), *_changes(old, new), *_comings(old, new)]
    edits += [_forgotten(*pair, old, new) for pair in forgotten(old_core, new_core)]
    level = NOTHING
    for edit in edits:
        level = level.join(Level(edit.contract, edit.behaviour))
    ordered = tuple(sorted(edits, key=lambda edit: (edit.id, edit.what)))
    return Diff(ordered, *level, _verdict(level, old_core.version, new_core.version))


def _edit(id_: SemanticId, what: str, level: Level, before: str | None, after: str | None) -> Edit:
    return Edit(id_, what, level.contract, level.behaviour, before, after)


def _moved(followed: dict[SemanticId, SemanticId]) -> Iterator[Edit]:
    """An id alone is nobody's business, except where values are keyed by it."""
    keyed = Level(contract=Contract.NARROWING)
    for before, after in followed.items():
        level = keyed if kind(after) in ("param", "field", "value", "input") else NOTHING
        yield _edit(after, "id moved", level, before, after)


def _forgotten(id_: SemanticId, former: SemanticId, old: Table, new: Table) -> Edit:
    """Without its `moved` line, the former symbol is one that was removed, and this one was added."""
    level = old[id_].removed.join(_come(new[id_], old, new).added)
    if kind(id_) == "value":  # an enum value comes and goes with its type
        level = level.join(NARROWER)
    return _edit(id_, "former id forgotten", level, former, None)


def _changes(old: Table, new: Table) -> Iterator[Edit]:
    for id_ in old.keys() & new.keys():
        before, after = old[id_].aspects, new[id_].aspects
        for name in before.keys() & after.keys():
            one, other = before[name], after[name]
            if one.value == other.value and type(one.value) is type(other.value):
                continue
            level = other.judge(one.value, other.value)
            if level is not None:
                yield _edit(id_, f"{name} changed", level, one.show(one.value), other.show(other.value))


def _comings(old: Table, new: Table) -> Iterator[Edit]:
    """Symbols added and removed, those that read alike as one edit."""
    removed = list(_only(old, new))
    added = [_come(entry, old, new) for entry in _only(new, old)]
    pairs = alike(removed, added, old, new)
    paired = {entry.id for pair in pairs for entry in (pair.old, pair.new)}
    yield from map(_renamed, pairs)
    for entry in removed:
        if entry.id not in paired:
            yield _edit(entry.id, "removed", entry.removed, entry.title, None)
    for entry in added:
        if entry.id not in paired:
            yield _edit(entry.id, "added", entry.added, None, entry.title)


def _only(one: Table, other: Table) -> Iterator[Entry]:
    """Symbols that only `one` has and whose owner both have: the rest comes and goes with its owner."""
    for id_, entry in one.items():
        if id_ in other or entry.silent:
            continue
        if entry.owner is None or entry.owner in other:
            yield entry


def _come(entry: Entry, old: Table, new: Table) -> Entry:
    """`entry`, judged as a required field where values of its record are passed in, before and after."""
    if entry.at_call is None or entry.owner is None:
        return entry
    at_call = old[entry.owner].sites.passed & new[entry.owner].sites.passed
    return replace(entry, added=entry.at_call) if at_call else entry


def _renamed(pair: Likeness) -> Edit:
    more = [f"{len(pair.changed) - NAMED} more"] if len(pair.changed) > NAMED else []
    also = f"; changed with it: {', '.join([*pair.changed[:NAMED], *more])}" if pair.changed else ""
    what = f"renamed, by similarity ({int(pair.score * 100)} %){also}"
    return _edit(pair.new.id, what, pair.old.removed.join(pair.new.added), pair.old.id, pair.new.id)


def needed_bump(contract: Contract, behaviour: Behaviour) -> Bump:
    """The least version bump for edits of that class."""
    if contract == Contract.NARROWING or behaviour == Behaviour.SAFETY:
        return Bump.MAJOR
    if contract == Contract.WIDENING or behaviour >= Behaviour.CAPABILITY:
        return Bump.MINOR
    return Bump.PATCH if behaviour >= Behaviour.SURFACE else Bump.NONE


_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:[-+].*)?")


def bump(old: str, new: str) -> Bump:
    """How far the version moved from `old` to `new`."""
    before, after = _VERSION.fullmatch(old), _VERSION.fullmatch(new)
    if old == new:
        return Bump.NONE
    if before is None or after is None:
        return Bump.OTHER
    numbers = [(int(one), int(other)) for one, other in zip(before.groups(), after.groups(), strict=True)]
    for step, (one, other) in zip((Bump.MAJOR, Bump.MINOR, Bump.PATCH), numbers, strict=True):
        if one != other:
            return step if other > one else Bump.OTHER
    return Bump.OTHER


def _verdict(level: Level, old_version: str, new_version: str) -> Verdict:
    needed = needed_bump(*level)
    return Verdict(
        needed=needed,
        declared=bump(old_version, new_version),
        acknowledge=needed == Bump.MAJOR,
        evaluate=level.behaviour >= Behaviour.WORDING,
    )
