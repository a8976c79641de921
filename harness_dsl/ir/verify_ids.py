"""Ids: well formed, unique, nested under their owner, lists sorted by them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from harness_dsl.ir.core import Core, Item, ListContent, ProseContent, Skill, Tool
from harness_dsl.ir.ids import SemanticId, join
from harness_dsl.ir.problems import Problem
from harness_dsl.ir.texts import Text
from harness_dsl.ir.types import (
    EnumMember,
    EnumType,
    ListType,
    MapType,
    NullableType,
    Type,
    UnionType,
)
from harness_dsl.ir.walk import content_items, types

_SEGMENT = re.compile(r"(?:[^/~]|~[01])+")


def id_problems(core: Core) -> Iterator[Problem]:
    """Faults of ids alone: everything else may rely on them."""
    yield from _nested(core)
    yield from _repeated(core)
    yield from _texts(core)
    yield from _lists(core)


def declared_ids(core: Core) -> Iterator[SemanticId]:
    """The id of every declaration, item and enum value; texts have theirs besides."""
    for nodes in (core.types, core.inputs, core.tools, core.skills, core.hooks, core.limits, core.tests):
        yield from (node.id for node in nodes)
    yield core.prompt.id
    for decl in core.types:
        yield from (field.id for field in decl.fields or ())
    for tool in core.tools:
        yield from (param.id for param in tool.params)
    for skill in core.skills:
        yield from (item.id for item in skill.items)
    for section in core.prompt.sections:
        yield section.id
        yield from (item.id for item in content_items(section.content))
    for _, type_ in types(core):
        yield from (member.id for member in members(type_))


def members(type_: Type) -> Iterator[EnumMember]:
    """The enum values written directly in `type_`."""
    match type_:
        case EnumType():
            yield from type_.members
        case ListType() | NullableType():
            yield from members(type_.item)
        case MapType():
            yield from members(type_.value)
        case UnionType():
            for option in type_.options:
                yield from members(option)
        case _:
            return


def _under(prefix: str, ids: Iterable[SemanticId]) -> Iterator[Problem]:
    for id_ in ids:
        name = id_.removeprefix(prefix)
        if name == id_ or _SEGMENT.fullmatch(name) is None:
            yield Problem(id_, f"id is not `{prefix}` and one name")


def _nested(core: Core) -> Iterator[Problem]:
    kinds: dict[str, Sequence[Any]] = {
        "type/": core.types,
        "input/": core.inputs,
        "tool/": core.tools,
        "skill/": core.skills,
        "hook/": core.hooks,
        "limit/": core.limits,
        "test/": core.tests,
        "prompt/": (core.prompt,),
    }
    for prefix, nodes in kinds.items():
        yield from _under(prefix, (node.id for node in nodes))
    for decl in core.types:
        yield from _under(f"{decl.id}/field/", (field.id for field in decl.fields or ()))
    for tool in core.tools:
        yield from _under(f"{tool.id}/param/", (param.id for param in tool.params))
    for skill in core.skills:
        yield from _items(f"{skill.id}/step/", skill.items, skill.ordered)
    yield from _under(f"{core.prompt.id}/section/", (section.id for section in core.prompt.sections))
    for section in core.prompt.sections:
        if isinstance(section.content, ListContent):
            yield from _items(f"{section.id}/", section.content.items, section.content.ordered)
    for owner, type_ in types(core):
        for member in members(type_):
            if member.id != f"{owner}/value/{join(member.value)}":
                yield Problem(member.id, f"id of an enum value is not `{owner}/value/` and the value")


def _items(prefix: str, items: tuple[Item, ...], ordered: bool) -> Iterator[Problem]:
    yield from _under(prefix, (item.id for item in items))
    if not ordered:
        return
    for position, item in enumerate(items, start=1):
        if item.id != f"{prefix}{position}":
            yield Problem(item.id, f"id of an ordered item is not `{prefix}{position}`, its position")


def _repeated(core: Core) -> Iterator[Problem]:
    seen: set[SemanticId] = set()
    for id_ in declared_ids(core):
        if id_ in seen:
            yield Problem(id_, "id is declared twice")
        seen.add(id_)


def _texts(core: Core) -> Iterator[Problem]:
    wanted: list[tuple[Text | None, SemanticId]] = []
    wanted += [(decl.description, f"{decl.id}/description") for decl in core.types]
    wanted += [(input_.description, f"{input_.id}/description") for input_ in core.inputs]
    wanted += [(tool.description, f"{tool.id}/description") for tool in core.tools]
    for tool in core.tools:
        wanted += [(param.description, f"{param.id}/description") for param in tool.params]
    for decl in core.types:
        wanted += [(field.description, f"{field.id}/description") for field in decl.fields or ()]
    for skill in core.skills:
        wanted.append((skill.when, f"{skill.id}/when"))
        wanted += [(item.text, item.id) for item in skill.items]
    for section in core.prompt.sections:
        if isinstance(section.content, ProseContent):
            wanted.append((section.content.text, section.id))
        wanted += [(item.text, item.id) for item in content_items(section.content)]
    wanted += [(hook.message, f"{hook.id}/message") for hook in core.hooks]
    for text, id_ in wanted:
        if text is not None and text.id != id_:
            yield Problem(text.id, f"id of a text is not `{id_}`")


def _lists(core: Core) -> Iterator[Problem]:
    yield from _sorted("types", core.types)
    yield from _sorted("inputs", core.inputs)
    yield from _sorted("tools", core.tools)
    yield from _sorted("skills", core.skills)
    yield from _sorted("limits", core.limits)
    yield from _sorted("tests", core.tests)
    yield from _sorted(core.prompt.id, core.prompt.sections)
    for decl in core.types:
        yield from _sorted(decl.id, decl.fields or ())
    for tool in core.tools:
        yield from _sorted(tool.id, tool.params)
        yield from _words(tool, tool.fails, "failures")
    for skill in core.skills:
        yield from _sorted(skill.id, () if skill.ordered else skill.items)
        yield from _words(skill, skill.uses, "used tools")
    for section in core.prompt.sections:
        content = section.content
        yield from _sorted(
            section.id, content.items if isinstance(content, ListContent) and not content.ordered else ()
        )
    names = [id_ for id_, _ in core.declared_names]
    if names != sorted(set(names)):
        yield Problem("declared_names", "declared names are not sorted by id, each once")


def _sorted(owner: SemanticId, nodes: Sequence[Any]) -> Iterator[Problem]:
    for one, other in pairwise(nodes):
        if one.id > other.id:
            yield Problem(owner, f"unordered list is not sorted by id at `{other.id}`")


def _words(owner: Tool | Skill, words: tuple[str, ...], what: str) -> Iterator[Problem]:
    if list(words) != sorted(set(words)):
        yield Problem(owner.id, f"{what} are not sorted, each once")
