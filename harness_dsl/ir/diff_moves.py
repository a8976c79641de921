"""Ids that changed while the symbol stayed: declared by `moved`, or found by similarity."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from itertools import product
from typing import Any, NamedTuple

from harness_dsl.ir.canonical import sorted_core
from harness_dsl.ir.core import Core
from harness_dsl.ir.diff_table import Entry, Table
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.verify_ids import declared_ids

ALIKE = 0.75
"""From this share of equal text on, a removed and an added symbol are taken for one that was renamed."""

LEAST = 24
"""Descriptions with fewer characters say too little to compare."""

_ID_KEYS = frozenset({"id", "target", "type", "input", "limit", "tool", "skill", "section", "other"})
_NO_IDS = frozenset({"default", "arguments", "moved", "implementation", "implementations"})
"""Keys whose values are data of the author's, or ids of another time."""


class Likeness(NamedTuple):
    """`old` was removed, `new` added, and they read alike to the degree `score` (0 to 1). `changed`: what is
    another in `new` and what lies under it, as a phrase each."""

    old: Entry
    new: Entry
    score: float
    changed: tuple[str, ...]


def moves(old: Core, new: Core) -> dict[SemanticId, SemanticId]:
    """Old id → new id, by the `moved` lines of `new`, followed through: from ids that only `old` declares to
    ids that only `new` declares."""
    before, after = set(declared_ids(old)), set(declared_ids(new))
    return {
        start: end for start, end in _ends(new).items() if start in before - after and end in after - before
    }


def forgotten(old: Core, new: Core) -> Iterator[tuple[SemanticId, SemanticId]]:
    """(id that `new` still declares, former id) for each `moved` line of `old` that `new` no longer follows:
    who has the state before that line can no longer be told that the two are one."""
    present, known, followed = set(declared_ids(new)), _ends(new), moves(old, new)
    for start, end in _ends(old).items():
        now = _follow(end, followed)
        if now in present and now not in (start, known.get(start)):
            yield now, start


def _ends(core: Core) -> dict[SemanticId, SemanticId]:
    """Where each former id of `core` has come to; not for one that went in a circle."""
    steps = {moved.old: moved.new for moved in core.moved}
    found: dict[SemanticId, SemanticId] = {}
    for start in steps:
        at, seen = steps[start], {start}
        while at in steps and at not in seen:
            seen.add(at)
            at = steps[at]
        if at not in seen:
            found[start] = at
    return found


def moved_core(core: Core, to: Mapping[SemanticId, SemanticId]) -> Core:
    """`core` as if its symbols had the ids `to` from the beginning."""
    return sorted_core(Core.model_validate(_renamed(core.model_dump(), to))) if to else core


def moved_surface(surface: Surface, to: Mapping[SemanticId, SemanticId]) -> Surface:
    """`surface` for `moved_core`: symbols are shown under the names they had, defaults too."""
    if not to:
        return surface
    kept = {old: surface.names.get(old) or leaf(old) for old in to}
    wordings = {
        _follow(id_, to): _renamed(parts, to) for id_, parts in surface.model_dump()["wordings"].items()
    }
    changed = {
        "names": {_follow(id_, to): name for id_, name in (surface.names | kept).items()},
        "wordings": wordings,
        "orders": {
            _follow(key, to): [_follow(id_, to) for id_ in order] for key, order in surface.orders.items()
        },
        "hidden": [_follow(id_, to) for id_ in surface.hidden],
        "implementations": {_follow(id_, to): index for id_, index in surface.implementations.items()},
        "feedback": {_follow(id_, to): form for id_, form in surface.feedback.items()},
        "layouts": {_follow(id_, to): layout for id_, layout in surface.layouts.items()},
        "unsaid": [_follow(id_, to) for id_ in surface.unsaid],
    }
    return Surface.model_validate(surface.model_dump() | changed)


