"""Which name shows which symbol, both ways, under one Surface."""

from collections.abc import Iterable, Iterator

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import LOAD_SKILL, LOAD_SKILL_PARAM, SemanticId, foreign, leaf
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.types import EnumType, ListType, MapType, NullableType, Type, UnionType


def enum_members(type_: Type) -> Iterator[tuple[SemanticId, str]]:
    """The enum values written directly in `type_`, not behind a named type, as (id, declared value)."""
    match type_:
        case EnumType():
            yield from ((member.id, member.value) for member in type_.members)
        case ListType() | NullableType():
            yield from enum_members(type_.item)
        case MapType():
            yield from enum_members(type_.value)
        case UnionType():
            for option in type_.options:
                yield from enum_members(option)
        case _:
            return


@remembered
def namespaces(core: Core) -> dict[str, tuple[SemanticId, ...]]:
    """Every namespace of surface names: within one, no two symbols may be shown alike.

    `tool` holds tools and built-ins, `skill` the skills, `section` the sections; parameters, fields and enum
    values have one namespace per owner, keyed by `<owner id>/param`, `/field`, `/value`.
    """
    builtin = (LOAD_SKILL,) if core.skills else ()
    spaces: dict[str, tuple[SemanticId, ...]] = {
        "tool": tuple(tool.id for tool in core.tools) + builtin,
        "skill": tuple(skill.id for skill in core.skills),
        "section": tuple(section.id for section in core.prompt.sections),
    }
    if core.skills:
        spaces[f"{LOAD_SKILL}/param"] = (LOAD_SKILL_PARAM,)
    for tool in core.tools:
        spaces[f"{tool.id}/param"] = tuple(param.id for param in tool.params)
        for param in tool.params:
            spaces[f"{param.id}/value"] = tuple(id_ for id_, _ in enum_members(param.type))
        spaces[f"{tool.id}/value"] = tuple(id_ for id_, _ in enum_members(tool.returns))
    for decl in core.types:
        spaces[f"{decl.id}/field"] = tuple(field.id for field in decl.fields or ())
        for field in decl.fields or ():
            spaces[f"{field.id}/value"] = tuple(id_ for id_, _ in enum_members(field.type))
        if decl.alias is not None:
            spaces[f"{decl.id}/value"] = tuple(id_ for id_, _ in enum_members(decl.alias))
    return {key: ids for key, ids in spaces.items() if ids}


@remembered
def symbols(core: Core) -> tuple[SemanticId, ...]:
    """Everything a model can see by name."""
    return tuple(id_ for ids in namespaces(core).values() for id_ in ids)


class Naming:
    """Names of `core` under `surface`. Distractors are in the `tool` namespace as `foreign/<name>`."""

    def __init__(self, core: Core, surface: Surface) -> None:
        self._names = surface.names
        self._spaces = namespaces(core)
        self._distractors = surface.distractors
        self._symbols: dict[str, dict[str, SemanticId]] = {}

    def name(self, symbol: SemanticId) -> str:
        """The shown name of `symbol`."""
        return self._names.get(symbol) or leaf(symbol)

    def names(self, symbols: Iterable[SemanticId]) -> list[str]:
        """The shown names of `symbols`, in their order."""
        given = self._names.get
        return [given(id_) or leaf(id_) for id_ in symbols]

    def symbol(self, namespace: str, name: str) -> SemanticId | None:
        """The symbol shown as `name` in `namespace` (see `namespaces`), or None."""
        found = self._symbols.get(namespace)
        if found is None:
            found = self._symbols[namespace] = self._space(namespace)
        return found.get(name)

    def _space(self, namespace: str) -> dict[str, SemanticId]:
        found = {self.name(id_): id_ for id_ in self._spaces.get(namespace, ())}
        if namespace == "tool":
            for tool in self._distractors:
                found.setdefault(tool.name, foreign(tool.name))
        return found
