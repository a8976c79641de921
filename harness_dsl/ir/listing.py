"""The lists of a Core: what a Surface may order, within which constraints, and what it may set otherwise."""

from collections.abc import Iterable, Iterator

from harness_dsl.ir.core import Constraint, Core, Item, ListContent
from harness_dsl.ir.ids import SemanticId, foreign
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import ForeignTool


def unordered_lists(
    core: Core, distractors: Iterable[ForeignTool] = (), smallest: int = 2
) -> dict[str, tuple[SemanticId, ...]]:
    """Every list whose shown order is the Surface's: its key in `Surface.orders` → its ids, sorted.

    Lists with fewer than `smallest` entries are left out; "tools" counts the distractors too.
    """
    shown = [*(tool.id for tool in core.tools), *(foreign(tool.name) for tool in distractors)]
    lists: dict[str, Iterable[SemanticId]] = {
        "tools": shown,
        "skills": (skill.id for skill in core.skills),
        core.prompt.id: (section.id for section in core.prompt.sections),
    }
    lists |= {tool.id: (param.id for param in tool.params) for tool in core.tools}
    lists |= {decl.id: (field.id for field in decl.fields or ()) for decl in core.types}
    lists |= {skill.id: (item.id for item in skill.items) for skill in core.skills if not skill.ordered}
    for section in core.prompt.sections:
        if isinstance(section.content, ListContent) and not section.content.ordered:
            lists[section.id] = (item.id for item in section.content.items)
    ordered = ((key, tuple(sorted(ids))) for key, ids in lists.items())
    return {key: ids for key, ids in ordered if len(ids) >= smallest}


def violations(order: Iterable[SemanticId], constraints: Iterable[Constraint]) -> Iterator[Constraint]:
    """The constraints that `order` (all sections, each once) does not satisfy."""
    place = {section: index for index, section in enumerate(order)}
    for constraint in constraints:
        if not _holds(constraint, place):
            yield constraint


def _holds(constraint: Constraint, place: dict[SemanticId, int]) -> bool:
    at = place.get(constraint.section)
    if at is None:
        return False
    if constraint.relation == "first":
        return at == 0
    if constraint.relation == "last":
        return at == len(place) - 1
    return constraint.other in place and at < place[constraint.other]


def next_sections(left: set[SemanticId], constraints: Iterable[Constraint]) -> list[SemanticId]:
    """Which of the sections `left` may be shown next, sorted; empty: the constraints can't be met."""
    before = [(c.section, c.other) for c in constraints if c.relation == "before"]
    first = {c.section for c in constraints if c.relation == "first"} & left
    last = {c.section for c in constraints if c.relation == "last"}
    free = [id_ for id_ in left if not any(other == id_ and section in left for section, other in before)]
    if first:
        return sorted(id_ for id_ in free if id_ in first and len(first) == 1)
    return sorted(id_ for id_ in free if id_ not in last or left == {id_})


@remembered
def section_order(core: Core) -> tuple[SemanticId, ...] | None:
    """The legal order of sections that is nearest to sorted by id; None: there is none."""
    left = {section.id for section in core.prompt.sections}
    order: list[SemanticId] = []
    while left:
        choices = next_sections(left, core.prompt.order)
        if not choices:
            return None
        order.append(choices[0])
        left.remove(choices[0])
    return None if any(violations(order, core.prompt.order)) else tuple(order)


@remembered
def item_lists(core: Core) -> dict[SemanticId, tuple[Item, ...]]:
    """The items of every skill and section that has any, by its id: what a Surface may lay out."""
    lists = {skill.id: skill.items for skill in core.skills if skill.items}
    for section in core.prompt.sections:
        if isinstance(section.content, ListContent) and section.content.items:
            lists[section.id] = section.content.items
    return lists


@remembered
def messages(core: Core) -> frozenset[SemanticId]:
    """The hooks that have a message, which a Surface may set off."""
    return frozenset(hook.id for hook in core.hooks if hook.message is not None)


@remembered
def defaulted(core: Core) -> frozenset[SemanticId]:
    """The parameters with a default, which a Surface may leave unsaid."""
    return frozenset(param.id for tool in core.tools for param in tool.params if param.has_default)
