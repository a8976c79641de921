"""Near duplicates of a harness's own tools beside them.

    get_quote, get_item  →  get_quote, old_get_item, get_item

Holds for tasks whose footprint is known: what is duplicated is not needed, the duplicate is far from every
tool that is, and a call of it fails, so a right answer never uses one. A user could notice the longer list,
and a wrong call of a duplicate.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import ClassVar

from pydantic import Field

from augmentors import observations
from augmentors.banks import Pool
from augmentors.base import Law, Parameters, TaskRelative
from augmentors.footprint import Footprint
from augmentors.index import index, plain
from augmentors.namer import name_key
from augmentors.near_duplicates import looks, near_duplicate
from augmentors.operators.distractors import CLOSEST
from augmentors.orders import current_order
from augmentors.similarity import features, similarity
from harness_dsl.ir.core import Core, Tool
from harness_dsl.ir.ids import SemanticId, foreign, leaf
from harness_dsl.ir.surface import Surface


class NearDuplicatesParameters(Parameters):
    """pool  which ways of duplicating are drawn from
    most  at most so many are added, at least one
    """

    pool: Pool = "train"
    most: int = Field(default=2, ge=1, le=16)


class NearDuplicates(TaskRelative):
    """Adds tools that resemble shown tools outside the footprint, at random places of the list."""

    name: ClassVar[str] = "near-duplicates"
    family: ClassVar[str] = "tool-set"
    observation: ClassVar[str] = observations.WITHIN_FOOTPRINT
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "two near duplicates under one name",
        "accepted": "a near duplicate of a tool that the task needs",
    }
    parameters_model: ClassVar[type[Parameters]] = NearDuplicatesParameters
    parameters: NearDuplicatesParameters

    def symbols(self, core: Core, surface: Surface, footprint: Footprint) -> tuple[SemanticId, ...]:
        """Ids of the near duplicates that may be added."""
        return tuple(foreign(name) for _, _, name in self._eligible(core, surface, footprint))

    def apply(self, core: Core, surface: Surface, footprint: Footprint, rng: Random) -> Surface:
        """`surface` with near duplicates, no two of one tool."""
        eligible = [*self._eligible(core, surface, footprint)]
        if not eligible:
            return surface
        rng.shuffle(eligible)
        drawn = {tool.id: (tool, number) for tool, number, _ in eligible}
        count = min(rng.randint(1, self.parameters.most), len(drawn))
        added = [near_duplicate(core, surface, *drawn[id_]) for id_ in rng.sample(sorted(drawn), count)]
        order = [*current_order(core, index(core), "tools", surface)]
        for tool in added:
            order.insert(rng.randint(0, len(order)), foreign(tool.name))
        return surface.model_copy(
            update={
                "distractors": (*surface.distractors, *added),
                "orders": {**surface.orders, "tools": tuple(order)},
            }
        )

    def _eligible(
        self, core: Core, surface: Surface, footprint: Footprint
    ) -> Iterator[tuple[Tool, int, str]]:
        """Tools, numbers of recipes and names, far from what is needed and named like nothing else."""
        known, needed = index(core), frozenset(footprint.symbols)
        own = [features(leaf(t.id), plain(t.description)) for t in core.tools if t.id in needed]
        taken = {name_key(surface.names.get(id_) or leaf(id_)) for id_ in known.spaces.get("tool", ())}
        taken |= {name_key(tool.name) for tool in surface.distractors} | known.taken_by_tools
        for tool, number, name, description in looks(core, surface, self.parameters.pool):
            if tool.id in needed or tool.id in surface.hidden or name_key(name) in taken:
                continue
            theirs = features(name, description)
            if all(similarity(mine, theirs) < CLOSEST for mine in own):
                taken.add(name_key(name))
                yield tool, number, name
