"""A bank beside its harness: which wordings may be shown, and what is wrong with the others."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from augmentors.rewording.bank import Bank, Entry, State, Wording, key_of
from augmentors.rewording.checks import REFERENCES, refusals
from augmentors.rewording.prose import NotProse, read, spell
from harness_dsl.diagnostics import Diagnostic, did_you_mean
from harness_dsl.ir.core import Core
from harness_dsl.ir.frozen import frozen
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.texts import Template, Text
from harness_dsl.ir.walk import texts

Templates = dict[SemanticId, list[Template]]


@dataclass(frozen=True)
class Reviewed:
    """A wording as the harness reads it. `template` is None where it cannot be read."""

    wording: Wording
    key: str
    template: Template | None
    faults: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class ReviewedText:
    """The wordings of a text. `text` is None where the harness has none of that id. `fault`: why none of the
    wordings may be shown.
    """

    entry: Entry
    text: Text | None
    fault: Diagnostic | None
    wordings: tuple[Reviewed, ...] = ()

    @property
    def is_stale(self) -> bool:
        """Whether the text has changed since its wordings were made."""
        return self.fault is not None and self.fault.code == "HD721"


@dataclass(frozen=True)
class Review:
    """`texts` by the ids that the harness has now; those that it has not, by the id in the bank. `doubled`:
    entries of a text that has another one.
    """

    bank: Bank
    texts: dict[SemanticId, ReviewedText] = field(default_factory=dict)
    doubled: tuple[Diagnostic, ...] = ()

    def faults(self, states: frozenset[State]) -> Iterator[Diagnostic]:
        """What keeps the bank from being used with wordings of `states`, in the order of the file."""
        yield from self.bank.faults
        yield from self.doubled
        for reviewed in self.texts.values():
            used = [one for one in reviewed.wordings if one.wording.state in states]
            if reviewed.fault is not None:
                if used or reviewed.text is None:
                    yield reviewed.fault
                continue
            for one in used:
                yield from one.faults

    def usable(self, states: frozenset[State]) -> Templates:
        """By text, the wordings of `states` that nothing speaks against."""
        found: Templates = {}
        for id_, reviewed in self.texts.items():
            for one in reviewed.wordings if reviewed.fault is None else ():
                if one.wording.state in states and one.template is not None and not one.faults:
                    found.setdefault(id_, []).append(one.template)
        return found


def review(bank: Bank, core: Core, before: Templates | None = None) -> Review:
    """Looks at every wording of `bank` that is not rejected. `before`: wordings of other banks."""
    known = {text.id: text for text in texts(core)}
    found: dict[SemanticId, ReviewedText] = {}
    doubled = []
    for entry in bank.entries.values():
        id_ = _present(entry.id, known, core)
        if id_ in found:
            doubled.append(_twice(entry))
            continue
        text = known.get(id_)
        fault = _fault(entry, text, core)
        if text is None or fault is not None:
            found[id_] = ReviewedText(entry, text, fault, _unread(entry, id_))
            continue
        found[id_] = ReviewedText(
            entry, text, None, _reviewed(entry, text, core, (before or {}).get(id_, []))
        )
    return Review(bank, found, tuple(doubled))


def _present(id_: SemanticId, known: dict[SemanticId, Text], core: Core) -> SemanticId:
    """`id_`, or the id that it has come to by `moved` lines."""
    if id_ in known:
        return id_
    for moved in core.moved:
        if id_ == moved.old or id_.startswith(f"{moved.old}/"):
            return moved.new + id_[len(moved.old) :]
    return id_


def _fault(entry: Entry, text: Text | None, core: Core) -> Diagnostic | None:
    if text is None:
        close = did_you_mean(entry.id, [one.id for one in texts(core)])
        help_ = f"Use the id of a text, or remove it{f'; {close}' if close else '.'}"
        return Diagnostic("HD722", f"the harness has no text `{entry.id}`", entry.at, help_)
    if frozen(core).wording(text.id):
        return Diagnostic(
            "HD722", f"`{text.id}` is fixed", entry.at, "Remove it: a fixed text keeps its words."
        )
    if not _is_canonical(entry.canonical, text, core):
        return Diagnostic(
            "HD721",
            f"`{text.id}` has changed since its wordings were made",
            entry.canonical_at,
            f"Write {spell(text.canonical)!r} there once the wordings still say it, or let `harnessc reword` "
            "propose them again.",
        )
    return None


def _is_canonical(written: str, text: Text, core: Core) -> bool:
    try:
        return read(written, core, text.canonical) == text.canonical
    except NotProse:
        return False


def _twice(entry: Entry) -> Diagnostic:
    return Diagnostic("HD720", f"`{entry.id}` stands twice under two ids", entry.at, "Keep one of the two.")


def _unread(entry: Entry, id_: SemanticId) -> tuple[Reviewed, ...]:
    return tuple(Reviewed(one, key_of(id_, one.text), None, ()) for one in entry.wordings)


def _reviewed(entry: Entry, text: Text, core: Core, before: list[Template]) -> tuple[Reviewed, ...]:
    seen, found = [text.canonical, *text.alternatives, *before], []
    for wording in entry.wordings:
        if wording.state == "rejected":
            found.append(Reviewed(wording, key_of(text.id, wording.text), None, ()))
            continue
        one = look_at(wording, text, core, seen)
        if one.template is not None:
            seen.append(one.template)
        found.append(one)
    return tuple(found)


def look_at(wording: Wording, text: Text, core: Core, seen: list[Template]) -> Reviewed:
    """`wording` as it would stand for `text`, beside the wordings `seen`."""
    key = key_of(text.id, wording.text)
    try:
        template = read(wording.text, core, text.canonical)
    except NotProse as error:
        return Reviewed(wording, key, None, tuple(_misprints(wording, error)))
    return Reviewed(wording, key, template, tuple(_faults(wording, text, template, seen)))


def _misprints(wording: Wording, error: NotProse) -> Iterator[Diagnostic]:
    for one in error.misprints:
        yield Diagnostic(one.code, one.message, wording.place(one.start, one.end), one.help)


def _faults(wording: Wording, text: Text, template: Template, seen: list[Template]) -> Iterator[Diagnostic]:
    for refusal in refusals(text.canonical, template, wording.language):
        if refusal.code == REFERENCES or refusal.code not in wording.allowed:
            yield Diagnostic(refusal.code, refusal.message, wording.at, refusal.help)
    if template in seen:
        said = "this wording is there already"
        yield Diagnostic("HD728", said, wording.at, "Remove it, or say it in other words.")
