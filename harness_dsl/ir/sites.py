"""Where values of a declared type are used."""

from dataclasses import dataclass

from harness_dsl.ir.core import Core, TypeDecl
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.types import ListType, MapType, NamedType, NullableType, Type, UnionType


@dataclass(frozen=True)
class Sites:
    """Where values of a type are used: parameters and inputs that pass them in, tools that return them."""

    passed: frozenset[SemanticId] = frozenset()
    returned: frozenset[SemanticId] = frozenset()


NOWHERE = Sites()


def all_sites(core: Core) -> dict[SemanticId, Sites]:
    """Where each declared type is used, directly or inside another."""
    decls = {decl.id: decl for decl in core.types}
    passed: dict[SemanticId, set[SemanticId]] = {id_: set() for id_ in decls}
    returned: dict[SemanticId, set[SemanticId]] = {id_: set() for id_ in decls}
    used = [(passed, param.id, param.type) for tool in core.tools for param in tool.params]
    used += [(passed, input_.id, input_.type) for input_ in core.inputs]
    used += [(returned, tool.id, tool.returns) for tool in core.tools]
    for uses, site, type_ in used:
        for name in _held(type_, decls):
            uses[name].add(site)
    return {id_: Sites(frozenset(passed[id_]), frozenset(returned[id_])) for id_ in decls}


def _held(type_: Type, decls: dict[SemanticId, TypeDecl]) -> set[SemanticId]:
    """Declared types that a value of `type_` may hold."""
    found: set[SemanticId] = set()
    waiting = [type_]
    while waiting:
        match waiting.pop():
            case NamedType(type=name) if name in decls and name not in found:
                found.add(name)
                alias = decls[name].alias
                waiting += [member.type for member in decls[name].fields or ()] if alias is None else [alias]
            case ListType(item=item) | NullableType(item=item) | MapType(value=item):
                waiting.append(item)
            case UnionType(options=options):
                waiting += options
            case _:
                pass
    return found
