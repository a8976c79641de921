"""Another order of what is declared unordered.

    get_item, get_quote  →  get_quote, get_item      tools, skills, parameters, fields, rules, steps, sections

No run can tell the two apart: an unordered list means the set of its items, and arguments are passed by name.
Sections only move as far as the prompt's constraints let them; ordered lists stay.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar, Literal

from pydantic import Field

from augmentors import observations
from augmentors.base import Law, Parameters, Preserving
from augmentors.chance import shorts
from augmentors.index import Index, index
from augmentors.levels import Level
from augmentors.orders import another_order, current_order, has_another
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import with_changes
from harness_dsl.ir.surface import Surface

Ordered = Literal["tools", "skills", "sections", "params", "fields", "rules", "steps"]
_ROLES: dict[str, Ordered] = {
    "tools": "tools",
    "skills": "skills",
    "tool": "params",
    "type": "fields",
    "skill": "steps",
    "prompt": "rules",
}


class ReorderParameters(Parameters):
    """lists  which lists are shuffled
    share  how likely each of them is; at least one always is
    """

    lists: tuple[Ordered, ...] = ("tools", "skills", "sections", "params", "fields", "rules", "steps")
    share: float = Field(default=1.0, gt=0, le=1)


class Reorder(Preserving):
    """Shuffles every declared-unordered list, distractor tools included."""

    name: ClassVar[str] = "reorder"
    family: ClassVar[str] = "order"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.ALL
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "sections against a constraint between them",
        "accepted": "sections against a constraint between them",
        "effective": "the order that is shown already",
    }
    parameters_model: ClassVar[type[Parameters]] = ReorderParameters
    parameters: ReorderParameters

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        self._kept: tuple[Index, tuple[str, ...]] | None = None

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Keys of the chosen lists that have another legal order."""
        known = index(core)
        keys = self._free(core, known)
        if "tools" not in keys and core.tools and surface.distractors and "tools" in self.parameters.lists:
            keys = (*keys, "tools")
        said = surface.orders
        return tuple(key for key in keys if key not in said or _movable(core, key, said[key]))

    def _free(self, core: Core, known: Index) -> tuple[str, ...]:
        """Keys of the chosen lists of the harness itself that nothing freezes; kept, since rows ask again."""
        kept = self._kept
        if kept is None or kept[0] is not known:
            free = (
                key
                for key in known.lists
                if _role(core, key) in self.parameters.lists
                and key not in known.frozen
                and key not in known.unseen
                and _movable(core, key, current_order(core, known, key, Surface()))
            )
            kept = self._kept = (known, tuple(free))
        return kept[1]

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` with other orders."""
        known, share = index(core), self.parameters.share
        keys = self.symbols(core, surface)
        if not keys:
            return surface
        chosen = keys if share >= 1 else [key for key in keys if rng.random() < share] or [rng.choice(keys)]
        orders = dict(surface.orders)
        said, others = surface.orders.get, known.other_orders
        for key, number in zip(chosen, shorts(rng, len(chosen)), strict=True):
            listed = others.get((key, said(key)))
            if listed:
                orders[key] = listed[number % len(listed)]
            else:
                orders[key] = another_order(core, known, key, surface, number, rng)
        return with_changes(surface, orders=orders)


def _movable(core: Core, key: str, order: tuple[SemanticId, ...]) -> bool:
    return has_another(core, order) if key == core.prompt.id else len(order) > 1


def _role(core: Core, key: str) -> Ordered:
    if key == core.prompt.id:
        return "sections"
    return _ROLES[key.split("/", 1)[0]]
