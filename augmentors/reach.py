"""Which declared types a model meets: those that parameters and results of tools lead to."""

from collections.abc import Iterable, Iterator

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.types import ListType, MapType, NamedType, NullableType, Type, UnionType


def documented_types(core: Core) -> frozenset[SemanticId]:
    """Types that the documentation of tools shows: those of parameters, and what they lead to."""
    return _reached(core, (param.type for tool in core.tools for param in tool.params))


def returned_types(core: Core) -> frozenset[SemanticId]:
    """Types that results show, and what they lead to."""
    return _reached(core, (tool.returns for tool in core.tools))


def _reached(core: Core, roots: Iterable[Type]) -> frozenset[SemanticId]:
    decls = {decl.id: decl for decl in core.types}
    left = [id_ for root in roots for id_ in _named(root)]
    found: set[SemanticId] = set()
    while left:
        id_ = left.pop()
        if id_ in found or id_ not in decls:
            continue
        found.add(id_)
        decl = decls[id_]
        inside = [member.type for member in decl.fields or ()]
        inside += [decl.alias] if decl.alias is not None else []
        left += [name for type_ in inside for name in _named(type_)]
    return frozenset(found)


def _named(type_: Type) -> Iterator[SemanticId]:
    """The declared types written in `type_`."""
    match type_:
        case NamedType():
            yield type_.type
        case ListType() | NullableType():
            yield from _named(type_.item)
        case MapType():
            yield from _named(type_.value)
        case UnionType():
            for option in type_.options:
                yield from _named(option)
        case _:
            return
