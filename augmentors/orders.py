"""The shown order of unordered lists, and other orders that are legal."""

from collections.abc import Sequence
from random import Random

from augmentors.index import Index
from harness_dsl.ir.core import Constraint, Core
from harness_dsl.ir.ids import SemanticId, foreign
from harness_dsl.ir.listing import next_sections, section_order, violations
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface

_KEPT = 1024


def current_order(core: Core, known: Index, key: str, surface: Surface) -> tuple[SemanticId, ...]:
    """The order in which `surface` shows the list `key`."""
    said = surface.orders.get(key)
    if said is not None:
        return said
    if key == core.prompt.id:
        return section_order(core) or known.lists[key]
    if key == "tools":
        own = [tool.id for tool in core.tools]
        return tuple(sorted([*own, *(foreign(tool.name) for tool in surface.distractors)]))
    return known.lists[key]


def random_sections(
    sections: Sequence[SemanticId], constraints: Sequence[Constraint], rng: Random
) -> tuple[SemanticId, ...]:
    """A random order that satisfies `constraints`, which must be satisfiable."""
    left = set(sections)
    order: list[SemanticId] = []
    while left:
        order.append(rng.choice(next_sections(left, constraints)))
        left.remove(order[-1])
    return tuple(order)


def neighbours(
    order: Sequence[SemanticId], constraints: Sequence[Constraint]
) -> list[tuple[SemanticId, ...]]:
    """Legal orders that differ from `order` by one exchange of neighbours.

    There is one whenever there is any other legal order: linear extensions are connected by such exchanges.
    """
    found = []
    for place in range(len(order) - 1):
        other = [*order]
        other[place], other[place + 1] = other[place + 1], other[place]
        if not any(violations(other, constraints)):
            found.append(tuple(other))
    return found


def has_another(core: Core, order: tuple[SemanticId, ...]) -> bool:
    """Whether the sections have a legal order other than `order`."""
    known = _movable_orders(core)
    if order not in known:
        if len(known) >= _KEPT:
            known.clear()
        known[order] = bool(neighbours(order, core.prompt.order))
    return known[order]


@remembered
def _movable_orders(core: Core) -> dict[tuple[SemanticId, ...], bool]:
    return {}
