"""Edits of an example as its author would make them, with the class that the rules give each.

They stand in `*.edits` files:

    == none/policy                       the class, contract/behaviour, of all that follow
    @ skill/s/step/2 + skill/s/step/3    what the edit is named after, and what changes with it; or nothing
    ~ rooms/beauty.yaml                  the file, if it is not the harness itself
    - text that stands once in the file
    + what replaces it; where nothing does, the line goes
    ~                                    a second place of the same edit

A line is what follows the sign and one space; several make a text of several lines.
"""

from pathlib import Path
from typing import NamedTuple


class Change(NamedTuple):
    """`old` stands once in `file`, a path below the example's folder; empty: the harness itself."""

    file: str
    old: str
    new: str


class Edit(NamedTuple):
    """`symbol`: empty where nothing that is compared changes. `also`: other symbols that change with it, with
    everything below them.
    """

    contract: str
    behaviour: str
    symbol: str
    also: tuple[str, ...]
    changes: tuple[Change, ...]

    def touches(self, id_: str) -> bool:
        """Whether a change of the symbol `id_` is part of this edit."""
        return any(id_ == own or id_.startswith(f"{own}/") for own in (self.symbol, *self.also) if own)


def edits_of(name: str) -> list[Edit]:
    """The edits in `NAME.edits`. Raises ValueError for a line that is none of its format."""
    lines = (Path(__file__).parent / f"{name}.edits").read_text("utf-8").splitlines()
    found: list[Edit] = []
    contract = behaviour = ""
    for number, line in enumerate(lines, 1):
        sign, text = line[:1], line[2:]
        if line.startswith("== "):
            contract, behaviour = line[3:].split("/")
        elif sign == "@":
            symbol, *also = text.split(" + ")
            found.append(Edit(contract, behaviour, symbol, tuple(also), ()))
        elif sign in "~-+" and sign:
            found[-1] = found[-1]._replace(changes=_longer(found[-1].changes, sign, text))
        elif line and sign != "#":
            raise ValueError(f"{name}.edits:{number}: {line!r}")
    return [_whole(edit) for edit in found]


def _longer(changes: tuple[Change, ...], sign: str, text: str) -> tuple[Change, ...]:
    """`changes` with one more line of the format; lines end in line feeds until the edit is whole."""
    if sign == "~" or not changes:
        changes = (*changes, Change(text if sign == "~" else "", "", ""))
    *others, last = changes
    if sign == "-":
        last = last._replace(old=f"{last.old}{text}\n")
    elif sign == "+":
        last = last._replace(new=f"{last.new}{text}\n")
    return (*others, last)


def _whole(edit: Edit) -> Edit:
    return edit._replace(
        changes=tuple(
            Change(file, old[:-1], new[:-1]) if new else Change(file, old, "")
            for file, old, new in edit.changes
        )
    )
