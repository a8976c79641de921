"""Types of a harness as Python annotations of JSON data: records are `TypedDict`s, enums `Literal`s."""

import keyword
import unicodedata
from typing import assert_never

from harness_dsl.exchange.shown_tools import ShownTools, Unsupported
from harness_dsl.ir.core import Core, Member, TypeDecl
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.texts import Text
from harness_dsl.ir.types import (
    AnyType,
    BoolType,
    DecimalType,
    EnumType,
    FloatType,
    IntType,
    ListType,
    MapType,
    NamedType,
    NullableType,
    StringType,
    TimeType,
    Type,
    UnionType,
)

USED = frozenset(
    {"Any", "Decimal", "Literal", "NotRequired", "TypeAlias", "TypedDict", "Unpack", "annotations",
     "dict", "list", "str", "int", "float", "bool", "NotImplementedError", "__future__", "typing", "decimal"}
)  # fmt: skip
"""Names that the module itself needs."""


def python_name(name: str) -> bool:
    """Whether Python takes `name` as it is: it turns identifiers into NFKC, and some words are its own."""
    plain = unicodedata.normalize("NFKC", name) == name
    return plain and name.isidentifier() and not keyword.iskeyword(name)


def free_name(name: str, taken: set[str]) -> str:
    """`name`, or one like it, that is a Python name and nobody's; it is taken from now on."""
    free = unicodedata.normalize("NFKC", name)
    if not free.isidentifier():
        free = "unnamed"
    while free in taken or not python_name(free):
        free += "_"
    taken.add(free)
    return free


class StubTypes:
    """Annotations of one Core. `taken`: names of the module; those of the types are added. `lost`:
    constraints that no annotation says, by symbol.
    """

    def __init__(self, core: Core, shown: ShownTools, taken: set[str]) -> None:
        self._shown = shown
        self._decls = core.types
        self._names = {decl.id: free_name(leaf(decl.id), taken) for decl in core.types}
        self.lost: list[tuple[SemanticId, str]] = []

    def annotation(self, type_: Type, owner: SemanticId) -> str:
        """`type_` of the symbol `owner`."""
        match type_:
            case StringType():
                self._lose(owner, pattern=type_.pattern, format=type_.format)
                self._lose(owner, minLength=type_.min_length, maxLength=type_.max_length)
                return "str"
            case TimeType():
                self._lose(owner, format=type_.form)
                return "str"
            case IntType() | FloatType() | DecimalType():
                self._lose(owner, minimum=type_.min, maximum=type_.max)
                return {"int": "int", "float": "float", "decimal": "float | Decimal"}[type_.kind]
            case BoolType():
                return "bool"
            case AnyType():
                return "Any"
            case EnumType():
                return f"Literal[{', '.join(repr(member.value) for member in type_.members)}]"
            case ListType():
                self._lose(owner, minItems=type_.min_length, maxItems=type_.max_length)
                return f"list[{self.annotation(type_.item, owner)}]"
            case MapType():
                return f"dict[str, {self.annotation(type_.value, owner)}]"
            case NullableType():
                return f"{self.annotation(type_.item, owner)} | None"
            case UnionType():
                return " | ".join(self.annotation(option, owner) for option in type_.options)
            case NamedType():
                return self._names[type_.type]
            case _:
                assert_never(type_)

    def takes_none(self, type_: Type) -> bool:
        """Whether null is a value of `type_`."""
        match type_:
            case NullableType() | AnyType():
                return True
            case UnionType():
                return any(map(self.takes_none, type_.options))
            case NamedType():
                alias = next(decl.alias for decl in self._decls if decl.id == type_.type)
                return alias is not None and self.takes_none(alias)
            case _:
                return False

    def declarations(self) -> list[str]:
        """Every declared type, in order."""
        return [self._declared(decl) for decl in self._decls]

    def _declared(self, decl: TypeDecl) -> str:
        name = self._names[decl.id]
        text = self._text(decl.description)
        if decl.fields is None:
            assert decl.alias is not None
            alias = self.annotation(decl.alias, decl.id)
            # Quoted: the alias may name itself, and types further down.
            return comment(text) + f"{name}: TypeAlias = {alias!r}"
        by_id = {field.id: field for field in decl.fields}
        members = [by_id[id_] for id_ in self._shown.order(decl.id, tuple(by_id))]
        fields = [(leaf(one.id), self._field(one), self._text(one.description)) for one in members]
        if all(python_name(key) and not _odd_in_class(key) for key, _, _ in fields):
            body = docstring(with_members(text, [(key, about) for key, _, about in fields]), "    ")
            lines = [f"    {key}: {annotation}\n" for key, annotation, _ in fields]
            return f"class {name}(TypedDict):\n" + (body + "".join(lines) or "    pass\n").rstrip("\n")
        entries = "".join(f"    {key!r}: {annotation!r},\n" for key, annotation, _ in fields)
        about = with_members(text, [(key, about) for key, _, about in fields])
        return comment(about) + f"{name} = TypedDict({name!r}, {{\n{entries}}})"

    def _field(self, field: Member) -> str:
        annotation = self.annotation(field.type, field.id)
        return f"NotRequired[{annotation}]" if field.optional else annotation

    def _text(self, description: Text | None) -> str:
        if description is None:
            return ""
        try:
            return self._shown.text(description)
        except Unsupported as fault:
            self.lost.append((description.id, f"a description: {fault.reason}"))
            return ""

    def _lose(self, owner: SemanticId, **constraints: object) -> None:
        self.lost += [(owner, f"`{name}`") for name, value in constraints.items() if value is not None]


def _odd_in_class(name: str) -> bool:
    """Whether a field of a class would be mangled, or hide a name from the annotations below it."""
    return name.startswith("__") or name in USED or name[:1].isupper()


def with_members(text: str, members: list[tuple[str, str]]) -> str:
    """A description, and below it one line for each member that has one."""
    said = [f"{name}: {about}" for name, about in members if about.strip()]
    return "\n\n".join(part for part in (text, "\n".join(said)) if part)


def docstring(text: str, indent: str) -> str:
    """`text` as a docstring, with its line end; "" if it says nothing."""
    if not text.strip():
        return ""
    plain = all(char.isprintable() or char == "\n" for char in text)
    if not plain or "\\" in text or '"""' in text or text.endswith('"'):
        return f"{indent}{text!r}\n"
    lines = text.split("\n")
    shown = [lines[0], *(indent + line if line.strip() else "" for line in lines[1:])]
    end = f"\n{indent}" if len(lines) > 1 else ""
    return f'{indent}"""' + "\n".join(shown) + f'{end}"""\n'


def comment(text: str) -> str:
    """`text` as comment lines, with their line ends."""
    return "".join(f"# {line}\n" for line in text.splitlines() if line.strip())
