"""What an expression yields: the few kinds that operators tell apart."""

from typing import Literal, NamedTuple

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.symbols import Symbols

Name = Literal["text", "number", "bool", "null", "list", "record", "map", "nullable", "any"]
BUILTIN: dict[str, Name] = {
    "string": "text",
    "int": "number",
    "decimal": "number",
    "float": "number",
    "bool": "bool",
    "date": "text",
    "time": "text",
    "datetime": "text",
    "any": "any",
}


class Kind(NamedTuple):
    """`item`: of a list, map or nullable. `types`: the declared names of the records it may be of. `values`:
    of an enum.
    """

    name: Name
    item: "Kind | None" = None
    types: tuple[str, ...] = ()
    values: tuple[str, ...] = ()

    def __str__(self) -> str:
        match self.name:
            case "list":
                return f"a list of {_plural(self.item)}"
            case "map":
                return f"a map of {_plural(self.item)}"
            case "record":
                return "a record " + " or ".join(f"`{name}`" for name in self.types)
            case "nullable":
                return f"{self.item} or null"
            case "null":
                return "null"
            case "any":
                return "any value"
            case "text":
                return "a text"
            case "number":
                return "a number"
            case "bool":
                return "true or false"


def _plural(kind: Kind | None) -> str:
    return {"text": "texts", "number": "numbers", "record": "records"}.get(
        kind.name if kind else "", "values"
    )


_ALIASES = 12
"""So many names for names are followed; types that are nested deeper are reported where they are declared."""

TEXT, NUMBER, BOOL, NULL, ANY = Kind("text"), Kind("number"), Kind("bool"), Kind("null"), Kind("any")


def kind_of(node: t.TypeNode, symbols: Symbols, seen: tuple[str, ...] = ()) -> Kind:
    """The kind of the values of type `node`; `any` where the type itself is wrong."""
    match node:
        case t.LiteralType():
            return Kind("text", values=(value_of(node.value),))
        case t.ListTypeNode():
            return Kind("list", kind_of(node.item, symbols, seen))
        case t.GenericType():
            return Kind("map", kind_of(node.item, symbols, seen))
        case t.NullableTypeNode():
            inner = kind_of(node.item, symbols, seen)
            return inner if inner.name in ("nullable", "any") else Kind("nullable", inner)
        case t.UnionTypeNode():
            return either([kind_of(option, symbols, seen) for option in node.options])
        case t.NamedType():
            name = node.name.text
            if name in BUILTIN:
                return Kind(BUILTIN[name])
            decl = symbols.types.get(name)
            if isinstance(decl, t.RecordDecl):
                return Kind("record", types=(name,))
            if decl is None or name in seen or len(seen) > _ALIASES:
                return ANY
            return kind_of(decl.type, symbols, (*seen, name))


def either(kinds: list[Kind]) -> Kind:
    """The kind of a value that is of one of `kinds`."""
    if any(kind.name == "nullable" for kind in kinds):
        inner = either([present(kind) for kind in kinds])
        return inner if inner.name == "any" else Kind("nullable", inner)
    if all(kind.values for kind in kinds):
        return Kind("text", values=tuple(dict.fromkeys(value for kind in kinds for value in kind.values)))
    names = {kind.name for kind in kinds}
    if names == {"record"}:
        return Kind("record", types=tuple(dict.fromkeys(name for kind in kinds for name in kind.types)))
    if names in ({"list"}, {"map"}):
        return Kind(kinds[0].name, either([kind.item or ANY for kind in kinds]))
    return Kind(kinds[0].name) if len(names) == 1 else ANY


def present(kind: Kind) -> Kind:
    """`kind` without null."""
    return kind.item if kind.name == "nullable" and kind.item is not None else kind


def comparable(left: Kind, right: Kind) -> bool:
    """Whether `==` between them can ever hold."""
    if "any" in (left.name, right.name):
        return True
    if left.name == "null":
        return right.name in ("nullable", "null")
    if right.name == "null":
        return left.name in ("nullable", "null")
    left, right = present(left), present(right)
    if left.name == right.name == "list":
        return comparable(left.item or ANY, right.item or ANY)
    return left.name == right.name or "any" in (left.name, right.name)
