"""What became of one harness between two states."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from harness_dsl.diagnostics import Span
from harness_dsl.diagnostics.lines import Lines
from harness_dsl.history.acknowledgement import VersionLine, version_line
from harness_dsl.history.coverage import Label, label
from harness_dsl.ir.diff import Behaviour, Contract, Diff, Edit, diff, needed_bump
from harness_dsl.syntax.opening import Opened


class Status(StrEnum):
    """`BROKEN`: one of the two states has mistakes, so that no edit can be named."""

    SAME = "same"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    BROKEN = "broken"


@dataclass(frozen=True)
class Located:
    """An edit with the places of its symbol, `path:line`, where it has them, and its coverage where a
    manifest tells."""

    edit: Edit
    old: str | None
    new: str | None
    coverage: Label | None = None


@dataclass(frozen=True)
class Comparison:
    """`path`: how the harness is called; `was`: how it was called, where that differs. `about`: one sentence,
    for a status without edits. `edits`: the most severe first, then by id.
    """

    path: str
    status: Status
    was: str | None = None
    about: str = ""
    edits: tuple[Located, ...] = ()
    found: Diff | None = None
    versions: tuple[str, str] = ("", "")
    acknowledged: frozenset[str] = frozenset()
    version_line: VersionLine | None = None

    @property
    def unacknowledged(self) -> frozenset[str]:
        """Classes of edits that the version line has to name and does not."""
        return frozenset() if self.found is None else to_acknowledge(self.found) - self.acknowledged


def compare(
    path: str,
    old: Opened,
    new: Opened,
    was: str | None = None,
    operators: Mapping[str, int] | Label | None = None,
) -> Comparison:
    """The edits from `old` to `new`. `operators`: rows by operator, from the manifest of a training run; or
    the label of every edit, where there is none.
    """
    found = diff(old.core, old.surface, new.core, new.surface)
    one, other = _Places(old), _Places(new)
    located = [
        Located(
            edit,
            one.of(_old_id(edit)) if edit.what != "added" else None,
            other.of(edit.id) if edit.what != "removed" else None,
            operators
            if operators is None or isinstance(operators, Label)
            else label(edit, old.core, operators),
        )
        for edit in found.edits
    ]
    located.sort(key=lambda one: severity(one.edit), reverse=True)
    before, after = _header(old), _header(new)
    # What was said for an earlier edit does not hold for this one.
    fresh = [said for said in after.said if said not in before.said]
    return Comparison(
        path,
        Status.CHANGED if located or old.core.version != new.core.version else Status.SAME,
        was=was,
        edits=tuple(located),
        found=found,
        versions=(old.core.version, new.core.version),
        acknowledged=frozenset().union(*(said.classes for said in fresh)),
        version_line=after,
    )


def severity(edit: Edit) -> tuple[int, int, int]:
    """The step of the version that the edit asks for, then its classes."""
    return needed_bump(edit.contract, edit.behaviour), edit.behaviour, edit.contract


def to_acknowledge(found: Diff) -> frozenset[str]:
    """Of `narrowing` and `safety`, what the edits are."""
    classes = {"narrowing"} if found.contract == Contract.NARROWING else set()
    return frozenset(classes | ({"safety"} if found.behaviour == Behaviour.SAFETY else set()))


def _header(opened: Opened) -> VersionLine:
    return version_line(opened.files.get(opened.path, ""), opened.path)


def _old_id(edit: Edit) -> str:
    """A renamed symbol has its old id in `before`."""
    renamed = edit.what == "id moved" or edit.what.startswith("renamed")
    return edit.before if renamed and edit.before else edit.id


class _Places:
    """Where the symbols of one state stand."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._lines: dict[str, Lines] = {}

    def of(self, id_: str) -> str | None:
        """`path:line` of `id_`, or of the nearest symbol around it; None in compiled JSON."""
        if id_ == "harness" and self._opened.path in self._opened.files:
            return self._at(_header(self._opened).version)
        while id_ not in self._opened.spans:
            id_, slash, _ = id_.rpartition("/")
            if not slash:
                return None
        return self._at(self._opened.spans[id_])

    def _at(self, span: Span) -> str:
        if span.path not in self._lines:
            self._lines[span.path] = Lines(self._opened.files[span.path])
        return f"{span.path}:{self._lines[span.path].place(span.start).line}"
