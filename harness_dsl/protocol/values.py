"""JSON values between their declared form (Core ids, canonical) and the form a Surface shows.

Only what names a symbol is translated: keys of records and values of enums. A string that merely equals a
name stays.
"""

from typing import Any, assert_never

from harness_dsl.ir.core import Core, Member, TypeDecl
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.places import opened
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface
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
from harness_dsl.protocol.forms import Forms
from harness_dsl.protocol.source_map import Sourced


class UnknownName(Exception):
    """A name stands where a symbol is due, and shows none. The message names it and what was expected.

    `text` is the name, if it stands where a value of an enum is due, else "".
    """

    def __init__(self, message: str, text: str = "") -> None:
        super().__init__(message)
        self.text = text


class Values:
    """Shows and reads values of one Core under one Surface."""

    def __init__(self, core: Core, surface: Surface, naming: Naming) -> None:
        self._naming = naming
        self._surface = surface
        self._types = declared_types(core)
        self._members: dict[SemanticId, list[Member]] = {}

    def members(self, type_id: SemanticId) -> list[Member]:
        """The fields of a record in shown order."""
        found = self._members.get(type_id)
        if found is None:
            by_id = {field.id: field for field in self._types[type_id].fields or ()}
            found = [by_id[id_] for id_ in ordered(self._surface, type_id, tuple(by_id))]
            self._members[type_id] = found
        return found

    def show(self, value: Any, type_: Type) -> Any:
        """The shown form of a declared value, each name a `Sourced`. What does not fit its type is left."""
        return self._walk(value, type_, reading=False)

    def read(self, value: Any, type_: Type) -> Any:
        """The declared form of a shown value. What does not fit its type is left for the type check.

        Raises `UnknownName` for a text that shows no value of its enum, and for a record key that shows no
        field.
        """
        return self._walk(value, type_, reading=True)

    def _walk(self, value: Any, type_: Type, *, reading: bool) -> Any:
        match type_:
            case StringType() | IntType() | DecimalType() | FloatType() | BoolType() | TimeType() | AnyType():
                return value
            case EnumType():
                return self._enum(value, type_, reading)
            case ListType():
                if not isinstance(value, list | tuple):
                    return value
                return [self._walk(item, type_.item, reading=reading) for item in value]
            case MapType():
                if not isinstance(value, dict):
                    return value
                return {key: self._walk(item, type_.value, reading=reading) for key, item in value.items()}
            case NullableType():
                return None if value is None else self._walk(value, type_.item, reading=reading)
            case UnionType():
                return self._union(value, type_, reading)
            case NamedType():
                return self._named(value, type_, reading)
            case _:
                assert_never(type_)

    def _enum(self, value: Any, type_: EnumType, reading: bool) -> Any:
        if not isinstance(value, str):
            return value
        if not reading:
            shown = {member.value: member.id for member in type_.members}
            return self._sourced(shown[value]) if value in shown else value
        declared = {self._naming.name(member.id): member.value for member in type_.members}
        if value not in declared:
            raise UnknownName(f"`{value}` is none of {', '.join(f'`{name}`' for name in declared)}", value)
        return declared[value]

    def _union(self, value: Any, type_: UnionType, reading: bool) -> Any:
        """Read or shown as the first option of its form, enums first. A text that an enum refuses is never
        taken for free text.
        """
        if value is None:
            return None
        # The sort is stable: enums in order, then the others in order.
        options = sorted(opened(type_, self._types), key=lambda option: not isinstance(option, EnumType))
        forms = Forms(self._types, self._naming, reading)
        refusal: UnknownName | None = None
        for option in options:
            if not forms.whole(value, option):
                continue
            if refusal is not None and forms.free(value, option, refusal.text):
                continue
            try:
                return self._walk(value, option, reading=reading)
            except UnknownName as error:
                refusal = error
        if refusal is not None:
            raise refusal
        return self._of_no_option(value, options, forms, reading)

    def _of_no_option(self, value: Any, options: list[Type], forms: Forms, reading: bool) -> Any:
        """A value that is wrong inside, as the option it looks like, for the type check to say what is wrong.
        Keys that show no field are not left to be taken for declared ones.
        """
        for option in options:
            if forms.outside(value, option):
                return self._walk(value, option, reading=reading)
        if reading and isinstance(value, dict) and any(isinstance(option, NamedType) for option in options):
            keys = ", ".join(f"`{key}`" for key in value)
            raise UnknownName(f"nothing here has the fields {keys}")
        return value

    def _sourced(self, symbol: SemanticId) -> Sourced:
        return Sourced(self._naming.name(symbol), symbol, "symbol")

    def _named(self, value: Any, type_: NamedType, reading: bool) -> Any:
        decl = self._types.get(type_.type)
        if decl is None:
            return value
        if decl.fields is None:
            return value if decl.alias is None else self._walk(value, decl.alias, reading=reading)
        if not isinstance(value, dict):
            return value
        return self.record(
            value, [(field.id, field.type) for field in self.members(decl.id)], reading=reading
        )

    def record(
        self, value: dict[str, Any], members: list[tuple[SemanticId, Type]], *, reading: bool
    ) -> dict[str, Any]:
        """A record, or the arguments of a call, in the order of `members`; showing, keys nobody declared
        come last.

        Raises `UnknownName` when reading a key that shows none of `members`.
        """
        result: dict[str, Any] = {}
        known: set[str] = set()
        for id_, type_ in members:
            source, target = self._naming.name(id_), leaf(id_)
            if not reading:
                source, target = target, self._sourced(id_)
            known.add(source)
            if source in value:
                result[target] = self._walk(value[source], type_, reading=reading)
        for key in value:
            if key in known:
                continue
            if reading:
                raise UnknownName(f"there is no `{key}`")
            result.setdefault(key, value[key])
        return result


@remembered
def declared_types(core: Core) -> dict[SemanticId, TypeDecl]:
    """The declared types by id."""
    return {decl.id: decl for decl in core.types}


def ordered(surface: Surface, key: str, ids: tuple[SemanticId, ...]) -> tuple[SemanticId, ...]:
    """`ids` in the Surface's order of the list `key`; those it does not name come last, sorted."""
    named = surface.orders.get(key, ())
    present = set(ids)
    first = tuple(id_ for id_ in named if id_ in present)
    return (*first, *sorted(present.difference(first)))
