"""A harness with the wordings of banks beside those that its file declares."""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augmentors.policy import Policy
from augmentors.rewording.bank import SUFFIX, State
from augmentors.rewording.reading import load_bank
from augmentors.rewording.review import Templates, review
from harness_dsl.diagnostics import Diagnostic, render
from harness_dsl.diagnostics.system import reason
from harness_dsl.ir.canonical import canonical_json
from harness_dsl.ir.core import Core
from harness_dsl.ir.node import Node
from harness_dsl.ir.texts import Text


class BankError(Exception):
    """Banks cannot be used. The message is what their author reads; `status` is the exit status."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Banked:
    """`core`: the harness whose texts declare the banked wordings too; it means the same, and has the same
    digest. `plain`: the harness as it was. `digest`: of the wordings that were added.
    """

    core: Core
    plain: Core
    digest: str


def beside(harness: str | Path) -> Path:
    """Where the bank of a harness file is looked for: `shop.wordings.yaml` beside `shop.harness`."""
    path = Path(harness)
    return path.with_name(path.name.removesuffix(path.suffix) + SUFFIX)


def with_banks(core: Core, paths: Sequence[str | Path], include_proposed: bool = False) -> Banked:
    """`core` with the accepted wordings of the banks at `paths`, with the proposed ones too where asked for.

    Raises `BankError` if anything is wrong with one of them, or none has such a wording.
    """
    states = frozenset[State](("accepted", "proposed") if include_proposed else ("accepted",))
    added: Templates = {}
    faults: list[Diagnostic] = []
    files: dict[str, str] = {}
    for path in paths:
        try:
            bank = load_bank(path)
        except OSError as error:
            raise BankError(f"{path}: {reason(error)}", 2) from None
        files |= bank.shown
        reviewed = review(bank, core, added)
        faults += reviewed.faults(states)
        for id_, templates in reviewed.usable(states).items():
            added.setdefault(id_, []).extend(templates)
    if faults:
        raise BankError(render.text(faults, files))
    if not added:
        named = ", ".join(map(str, paths))
        raise BankError(f"{named}: no wording is accepted yet: look at them with `harnessc reword --review`")
    return Banked(with_wordings(core, added), core, digest_of(added))


def by_policy(core: Core, policy: Policy) -> Banked | None:
    """`core` with the banks of `policy`; None: it has none. Raises `BankError`."""
    if not policy.banks and policy.include_proposed:
        raise BankError("wordings that nobody has accepted are asked for, and no bank is named")
    if not policy.banks:
        return None
    drawing = ("wordings", "language")
    if not any(one.operator in drawing and one.probability > 0 for one in policy.operators):
        raise BankError("a bank is named, and neither `wordings` nor `language` is drawn by the policy")
    return with_banks(core, policy.banks, policy.include_proposed)


def digest_of(added: Templates) -> str:
    """A short digest of added wordings and their order, as rows say it."""
    data = {id_: [[part.model_dump(mode="json") for part in one] for one in added[id_]] for id_ in added}
    return base64.b85encode(hashlib.sha256(canonical_json(data)).digest()[:6]).decode("ascii")


def with_wordings(core: Core, added: Templates) -> Core:
    """`core` whose texts declare `added` behind their own alternatives."""
    changed = _with(core, added)
    assert isinstance(changed, Core)
    return changed


def _with(value: Any, added: Templates) -> Any:
    """What has no such text in it stays the same object."""
    match value:
        case Text():
            more = added.get(value.id)
            return value.model_copy(update={"alternatives": (*value.alternatives, *more)}) if more else value
        case Node():
            fields = ((name, getattr(value, name)) for name in type(value).model_fields)
            changed = {name: new for name, old in fields if (new := _with(old, added)) is not old}
            return value.model_copy(update=changed) if changed else value
        case tuple():
            entries = _each(value, added)
            return entries if any(new is not old for new, old in zip(entries, value, strict=True)) else value
        case _:
            return value


def _each(values: Iterable[Any], added: Templates) -> tuple[Any, ...]:
    return tuple(_with(value, added) for value in values)
