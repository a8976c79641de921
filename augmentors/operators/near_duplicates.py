"""Near duplicates of a harness's own tools beside them.

    get_quote, get_item  →  get_quote, old_get_item, get_item

Holds for tasks whose footprint is known: what is duplicated is not needed, the duplicate is far from every
tool that is, and a call of it fails, so a right answer never uses one. A user could notice the longer list,
and a wrong call of a duplicate.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from random import Random
from typing import ClassVar

from pydantic import Field

from augmentors import observations
from augmentors.banks import Pool
from augmentors.base import Law, Parameters, TaskRelative
from augmentors.footprint import Footprint
from augmentors.index import index, plain
from augmentors.namer import name_key
from augmentors.near_duplicates import look, near_duplicate, recipes
from augmentors.operators.distractors import CLOSEST
from augmentors.orders import current_order
from augmentors.similarity import features, similarity
from harness_dsl.ir.core import Core, Tool
from harness_dsl.ir.ids import SemanticId, foreign, leaf
from harness_dsl.ir.node import with_changes
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
        candidates = product(core.tools, recipes(self.parameters.pool))
        return tuple(foreign(name) for _, _, name in self._far(core, surface, footprint, candidates))

    def apply(self, core: Core, surface: Surface, footprint: Footprint, rng: Random) -> Surface:
        """`surface` with near duplicates, no two of one tool."""
        candidates = [*product(core.tools, recipes(self.parameters.pool))]
        rng.shuffle(candidates)
        count, drawn = rng.randint(1, self.parameters.most), dict[SemanticId, tuple[Tool, int]]()
        # Whether one is far from what is needed is only asked until there are enough.
        for tool, number, _ in self._far(core, surface, footprint, candidates):
            drawn.setdefault(tool.id, (tool, number))
            if len(drawn) == count:
                break
        if not drawn:
            return surface
        added = [near_duplicate(core, surface, tool, number) for tool, number in drawn.values()]
        order = [*current_order(core, index(core), "tools", surface)]
        for one in added:
            order.insert(rng.randint(0, len(order)), foreign(one.name))
        return with_changes(
            surface,
            distractors=(*surface.distractors, *added),
            orders={**surface.orders, "tools": tuple(order)},
        )

    def _far(
        self,
        core: Core,
        surface: Surface,
        footprint: Footprint,
        candidates: Iterable[tuple[Tool, int]],
    ) -> Iterator[tuple[Tool, int, str]]:
        """Tools, numbers of recipes and names, far from what is needed and named like nothing else."""
        known, needed = index(core), frozenset(footprint.symbols)
        own = [features(leaf(t.id), plain(t.description)) for t in core.tools if t.id in needed]
        taken = {name_key(surface.names.get(id_) or leaf(id_)) for id_ in known.spaces.get("tool", ())}
        taken |= {name_key(tool.name) for tool in surface.distractors} | known.taken_by_tools
        for tool, number in candidates:
            if tool.id in needed or tool.id in surface.hidden:
                continue
            found = look(surface, tool, number)
            if found is None or name_key(found[0]) in taken:
                continue
            name, theirs = found[0], features(*found)
            if all(similarity(mine, theirs) < CLOSEST for mine in own):
                taken.add(name_key(name))
                yield tool, number, name
