"""How well a claim is founded, strongest first."""

from collections.abc import Iterable
from typing import Literal

Level = Literal["structural", "declared", "tested", "task-relative"]

FOUNDED: dict[Level, str] = {
    "structural": "proved from the two values alone",
    "declared": "an author or reviewer says that two wordings mean the same",
    "tested": "two implementations agreed on generated events",
    "task-relative": "holds for tasks that do not use the symbols that were hidden or shadowed",
}
STRENGTH: tuple[Level, ...] = tuple(FOUNDED)


def weakest(levels: Iterable[Level]) -> Level:
    """The level of a composition; `structural` if it has no part."""
    return max(levels, key=STRENGTH.index, default="structural")