def _renamed(value: Any, to: Mapping[SemanticId, SemanticId]) -> Any:
    match value:
        case dict():
            return {key: _field(key, entry, to) for key, entry in value.items()}
        case list() | tuple():
            return [_renamed(entry, to) for entry in value]
        case _:
            return value


def _field(key: str, value: Any, to: Mapping[SemanticId, SemanticId]) -> Any:
    if key in _ID_KEYS and isinstance(value, str):
        return _follow(value, to)
    if key == "uses":
        return [_follow(id_, to) for id_ in value]
    if key == "declared_names":
        return sorted((_follow(id_, to), names) for id_, names in value)
    if key in _NO_IDS:
        return value
    return _renamed(value, to)


def _follow(id_: SemanticId, to: Mapping[SemanticId, SemanticId]) -> SemanticId:
    """`id_` itself or by its nearest owner that moved."""
    owner = id_
    while owner:
        if owner in to:
            return to[owner] + id_[len(owner) :]
        owner = owner.rpartition("/")[0]
    return id_


def alike(removed: Iterable[Entry], added: Iterable[Entry], old: Table, new: Table) -> list[Likeness]:
    """Pairs of a removed and an added symbol of one kind and owner that read alike; best first, each once."""
    gone = [(entry, _described(entry, old)) for entry in removed if not _numbered(entry)]
    come = [(entry, _described(entry, new)) for entry in added if not _numbered(entry)]
    scored: list[tuple[float, Entry, Entry]] = []
    for (one, text), (other, changed) in product(gone, come):
        if (one.kind, one.owner) != (other.kind, other.owner) or min(len(text), len(changed)) < LEAST:
            continue
        matcher = SequenceMatcher(None, text, changed, autojunk=False)
        if (
            matcher.real_quick_ratio() >= ALIKE
            and matcher.quick_ratio() >= ALIKE
            and matcher.ratio() >= ALIKE
        ):
            scored.append((matcher.ratio(), one, other))
    found: list[Likeness] = []
    taken: set[SemanticId] = set()
    for score, one, other in sorted(scored, key=lambda pair: (-pair[0], pair[1].id, pair[2].id)):
        if one.id not in taken and other.id not in taken:
            taken |= {one.id, other.id}
            found.append(Likeness(one, other, score, tuple(_changed(one, other, old, new))))
    return found


def _numbered(entry: Entry) -> bool:
    """Ordered items are told apart by position alone."""
    return entry.kind in ("step", "rule") and leaf(entry.id).isdigit()


def _described(entry: Entry, entries: Table) -> str:
    """What there is to say of a symbol and of what lies under it, without any shown name. What all symbols
    of the kind share says nothing: the words for what is off, absent or empty."""
    lines = []
    for id_ in sorted(id_ for id_ in entries if id_ == entry.id or id_.startswith(f"{entry.id}/")):
        lines += [aspect.show(aspect.value) for _, aspect in _telling(entries[id_]) if aspect.value]
    return "\n".join(lines)


def _telling(entry: Entry) -> list[tuple[str, Any]]:
    shown = ("shown name", "shown order", "acceptable names", "chosen wording", "alternatives")
    return [(name, aspect) for name, aspect in entry.aspects.items() if name not in shown]


def _changed(one: Entry, other: Entry, old: Table, new: Table) -> Iterator[str]:
    before, after = _parts(one, old), _parts(other, new)
    for name in sorted(before.keys() | after.keys()):
        label = name.lstrip("/")
        if name not in after or name not in before:
            yield f"{label} {'removed' if name in before else 'added'}"
            continue
        told = dict(_telling(before[name])), dict(_telling(after[name]))
        for aspect in told[0]:
            if aspect in told[1] and told[0][aspect].value != told[1][aspect].value:
                yield f"{label} {aspect}".strip()


def _parts(entry: Entry, entries: Table) -> dict[str, Entry]:
    """`entry` and what lies under it, by the rest of the id."""
    return {
        id_[len(entry.id) :]: part
        for id_, part in entries.items()
        if id_ == entry.id or id_.startswith(f"{entry.id}/")
    }
