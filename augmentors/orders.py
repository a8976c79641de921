"""The shown order of unordered lists, and other orders that are legal."""

from collections.abc import Sequence
from itertools import permutations
from random import Random

from augmentors.chance import shorts
from augmentors.index import Index
from harness_dsl.ir.core import Constraint, Core
from harness_dsl.ir.ids import SemanticId, foreign
from harness_dsl.ir.listing import next_sections, section_order, violations
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface

_KEPT = 1024
_SHORT = 5
_TRIES = 4


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


def another_order(
    core: Core, known: Index, key: str, surface: Surface, number: int, rng: Random
) -> tuple[SemanticId, ...]:
    """A random legal order of a list other than the present one, given that there is one.

    Short lists take order `number` of all there are, longer ones draw from `rng`.
    """
    said = surface.orders.get(key)
    table = known.other_orders
    others = table.get((key, said))
    if others is None:
        current = current_order(core, known, key, surface)
        if len(table) >= _KEPT:
            table.clear()
        others = table[key, said] = _all_others(core, key, current)
    if others:
        return others[number % len(others)]
    return _drawn(core, key, current_order(core, known, key, surface), rng)


def _all_others(core: Core, key: str, current: tuple[SemanticId, ...]) -> tuple[tuple[SemanticId, ...], ...]:
    """Every legal order but the present one, of a list that is short enough to write them out."""
    if len(current) > _SHORT:
        return ()
    others = (order for order in permutations(current) if order != current)
    if key != core.prompt.id:
        return tuple(others)
    return tuple(order for order in others if not any(violations(order, core.prompt.order)))


def _drawn(core: Core, key: str, current: tuple[SemanticId, ...], rng: Random) -> tuple[SemanticId, ...]:
    is_prompt = key == core.prompt.id
    for _ in range(_TRIES):
        if is_prompt:
            order = random_sections(current, core.prompt.order, rng)
        else:
            keys = dict(zip(current, shorts(rng, len(current)), strict=True))
            order = tuple(sorted(current, key=keys.__getitem__))
        if order != current:
            return order
    if is_prompt:
        return rng.choice(neighbours(current, core.prompt.order))
    return (*current[1:], current[0])


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
