"""What the author may have meant by an edit, and how to say so."""

from harness_dsl.history.comparison import Comparison
from harness_dsl.ir.ids import unsegment

_ROLES = frozenset({"param", "field", "step", "section"})


def hints(comparison: Comparison) -> list[str]:
    """A sentence for each symbol that looks renamed and does not say that it is, or no longer says it."""
    said = []
    for edit in (located.edit for located in comparison.edits):
        forgotten = edit.what == "former id forgotten"
        if edit.before is None or not (forgotten or edit.what.startswith("renamed, by similarity")):
            continue
        old, new = _path(edit.before), _path(edit.id)
        if old is None or new is None:
            continue
        line = f"`moved {old} -> {new}`"
        said.append(
            f"{line} is gone: keep it, for whoever still has `{edit.before}`"
            if forgotten
            else f"if `{edit.before}` was renamed, write {line}, and it is followed"
        )
    return said


def _path(id_: str) -> str | None:
    """How a `moved` line names `id_`; None where that takes more than names."""
    kind, *rest = map(unsegment, id_.split("/"))
    if kind == "prompt":
        kind, rest = "section", rest[2:]
    words = [rest[0], *(word for word in rest[1:] if word not in _ROLES)] if rest else []
    if not words or not all(word.isidentifier() for word in words):
        return None
    return ".".join(["limits" if kind == "limit" else kind, *words])
