"""Edits of generated programs: changes of meaning, removals and renamings of every kind of declaration."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from hypothesis import strategies as st

from harness_dsl.ir.canonical import sorted_core
from harness_dsl.ir.core import Core, ListContent, Moved, Section
from harness_dsl.ir.ids import SemanticId, kind
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.verify import verify_core
from tests.strategies import cores, default_surface, semantic_mutations
from tests.strategies.choices import Choices

LISTS = ("types", "inputs", "tools", "skills", "hooks", "limits", "tests")


class Way(NamedTuple):
    """`label`: what is done to which kind of symbol. `make`: the program after it."""

    label: str
    make: Callable[[], Core]


@st.composite
def three_versions(draw: st.DrawFn) -> tuple[tuple[Core, Surface], ...]:
    """A generated program, an edit of it, and an edit of that."""
    c = Choices(draw)
    first = draw(cores())
    second = edited(draw, c, first)
    third = edited(draw, c, second)
    return tuple((core, default_surface(core)) for core in (first, second, third))


def edited(draw: st.DrawFn, c: Choices, core: Core) -> Core:
    """`core` after one edit."""
    makers = (_no_ways, _removals, _renamings, _moves)
    ways: dict[str, list[Way]] = {}
    for way in c.pick(makers)(core):
        ways.setdefault(way.label, []).append(way)
    for label in c.some(sorted(ways), 0, 3):
        made = c.pick(ways[label]).make()
        if not verify_core(made):  # what is used elsewhere cannot simply go
            return made
    return draw(semantic_mutations(core)).core


def _no_ways(core: Core) -> Iterator[Way]:
    yield from ()


def _removals(core: Core) -> Iterator[Way]:
    for field in LISTS:
        for node in getattr(core, field):
            yield Way(f"{kind(node.id)} removed", partial(_without, core, field, node))
    owned = (("tools", "params"), ("types", "fields"), ("skills", "items"))
    for field, part in owned:
        for owner in getattr(core, field):
            nodes = getattr(owner, part) or ()
            # Steps that are counted would all change; a skill keeps one, as every skill has.
            kept = field == "skills" and (owner.ordered or len(nodes) == 1)
            for node in () if kept else nodes:
                yield Way(f"{kind(node.id)} removed", partial(_shortened, core, field, owner, part, node))
    for section in core.prompt.sections:
        yield Way("section removed", partial(_without_section, core, section))
    for line in core.moved:
        yield Way("former id forgotten", partial(_without, core, "moved", line))


def _without(core: Core, field: str, node: Any) -> Core:
    return core.model_copy(update={field: tuple(n for n in getattr(core, field) if n is not node)})


def _shortened(core: Core, field: str, owner: Any, part: str, node: Any) -> Core:
    new = owner.model_copy(update={part: tuple(n for n in getattr(owner, part) if n is not node)})
    return core.model_copy(update={field: tuple(new if n is owner else n for n in getattr(core, field))})


def _without_section(core: Core, section: Section) -> Core:
    order = tuple(rule for rule in core.prompt.order if section.id not in (rule.section, rule.other))
    rest = tuple(other for other in core.prompt.sections if other is not section)
    return core.model_copy(
        update={"prompt": core.prompt.model_copy(update={"sections": rest, "order": order})}
    )


def _renamings(core: Core) -> Iterator[Way]:
    for id_ in _nameable(core):
        yield Way(f"{kind(id_)} renamed", partial(renamed, core, id_, f"{id_}_2"))


def _moves(core: Core) -> Iterator[Way]:
    for id_ in _nameable(core):
        yield Way(f"{kind(id_)} moved", partial(moved, core, id_, f"{id_}_2"))


def _nameable(core: Core) -> Iterator[SemanticId]:
    """Ids that are names of their author's: not positions, and nothing that expressions spell out."""
    for field in LISTS:
        yield from (node.id for node in getattr(core, field))
    for tool in core.tools:
        yield from (param.id for param in tool.params)
    for skill in core.skills:
        yield from (item.id for item in skill.items if not skill.ordered)
    for section in core.prompt.sections:
        yield section.id
        content = section.content
        if isinstance(content, ListContent) and not content.ordered:
            yield from (item.id for item in content.items)


def renamed(core: Core, old: SemanticId, new: SemanticId) -> Core:
    """`core` with another id for one symbol and all below it, wherever it is written."""
    text = core.model_dump_json()
    text = text.replace(f'"{old}"', f'"{new}"').replace(f'"{old}/', f'"{new}/')
    changed = Core.model_validate_json(text)
    names = tuple(sorted(changed.declared_names))
    return sorted_core(changed.model_copy(update={"declared_names": names}))


def moved(core: Core, old: SemanticId, new: SemanticId) -> Core:
    """`renamed`, and it says so; a line that led to `old` leads to `new`."""
    lines = tuple(line for line in renamed(core, old, new).moved if line.old not in (old, new))
    return renamed(core, old, new).model_copy(update={"moved": (*lines, Moved(old=old, new=new))})
