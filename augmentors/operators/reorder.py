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
from augmentors.chance import shuffled
from augmentors.index import Index, index
from augmentors.levels import Level
from augmentors.orders import current_order, has_another, neighbours, random_sections
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
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
_TRIES = 4


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
        return tuple(key for key in keys if _movable(core, known, key, surface))

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
            )
            kept = self._kept = (known, tuple(free))
        return kept[1]

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` with other orders."""
        known = index(core)
        keys = self.symbols(core, surface)
        if not keys:
            return surface
        chosen = [key for key in keys if rng.random() < self.parameters.share] or [rng.choice(keys)]
        orders = dict(surface.orders)
        for key in chosen:
            orders[key] = _another(core, known, key, current_order(core, known, key, surface), rng)
        return surface.model_copy(update={"orders": orders})


def _movable(core: Core, known: Index, key: str, surface: Surface) -> bool:
    if key == core.prompt.id:
        return has_another(core, current_order(core, known, key, surface))
    order = surface.orders.get(key)
    return order is None or len(order) > 1


def _another(
    core: Core, known: Index, key: str, current: tuple[SemanticId, ...], rng: Random
) -> tuple[SemanticId, ...]:
    """A random order other than `current`, given that there is one."""
    is_prompt = key == core.prompt.id
    for _ in range(_TRIES):
        order = random_sections(current, core.prompt.order, rng) if is_prompt else shuffled(rng, current)
        if order != current:
            return order
    if is_prompt:
        return rng.choice(neighbours(current, core.prompt.order))
    return (*current[1:], current[0])


def _role(core: Core, key: str) -> Ordered:
    if key == core.prompt.id:
        return "sections"
    return _ROLES[key.split("/", 1)[0]]
