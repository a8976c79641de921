"""Types that may stand in one place, and what a reader has to tell apart there."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from harness_dsl.ir.core import Core, Member, TypeDecl
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.types import (
    AnyType,
    EnumType,
    ListType,
    MapType,
    NamedType,
    NullableType,
    StringType,
    TimeType,
    Type,
    UnionType,
)
from harness_dsl.ir.walk import types


def opened(type_: Type, declared: Mapping[SemanticId, TypeDecl]) -> tuple[Type, ...]:
    """The types that a value of `type_`, if not null, may be of: behind unions, nullables and aliases."""
    found: list[Type] = []
    seen: set[SemanticId] = set()
    waiting = [type_]
    while waiting:
        match waiting.pop(0):
            case UnionType(options=options):
                waiting[:0] = options
            case NullableType(item=item):
                waiting.insert(0, item)
            case NamedType(type=name) as named:
                alias = declared[name].alias if name in declared else None
                if alias is None:
                    found.append(named)
                elif name not in seen:
                    seen.add(name)
                    waiting.insert(0, alias)
            case other:
                found.append(other)
    return tuple(found)


@dataclass(frozen=True)
class Place:
    """A place where values of several types may stand, as texts or as keys.

    members     the enum values, or the record fields, that may be met there: shown alike, nobody could tell
                which is meant, unless they are declared alike too
    mistakable  those of them that could be taken for free text, or for a key of a map
    """

    members: tuple[SemanticId, ...]
    mistakable: tuple[SemanticId, ...]


@remembered
def places(core: Core) -> tuple[Place, ...]:
    """Every place of `core` where a value that a model reads or writes may be of several types."""
    return tuple(_all_places(core))


def _all_places(core: Core) -> Iterator[Place]:
    declared = {decl.id: decl for decl in core.types}
    written = (type_ for owner, type_ in types(core) if not owner.startswith("input/"))
    seen: set[frozenset[int]] = set()
    waiting: list[tuple[Type, ...]] = [(union,) for type_ in written for union in _unions(type_)]
    while waiting:
        together = waiting.pop()
        # Each once: a type that comes back to itself would be met again, and more often, on every level.
        options = list({id(one): one for type_ in together for one in opened(type_, declared)}.values())
        key = frozenset(map(id, options))
        if len(options) < 2 or key in seen:
            continue
        seen.add(key)
        fields = [field for option in options for field in _fields(option, declared)]
        yield from _places(options, fields)
        waiting += _inside(options, fields)


def rivals(core: Core) -> dict[SemanticId, frozenset[SemanticId]]:
    """For each enum value and field, those of another declared name that may be met in the same place."""
    found: dict[SemanticId, set[SemanticId]] = {}
    for place in places(core):
        for id_ in place.members:
            found.setdefault(id_, set()).update(other for other in place.members if leaf(other) != leaf(id_))
    return {id_: frozenset(others) for id_, others in found.items() if others}


def _unions(type_: Type) -> Iterator[Type]:
    match type_:
        case UnionType(options=options):
            yield type_
            for option in options:
                yield from _unions(option)
        case ListType(item=inner) | NullableType(item=inner) | MapType(value=inner):
            yield from _unions(inner)
        case _:
            return


def _fields(option: Type, declared: Mapping[SemanticId, TypeDecl]) -> tuple[Member, ...]:
    if not isinstance(option, NamedType) or option.type not in declared:
        return ()
    return declared[option.type].fields or ()


def _places(options: list[Type], fields: list[Member]) -> Iterator[Place]:
    values = [member.id for option in options if isinstance(option, EnumType) for member in option.members]
    keys = [field.id for field in fields]
    free_text = any(isinstance(option, StringType | TimeType | AnyType) for option in options)
    free_keys = any(isinstance(option, MapType | AnyType) for option in options)
    for ids, free in ((values, free_text), (keys, free_keys)):
        members = tuple(dict.fromkeys(ids))
        yield Place(members, members if free else ())


def _inside(options: list[Type], fields: list[Member]) -> Iterator[tuple[Type, ...]]:
    """What may stand together inside values of `options`: entries, and fields of one declared name."""
    yield tuple(option.item for option in options if isinstance(option, ListType))
    yield tuple(option.value for option in options if isinstance(option, MapType))
    for name in {leaf(field.id) for field in fields}:
        yield tuple(field.type for field in fields if leaf(field.id) == name)


def alike(ids: Iterable[SemanticId], shown: Mapping[SemanticId, str]) -> Iterator[tuple[SemanticId, ...]]:
    """Those of `ids` that are declared under several names and shown under one."""
    by_name: dict[str, list[SemanticId]] = {}
    for id_ in ids:
        by_name.setdefault(shown.get(id_) or leaf(id_), []).append(id_)
    for same in by_name.values():
        if len({leaf(id_) for id_ in same}) > 1:
            yield tuple(same)
