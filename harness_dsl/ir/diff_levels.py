"""The two total orders on which an edit is classified."""

from enum import IntEnum
from typing import NamedTuple


class Contract(IntEnum):
    """What an edit asks of who calls a harness or implements its tools."""

    NONE = 0
    WIDENING = 1
    NARROWING = 2

    def __str__(self) -> str:
        return self.name.lower()


class Behaviour(IntEnum):
    """What an edit asks of the model."""

    NONE = 0
    SURFACE = 1
    WORDING = 2
    CAPABILITY = 3
    POLICY = 4
    SAFETY = 5

    def __str__(self) -> str:
        return self.name.lower()


class Level(NamedTuple):
    """A class on both axes."""

    contract: Contract = Contract.NONE
    behaviour: Behaviour = Behaviour.NONE

    def join(self, other: "Level") -> "Level":
        """The maximum on each axis."""
        return Level(max(self.contract, other.contract), max(self.behaviour, other.behaviour))


NOTHING = Level()
SURFACE = Level(behaviour=Behaviour.SURFACE)
WORDING = Level(behaviour=Behaviour.WORDING)
CAPABILITY = Level(behaviour=Behaviour.CAPABILITY)
POLICY = Level(behaviour=Behaviour.POLICY)
SAFETY = Level(behaviour=Behaviour.SAFETY)
WIDER = Level(Contract.WIDENING, Behaviour.CAPABILITY)
NARROWER = Level(Contract.NARROWING, Behaviour.CAPABILITY)
