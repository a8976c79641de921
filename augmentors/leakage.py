"""What an evaluation set shares with a training set, so that its figures would say too much."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from augmentors.lineage import CONVERSATION, Entry
from augmentors.near_texts import Near

KINDS: dict[str, str] = {
    "lineage": "both come from the same task, product, session or conversation",
    "text": "a user says nearly the same in both",
    "surface": "both are shown in the very same way, which is no original",
    "pool": "their names come from the same pool",
    "family": "a family that is held out is trained on",
}


@dataclass(frozen=True)
class Leak:
    """`kind` is a key of `KINDS`; `what` a phrase; the lines are numbers, None: there is no such line."""

    kind: str
    train: int
    eval: int | None
    what: str


class Training:
    """What is remembered of a training set. It grows with the number of different values and texts."""

    def __init__(self, by: tuple[str, ...] = (), families: frozenset[str] = frozenset()) -> None:
        self._by = by
        self._families = families
        self._values: dict[tuple[str, str], int] = {}
        self._surfaces: dict[str, int] = {}
        self._pools: dict[str, int] = {}
        self._texts = Near()
        self.lines = 0

    def add(self, entry: Entry) -> Iterator[Leak]:
        """Take a line of the training set; what must not be in it whatever is evaluated."""
        self.lines += 1
        for value in self._tied(entry):
            self._values.setdefault(value, entry.number)
        if entry.surface is not None:
            self._surfaces.setdefault(entry.surface, entry.number)
        for pool in entry.pools:
            self._pools.setdefault(pool, entry.number)
        for turn in entry.turns:
            self._texts.add(turn, entry.number)
        for family in sorted(entry.families & self._families):
            yield Leak("family", entry.number, None, f"`{family}` is held out")

    def leaks(self, entry: Entry, least: float) -> Iterator[Leak]:
        """What a line of the evaluation set shares with the training set. `least`: the share of 5-grams from
        which on two texts are nearly the same.
        """
        for key, value in self._tied(entry):
            if (line := self._values.get((key, value))) is not None:
                yield Leak("lineage", line, entry.number, f"{key} `{value}`")
        if entry.surface is not None and (line := self._surfaces.get(entry.surface)) is not None:
            yield Leak("surface", line, entry.number, entry.surface)
        for pool in sorted(entry.pools):
            if (line := self._pools.get(pool)) is not None:
                yield Leak("pool", line, entry.number, f"`{pool}`")
        for turn in entry.turns:
            if (near := self._texts.like(turn, least)) is not None:
                yield Leak("text", near[0], entry.number, f"{near[1]:.0%} of `{_cut(turn)}`")

    def _tied(self, entry: Entry) -> Iterator[tuple[str, str]]:
        for key, value in sorted(entry.lineage.items()):
            if not self._by or key in self._by or key == CONVERSATION:
                yield key, value


def leaks(
    training: Iterable[Entry],
    evaluation: Iterable[Entry],
    least: float = 0.8,
    by: tuple[str, ...] = (),
    families: frozenset[str] = frozenset(),
) -> Iterator[Leak]:
    """Everything that leaks, the training set's own first, then line by line of the evaluation set."""
    known = Training(by, families)
    for entry in training:
        yield from known.add(entry)
    for entry in evaluation:
        yield from known.leaks(entry, least)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return f"{line[:40]}…" if len(line) > 41 else line
