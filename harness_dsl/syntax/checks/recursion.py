"""Declared types that contain themselves: where that has no end, and where types are nested too deep."""

from collections.abc import Iterator

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis

HEIGHT = 60
"""How deep a type may be with the types that it names: what is shown of it is written out whole."""
Types = dict[str, t.TypeDecl]


def check(analysis: Analysis) -> None:
    types = analysis.symbols.types
    endless = _endless(types)
    for name in endless:
        analysis.report.say(
            "HD304",
            f"`{name}` always contains itself",
            types[name].name,
            "Make a field on the way optional, nullable or a list.",
        )
    aliases = {name: _at_once(decl) for name, decl in types.items() if isinstance(decl, t.AliasDecl)}
    for name in _on_a_circle(aliases):
        if name not in endless:
            analysis.report.say(
                "HD304", f"`{name}` stands for itself", types[name].name, "Say what else it may be."
            )
    _check_depth(analysis)


def _endless(types: Types) -> list[str]:
    """The types without a finite value that others owe that to, as those on a circle do."""
    finite: set[str] = set()
    users: dict[str, list[str]] = {}
    for name, decl in types.items():
        for inner, _ in parts(decl):
            users.setdefault(inner, []).append(name)
    todo = list(types)
    while todo:
        name = todo.pop()
        if name not in finite and _has_value(types[name], types, finite):
            finite.add(name)
            todo += users.get(name, ())
    rest = types.keys() - finite
    return _on_a_circle(
        {name: {inner for inner, _ in parts(types[name])} & rest for name in types if name in rest}
    )


def _has_value(decl: t.TypeDecl, types: Types, finite: set[str]) -> bool:
    """Whether `decl` has a value, given the types that are known to have one."""
    if isinstance(decl, t.AliasDecl):
        return _fillable(decl.type, types, finite)
    return all(field.optional or _fillable(field.type, types, finite) for field in decl.fields)


def _fillable(node: t.TypeNode, types: Types, finite: set[str]) -> bool:
    match node:
        case t.NamedType():
            return node.name.text not in types or node.name.text in finite
        case t.ListTypeNode():
            low = node.bounds.low if node.bounds else None
            return low is None or not low.text.strip("0") or _fillable(node.item, types, finite)
        case t.UnionTypeNode():
            return any(_fillable(option, types, finite) for option in node.options)
        case t.NullableTypeNode() | t.GenericType() | t.LiteralType():
            return True


def _at_once(decl: t.AliasDecl) -> set[str]:
    """The types that a value of the alias is held against before any part of it is."""
    found: set[str] = set()
    todo: list[t.TypeNode] = [decl.type]
    while todo:
        match todo.pop():
            case t.NamedType() as named:
                found.add(named.name.text)
            case t.NullableTypeNode() as nullable:
                todo.append(nullable.item)
            case t.UnionTypeNode() as union:
                todo += union.options
            case _:
                continue
    return found


def _on_a_circle(needs: dict[str, set[str]]) -> list[str]:
    """The names that come back to themselves (Kosaraju: two walks, the second against the arrows)."""
    users: dict[str, list[str]] = {name: [] for name in needs}
    for name, others in needs.items():
        for other in others & needs.keys():
            users[other].append(name)
    circle_of: dict[str, str] = {}
    for start in reversed(_finished(needs)):
        todo = [start]
        while todo:
            name = todo.pop()
            if name not in circle_of:
                circle_of[name] = start
                todo += users[name]
    sizes: dict[str, int] = {}
    for start in circle_of.values():
        sizes[start] = sizes.get(start, 0) + 1
    return [name for name in needs if sizes[circle_of[name]] > 1 or name in needs[name]]


def _finished(needs: dict[str, set[str]]) -> list[str]:
    """The names in the order in which a walk along the arrows leaves them."""
    order: list[str] = []
    seen: set[str] = set()
    for start in needs:
        stack = [] if start in seen else [(start, iter(sorted(needs[start] & needs.keys())))]
        seen.add(start)
        while stack:
            name, rest = stack[-1]
            further = next((other for other in rest if other not in seen), None)
            if further is None:
                order.append(name)
                stack.pop()
            else:
                seen.add(further)
                stack.append((further, iter(sorted(needs[further] & needs.keys()))))
    return order


def _check_depth(analysis: Analysis) -> None:
    """Types that are nested too deep through the names of others. A type that comes back to itself ends."""
    types = analysis.symbols.types
    depth: dict[str, int] = {}
    done: set[str] = set()
    stack = list(types)
    while stack:
        name = stack.pop()
        if name in done:
            continue
        named = [(inner, at) for inner, at in parts(types[name]) if inner in types]
        waiting = [inner for inner, _ in named if inner not in depth]
        depth.setdefault(name, 0)
        if waiting:
            stack += [name, *waiting]
            continue
        done.add(name)
        below = max((depth[inner] for inner, _ in named), default=0)
        depth[name] = max((at + 1 + depth[inner] for inner, at in named), default=0)
        if depth[name] > HEIGHT >= below:
            analysis.report.say(
                "HD117",
                f"with the types it names, `{name}` is nested more than {HEIGHT} deep",
                types[name].name,
                "Make one of them flatter.",
            )


def parts(decl: t.TypeDecl) -> Iterator[tuple[str, int]]:
    """The names in `decl`, each with how deep it stands."""
    nodes = [field.type for field in decl.fields] if isinstance(decl, t.RecordDecl) else [decl.type]
    for node in nodes:
        for part, below in walk(node):
            if isinstance(part, t.NamedType):
                yield part.name.text, below


def walk(node: t.TypeNode) -> Iterator[tuple[t.TypeNode, int]]:
    """`node` and every type inside, each with how deep it stands."""
    todo = [(node, 0)]
    while todo:
        part, depth = todo.pop()
        yield part, depth
        match part:
            case t.UnionTypeNode():
                todo += [(option, depth + 1) for option in reversed(part.options)]
            case t.ListTypeNode() | t.NullableTypeNode() | t.GenericType():
                todo.append((part.item, depth + 1))
            case _:
                continue
