"""What in a harness speaks of a tool or a skill, apart from itself."""

from collections.abc import Iterator

from augmentors.identifiers import code_mentions
from augmentors.index import index
from harness_dsl.ir.core import Core
from harness_dsl.ir.expressions import Called, Calling, Expression, Loaded, Results
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Interpolation, Literally, Reference
from harness_dsl.ir.walk import items, parts, subexpressions
from harness_dsl.ir.walk import texts as all_texts


def dependents(core: Core, surface: Surface) -> dict[SemanticId, set[SemanticId]]:
    """For each tool and skill that something speaks of, the ids of the texts, skills and hooks that do.

    Texts count as `surface` words them; what lies under the id itself does not count.
    """
    found: dict[SemanticId, set[SemanticId]] = {}
    for speaker, subject in _pairs(core, surface):
        id_ = "/".join(subject.split("/")[:2])
        if speaker != id_ and not speaker.startswith(f"{id_}/"):
            found.setdefault(id_, set()).add(speaker)
    return found


def _pairs(core: Core, surface: Surface) -> Iterator[tuple[SemanticId, SemanticId]]:
    """Who speaks of whom, by reference or by writing a name out as code."""
    by_name = _written_out(core, surface)
    for text in all_texts(core):
        for part in parts(surface.wordings.get(text.id, text.canonical)):
            if isinstance(part, Reference):
                yield text.id, part.target
            elif isinstance(part, Interpolation):
                yield from ((text.id, id_) for id_ in _subjects(part.value))
            elif isinstance(part, Literally) and by_name:
                yield from ((text.id, by_name[name]) for name in code_mentions(part.text) if name in by_name)
    for item in items(core):
        if item.check is not None:
            yield from ((item.id, id_) for id_ in _subjects(item.check))
    for skill in core.skills:
        yield from ((skill.id, id_) for id_ in skill.uses)
    for hook in core.hooks:
        yield from ((hook.id, id_) for id_ in _subjects(hook.condition))
        if hook.target is not None:
            yield hook.id, hook.target


def _written_out(core: Core, surface: Surface) -> dict[str, SemanticId]:
    """The tools and skills whose shown or declared name some prose writes out."""
    ids = [*(tool.id for tool in core.tools), *(skill.id for skill in core.skills)]
    names = {leaf(id_): id_ for id_ in ids} | {surface.names[id_]: id_ for id_ in ids if id_ in surface.names}
    return {name: id_ for name, id_ in names.items() if name in index(core).mentions}


def _subjects(expression: Expression) -> Iterator[SemanticId]:
    for inner in subexpressions(expression):
        if isinstance(inner, Called | Calling | Results):
            yield inner.tool
        elif isinstance(inner, Loaded):
            yield inner.skill
