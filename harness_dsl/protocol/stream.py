"""A model turn read while it is produced: each event as soon as nothing that may follow can change it.

Thinking is certain at its closing marker, calls at theirs, a text at the marker behind it, and everything at
the end of the turn. Where the tokenizer spells a marker out, everything waits for the end: only all of a text
tells whether a marker is in it.
"""

from collections.abc import Sequence

from harness_dsl.ir.transcript import ModelEvent, Truncated
from harness_dsl.protocol.turn_reader import Part, TurnReader
from harness_dsl.protocol.turns import Turns


class TurnStream:
    """Takes the ids of one turn in pieces. All that it gives out is what `Turns.read` says of all ids."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._pending: list[int] = []
        self._before: Part | None = None
        self._behind: list[int] | None = None
        """Ids behind the end of the turn, once it has come."""

    def feed(self, ids: Sequence[int]) -> tuple[ModelEvent, ...]:
        """The events that have become certain with `ids`."""
        found: list[ModelEvent] = []
        for id_ in ids:
            if self._behind is not None:
                self._behind.append(id_)
            elif self._turns.is_stop(id_):
                found += self._read(ended=True)
                self._behind = []
            else:
                self._pending.append(id_)
                if self._turns.is_marker(id_) and not self._turns.spells:
                    found += self._certain()
        return tuple(found)

    def finish(self) -> tuple[ModelEvent, ...]:
        """What is left when no more ids come."""
        if self._behind is None:
            return (*self._read(ended=False), Truncated())
        return (self._turns.after_the_end(self._behind),) if self._behind else ()

    def _certain(self) -> list[ModelEvent]:
        """The events of what is pending that are decided."""
        return self._taken(self._turns.reader(self._pending, ended=False), only_decided=True)

    def _read(self, *, ended: bool) -> list[ModelEvent]:
        """The events of all that is pending."""
        return self._taken(self._turns.reader(self._pending, ended=ended), only_decided=False)

    def _taken(self, reader: TurnReader, *, only_decided: bool) -> list[ModelEvent]:
        found: list[ModelEvent] = []
        at = 0
        while at < len(reader.items) and (not only_decided or reader.is_decided(at)):
            self._before = reader.part(at, self._before)
            found += self._before.events
            at = self._before.end
        self._pending = self._pending[reader.items[at - 1].end :] if at else self._pending
        return found
