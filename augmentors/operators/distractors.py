"""Tools of other harnesses beside a harness's own.

    get_quote, get_item  →  get_quote, list_releases, get_item

Holds for tasks whose footprint is known: a distractor's description is far from every tool the task needs,
and a call of it fails, so a right answer never uses one. A user could notice the longer list, and a wrong
call of a distractor.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from pydantic import Field

from augmentors import observations
from augmentors.banks import Pool, distractors
from augmentors.base import Law, Parameters, TaskRelative
from augmentors.footprint import Footprint
from augmentors.index import Index, index, plain
from augmentors.namer import name_key
from augmentors.orders import current_order
from augmentors.similarity import features, similarity
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId, foreign, leaf
from harness_dsl.ir.node import with_changes
from harness_dsl.ir.surface import ForeignTool, Surface

_KEPT = 256

CLOSEST = 0.45
"""A distractor as similar as this to a tool of the footprint is not shown."""


class DistractorParameters(Parameters):
    """pool       which part of the bank is drawn from
    most       at most so many are added, at least one
    max_chars  longest description and schema together, in characters of JSON
    """

    pool: Pool = "train"
    most: int = Field(default=3, ge=1, le=32)
    max_chars: int = Field(default=700, ge=80)


class Distractors(TaskRelative):
    """Adds tools of the bank that are far from what the task needs, at random places of the list."""

    name: ClassVar[str] = "distractors"
    family: ClassVar[str] = "tool-set"
    observation: ClassVar[str] = observations.WITHIN_FOOTPRINT
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "a distractor that the order of tools does not place",
        "accepted": "a near duplicate of a tool that the task needs",
    }
    parameters_model: ClassVar[type[Parameters]] = DistractorParameters
    parameters: DistractorParameters

    def symbols(self, core: Core, surface: Surface, footprint: Footprint) -> tuple[SemanticId, ...]:
        """Ids of the distractors that may be added."""
        return tuple(foreign(tool.name) for tool in self._eligible(core, surface, footprint))

    def apply(self, core: Core, surface: Surface, footprint: Footprint, rng: Random) -> Surface:
        """`surface` with further distractors."""
        eligible = self._eligible(core, surface, footprint)
        if not eligible:
            return surface
        count = min(rng.randint(1, self.parameters.most), len(eligible))
        added = rng.sample(eligible, count)
        order = list(current_order(core, index(core), "tools", surface))
        for tool in added:
            order.insert(rng.randint(0, len(order)), foreign(tool.name))
        return with_changes(
            surface,
            distractors=(*surface.distractors, *added),
            orders={**surface.orders, "tools": tuple(order)},
        )

    def _eligible(self, core: Core, surface: Surface, footprint: Footprint) -> list[ForeignTool]:
        known = index(core)
        if not core.tools:
            return []
        names = surface.names
        taken = {name_key(names[id_]) for id_ in known.spaces["tool"] if id_ in names}
        taken.update(name_key(tool.name) for tool in surface.distractors)
        taken |= known.taken_by_tools
        return [tool for tool, key in self._far(core, known, footprint) if key not in taken]

    def _far(self, core: Core, known: Index, footprint: Footprint) -> list[tuple[ForeignTool, str]]:
        """The tools of the pool that are close to nothing in the footprint, each with the key of its name."""
        bank = f"{self.parameters.pool}/{self.parameters.max_chars}"
        key = (bank, footprint.symbols)
        found = known.far_tools.get(key)
        if found is None:
            if len(known.far_tools) >= _KEPT:
                known.far_tools.clear()
            needed = frozenset(footprint.symbols)
            found = known.far_tools[key] = [
                (tool, name_key(tool.name))
                for tool, close in self._bank(core, known, bank)
                if needed.isdisjoint(close)
            ]
        return found

    def _bank(self, core: Core, known: Index, key: str) -> list[tuple[ForeignTool, frozenset[SemanticId]]]:
        """The tools of the pool, each with the harness's tools that it is too close to."""
        bank = known.close_tools.get(key)
        if bank is None:
            own = [(tool.id, features(leaf(tool.id), plain(tool.description))) for tool in core.tools]
            bank = []
            for entry in distractors():
                if entry.pool != self.parameters.pool or _size(entry.tool) > self.parameters.max_chars:
                    continue
                theirs = features(entry.tool.name, entry.tool.description)
                close = frozenset(id_ for id_, mine in own if similarity(mine, theirs) >= CLOSEST)
                bank.append((entry.tool, close))
            known.close_tools[key] = bank
        return bank


def _size(tool: ForeignTool) -> int:
    return len(tool.description) + len(repr(tool.parameters))
