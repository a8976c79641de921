"""Values that may be of several types: what may stand in one place is not shown alike.

The same places as `harness_dsl.ir.places` finds in a Core, in the tree.
"""

from collections.abc import Iterator
from itertools import combinations

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.checks.names import spaces
from harness_dsl.syntax.quotes import value_of

Declared = tuple[str, str, t.Node]
"""The declared and the shown name of an enum value or field, and where the latter is written."""


def check(analysis: Analysis) -> None:
    """Says for each pair once that the two cannot be told apart, unless they share a namespace."""
    alike = {
        (id(first), id(at)): (first, at, shown)
        for declared in _places(analysis)
        for shown, same in _by_name(declared).items()
        for (one, first), (other, at) in combinations(same, 2)
        if one != other
    }
    if not alike:
        return
    space_of = {id(at): space for space, entries in spaces(analysis).items() for _, at in entries}
    for first, at, shown in alike.values():
        # A value that is listed twice has its own finding, and is in no namespace.
        if space_of.get(id(first)) in (None, space_of.get(id(at))):
            continue
        analysis.report.say(
            "HD702",
            f"two that may stand in one place are shown as `{shown}`",
            at,
            'Give one of them another name with `named "…"`.',
            (first, "the other one"),
        )


def _by_name(declared: list[Declared]) -> dict[str, list[tuple[str, t.Node]]]:
    """(declared name, place) of what is shown under each name."""
    found: dict[str, list[tuple[str, t.Node]]] = {}
    for name, shown, at in declared:
        found.setdefault(shown, []).append((name, at))
    return found


def _places(analysis: Analysis) -> Iterator[list[Declared]]:
    """The enum values, and the fields, that may be met in one place, for every such place."""
    types = analysis.symbols.types
    waiting: list[list[t.TypeNode]] = [[union] for type_ in _written(analysis) for union in _unions(type_)]
    seen: set[frozenset[int]] = set()
    while waiting:
        # Each once: a type that comes back to itself would be met again, and more often, on every level.
        options = list({id(one): one for type_ in waiting.pop() for one in _opened(type_, types)}.values())
        key = frozenset(map(id, options))
        if len(options) < 2 or key in seen:
            continue
        seen.add(key)
        fields = [field for option in options for field in _fields(option, types)]
        literals = [option for option in options if isinstance(option, t.LiteralType)]
        yield [_value(option) for option in literals]
        yield [_field(field) for field in fields]
        waiting.append([option.item for option in options if isinstance(option, t.ListTypeNode)])
        waiting.append([option.item for option in options if isinstance(option, t.GenericType)])
        for name in dict.fromkeys(field.name.text for field in fields):
            waiting.append([field.type for field in fields if field.name.text == name])


def _written(analysis: Analysis) -> Iterator[t.TypeNode]:
    """Types of what a model reads or writes; values of inputs are printed as they are."""
    symbols = analysis.symbols
    for decl in symbols.types.values():
        if isinstance(decl, t.AliasDecl):
            yield decl.type
        else:
            yield from (field.type for field in decl.fields)
    for tool in symbols.tools.values():
        yield from (param.type for param in tool.params)
        yield tool.returns


def _unions(type_: t.TypeNode) -> Iterator[t.TypeNode]:
    match type_:
        case t.UnionTypeNode():
            yield type_
            for option in type_.options:
                yield from _unions(option)
        case t.ListTypeNode() | t.NullableTypeNode() | t.GenericType():
            yield from _unions(type_.item)
        case t.NamedType() | t.LiteralType():
            return


def _opened(type_: t.TypeNode, types: dict[str, t.TypeDecl]) -> list[t.TypeNode]:
    """What a value of `type_` may be of, behind unions, nullables and aliases."""
    found: list[t.TypeNode] = []
    waiting, seen = [type_], set[str]()
    while waiting:
        match waiting.pop(0):
            case t.UnionTypeNode() as union:
                waiting[:0] = union.options
            case t.NullableTypeNode() as nullable:
                waiting.insert(0, nullable.item)
            case t.NamedType() as named:
                decl = types.get(named.name.text)
                if not isinstance(decl, t.AliasDecl):
                    found.append(named)
                elif named.name.text not in seen:
                    seen.add(named.name.text)
                    waiting.insert(0, decl.type)
            case other:
                found.append(other)
    return found


def _fields(option: t.TypeNode, types: dict[str, t.TypeDecl]) -> list[t.Field]:
    decl = types.get(option.name.text) if isinstance(option, t.NamedType) else None
    return decl.fields if isinstance(decl, t.RecordDecl) else []


def _value(option: t.LiteralType) -> Declared:
    at = option.named or option.value
    return value_of(option.value), value_of(at), at


def _field(field: t.Field) -> Declared:
    if field.named is not None:
        return field.name.text, value_of(field.named), field.named
    return field.name.text, field.name.text, field.name
