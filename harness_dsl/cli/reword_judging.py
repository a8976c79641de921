"""Accepting and rejecting wordings of a bank: by their keys, or one after the other at a terminal."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from augmentors.rewording.bank import State
from augmentors.rewording.editing import Editor
from augmentors.rewording.prose import spell
from augmentors.rewording.review import Review, Reviewed, ReviewedText
from harness_dsl.cli.reword_file import BankFile
from harness_dsl.diagnostics import Diagnostic, render
from harness_dsl.ir.ids import SemanticId

ALL = "all"


@dataclass(frozen=True)
class Found:
    """One wording with the text that it is of."""

    id: SemanticId
    of: ReviewedText
    one: Reviewed


def found_in(there: Review) -> Iterator[Found]:
    """Every wording, in the order of the file."""
    for id_, reviewed in there.texts.items():
        for one in reviewed.wordings:
            yield Found(id_, reviewed, one)


def chosen(there: Review, name: str) -> list[Found]:
    """The wordings that `name` means: one by its key, all that are proposed of a text, or `all` of these."""
    every = [*found_in(there)]
    by_key = [found for found in every if found.one.key == name]
    if by_key:
        return by_key
    proposed = [found for found in every if found.one.wording.state == "proposed"]
    return proposed if name == ALL else [found for found in proposed if found.id == name]


def objections(found: Found) -> tuple[Diagnostic, ...]:
    """Why a wording may not be accepted."""
    return (found.of.fault,) if found.of.fault is not None else found.one.faults


@dataclass
class Judged:
    """How many wordings have another state now, and those that keep theirs because of `faults`."""

    changed: int = 0
    faults: tuple[Diagnostic, ...] = ()


def judge(file: BankFile, names: list[str], state: State, reason: str = "") -> Judged:
    """Gives the wordings that `names` mean another state. Raises `KeyError` with a name that means none."""
    judged = Judged()

    def change(editor: Editor, there: Review) -> None:
        # What was rejected has not been looked at so far.
        wanted = {found.one.key: found for name in names for found in _some(there, name)}
        for found in wanted.values():
            faults = objections(_anew(file, found)) if state == "accepted" else ()
            if faults:
                judged.faults += faults
                continue
            if found.one.wording.state != state:
                editor.set_state(found.one.wording, state, reason)
                judged.changed += 1

    file.edit(change)
    return judged


def _some(there: Review, name: str) -> list[Found]:
    found = chosen(there, name)
    if not found:
        raise KeyError(name)
    return found


def _anew(file: BankFile, found: Found) -> Found:
    """A rejected wording, looked at as if it were proposed."""
    if found.one.wording.state != "rejected":
        return found
    return Found(found.id, found.of, file.looked_at(found.of, found.one))


def go_through(file: BankFile, ask: Callable[[str], str]) -> int:
    """Asks about each proposed wording; every answer is written at once. Returns how many were answered."""
    answered, passed = 0, set[str]()
    while True:
        waiting = [found for found in chosen(file.review(), ALL) if found.one.key not in passed]
        if not waiting:
            return answered
        found = waiting[0]
        passed.add(found.one.key)
        print(_shown(found, file, len(waiting)))
        try:
            answer = _answer(ask, can_accept=not objections(found))
        except EOFError:
            return answered
        if answer == "q":
            return answered
        if answer == "a":
            judge(file, [found.one.key], "accepted")
        elif answer == "r":
            judge(file, [found.one.key], "rejected", _reason(ask))
        answered += answer in "ar"


def _answer(ask: Callable[[str], str], can_accept: bool) -> str:
    letters = "arsq" if can_accept else "rsq"
    words = {"a": "accept", "r": "reject", "s": "skip", "q": "quit"}
    prompt = ", ".join(f"[{letter}]{words[letter][1:]}" for letter in letters)
    while True:
        answer = ask(f"{prompt}? ").strip().lower()[:1]
        if answer and answer in letters:
            return answer


def _reason(ask: Callable[[str], str]) -> str:
    try:
        return ask("why? ").strip()
    except EOFError:
        return ""


def _shown(found: Found, file: BankFile, left: int) -> str:
    text = found.of.text
    lines = [
        "",
        f"{found.id} ({left} left)",
        f"  text:    {spell(text.canonical) if text else found.of.entry.canonical}",
        f"  wording: {found.one.wording.text}",
        f"  by:      {found.one.wording.by or 'nobody says'}",
    ]
    faults = objections(found)
    if faults:
        lines.append(render.text(faults, file.review().bank.shown).rstrip())
    return "\n".join(lines)


def ask_at_terminal(prompt: str) -> str:
    """One line from standard input. Raises `EOFError`."""
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        print()
        raise EOFError
    return line.rstrip("\n")
