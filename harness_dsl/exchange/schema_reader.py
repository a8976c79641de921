"""JSON Schema as types of the language. Meaning is kept or reported: nothing is dropped in silence.

Records of the language are closed: `additionalProperties: false` is what they mean, and an open record is a
loss only where the source says so.
"""

import json
from typing import Any

from harness_dsl.exchange.draft import Declared, Entry, misfit
from harness_dsl.exchange.found import Lose, Unreadable, pointer
from harness_dsl.exchange.json_kinds import json_kinds
from harness_dsl.exchange.names import Names, type_name
from harness_dsl.exchange.prose import without_surrogates
from harness_dsl.exchange.schema_merge import merged, resolved
from harness_dsl.exchange.schema_scalars import ONLY_NULL, length, read_enum, read_number, read_string
from harness_dsl.exchange.schema_words import BELONGS, SILENT, is_of, type_names
from harness_dsl.exchange.writing import printable
from harness_dsl.ir.naming import enum_members
from harness_dsl.ir.types import (
    AnyType,
    BoolType,
    EnumType,
    ListType,
    MapType,
    NamedType,
    NullableType,
    Type,
    UnionType,
)

DEPTH = 30


class SchemaReader:
    """Reads the schemas of one tool. `types` fills with the declarations they need."""

    def __init__(self, root: Any, at: str, owner: str, names: Names, lose: Lose) -> None:
        self.types: list[Declared] = []
        self._root = root
        self._at = at
        self._owner = owner
        self._names = names
        self._lose = lose
        self._referred: dict[str, str] = {}
        self._depth = 0

    def entries(self, schema: dict[str, Any], at: str, hint: tuple[str, ...], defaults: bool) -> list[Entry]:
        """The properties of an object as parameters (`defaults`) or fields."""
        properties = schema.get("properties")
        if properties is None:
            properties = {}
        if not isinstance(properties, dict):
            raise Unreadable("`properties` is no object")
        required = schema.get("required")
        if required is not None and not isinstance(required, list):
            self._lose(f"{at}/required", "a `required` that is no list")
        wanted = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
        if isinstance(required, list) and len(wanted) < len(required):
            self._lose(f"{at}/required", "names in `required` that are no text")
        names, found = Names(), []
        for name, part in properties.items():
            place = at + pointer("properties", name)
            found.append(self._entry(name, part, place, hint, name in wanted, defaults, names))
        for name in dict.fromkeys(wanted):
            if name not in properties:
                if schema.get("additionalProperties") is False:
                    self._lose(f"{at}/additionalProperties", f"that there is no `{name}`, which is required")
                self._lose(f"{at}/required", f"what `{name}` is, which is required and not described")
                found.append(self._entry(name, {}, at, hint, True, defaults, names))
        return found

    def _entry(
        self,
        name: str,
        schema: Any,
        at: str,
        hint: tuple[str, ...],
        required: bool,
        defaults: bool,
        names: Names,
    ) -> Entry:
        type_ = self.type(schema, at, (*hint, name), described=True)
        own = names.identifier(name)
        shown = names.shown(name, own)
        if shown != name:
            self._lose(at, f"the name {json.dumps(name, ensure_ascii=False)}: it is shown as `{shown}`")
        entry = Entry(own, shown, type_, not required, self._text(schema, at))
        if isinstance(schema, dict) and schema.get("optional") not in (None, not required):
            self._lose(f"{at}/optional", "an `optional` that `required` contradicts")
        if isinstance(schema, dict) and "default" in schema:
            self._default(entry, schema["default"], f"{at}/default", required, defaults)
        return entry

    def _default(self, entry: Entry, value: Any, at: str, required: bool, allowed: bool) -> None:
        if not allowed:
            self._lose(at, "the default of a field")
        elif required:
            self._lose(at, "the default of a parameter that is required")
        elif value is None and misfit(None, entry.type, self.types) is not None:
            self._lose(at, "a default of null where null is no value")
        elif not printable(value) or misfit(value, entry.type, self.types) is not None:
            self._lose(at, "a default that is outside its own type")
        else:
            entry.has_default, entry.default, entry.optional = True, value, False

    def type(self, schema: Any, at: str, hint: tuple[str, ...], described: bool = False) -> Type:
        """The type of `schema`, which stands at the pointer `at`. `hint`: where from, to name types after.

        `described`: the caller takes the description, as that of a parameter or field, or of a declared type;
        otherwise a type is declared to carry one.
        """
        if schema is True:
            return AnyType()
        if not isinstance(schema, dict):
            self._lose(at, "a schema that is no object")
            return AnyType()
        if not described:
            self._of_entries(schema, at)
        self._depth += 1
        if self._depth > DEPTH:
            raise Unreadable(f"types are nested more than {DEPTH} deep")
        try:
            return self._described(self._nullable(schema, at, hint), schema, at, hint, described)
        finally:
            self._depth -= 1

    def _of_entries(self, schema: dict[str, Any], at: str) -> None:
        """What only parameters and fields have."""
        for keyword in ("default", "optional", "name"):
            if keyword in schema:
                self._lose(at + pointer(keyword), f"`{keyword}` of what is neither parameter nor field")

    def _described(
        self, type_: Type, schema: dict[str, Any], at: str, hint: tuple[str, ...], done: bool
    ) -> Type:
        text = "" if done else self._text(schema, at)
        if not text:
            return type_
        if isinstance(type_, NamedType):
            decl = next(decl for decl in self.types if f"type/{decl.name}" == type_.type)
            if "$ref" not in schema and not decl.description:
                decl.description = text
                return type_
        return self._alias(type_, hint, text)

    def _alias(self, type_: Type, hint: tuple[str, ...], text: str = "") -> Type:
        name = self._type_name(hint)
        self.types.append(Declared(name, alias=type_, description=text))
        return NamedType(type=f"type/{name}")

    def _nullable(self, schema: dict[str, Any], at: str, hint: tuple[str, ...]) -> Type:
        schema = merged(schema, at, self._lose, self._root)
        null = schema.get("nullable") is True
        type_ = self._bare(schema, at, hint)
        if not null or isinstance(type_, NullableType | AnyType):
            return type_
        return NullableType(item=type_)

    def _bare(self, schema: dict[str, Any], at: str, hint: tuple[str, ...]) -> Type:
        self._unknown(schema, at)
        if "$ref" in schema:
            return self._reference(schema, at)
        names, unknown = type_names(schema)
        for name in unknown:
            self._lose(f"{at}/type", f"the type {json.dumps(name, ensure_ascii=False)}, which nobody defines")
        chosen = self._choice(schema, at)
        if chosen is not None:
            self._misplaced(schema, [], at)
            return self._options(schema, names, chosen, at, hint)
        found = self._listed(schema, names, at)
        if found is not None:
            return found
        self._misplaced(schema, names, at)
        if names == ["null"]:
            self._lose(f"{at}/type", ONLY_NULL)
        plain = [self._plain(name, schema, at, hint) for name in names if name != "null"]
        return self._union(plain, "null" in names, hint)

    def _choice(self, schema: dict[str, Any], at: str) -> str | None:
        """The keyword whose options are the type of `schema`. What holds beside a type is a loss."""
        chosen = None
        for keyword in ("anyOf", "oneOf"):
            options = schema.get(keyword)
            if keyword not in schema:
                continue
            if not isinstance(options, list) or not options:
                self._lose(f"{at}/{keyword}", f"an `{keyword}` without options")
            elif chosen is None and not schema.keys() & {"properties", "enum", "const"}:
                chosen = keyword
            else:
                self._lose(f"{at}/{keyword}", f"that {'one' if keyword == 'oneOf' else 'some'} of these hold")
        return chosen

    def _listed(self, schema: dict[str, Any], names: list[str], at: str) -> Type | None:
        """The type of the values that `const` or `enum` lists; None: neither says one."""
        values, found = schema.get("enum"), None
        if "const" in schema:
            found = self._enum([schema["const"]], "const", schema, names, at)
            if "enum" in schema and not _among(schema["const"], values):
                self._lose(f"{at}/enum", "values that the `const` beside them excludes")
                return found
        if found is not None or "enum" not in schema:
            return found
        if isinstance(values, list) and values:
            return self._enum(values, "enum", schema, names, at)
        self._lose(f"{at}/enum", "an `enum` without values")
        return None

    def _enum(
        self, values: list[Any], keyword: str, schema: dict[str, Any], names: list[str], at: str
    ) -> Type | None:
        place = f"{at}/{keyword}"
        if names and "any" not in names:
            kept = [value for value in values if any(is_of(value, name) for name in names)]
            if len(kept) < len(values):
                self._lose(place, "values that are not of the type beside them")
            if not kept:
                return None
            values = kept
        found = read_enum(values, place, self._lose)
        if found is not None and "null" in names and None not in values:
            self._lose(f"{at}/type", f"a null that the `{keyword}` beside it excludes")
        if found is not None:
            constraints = [word for word in BELONGS if word in schema]
            beside = "an `enum`" if keyword == "enum" else "a `const`"
            for word in [*constraints, *(["format"] if "format" in schema else [])]:
                self._lose(f"{at}/{word}", f"`{word}` beside {beside}")
        return found

    def _options(
        self, schema: dict[str, Any], names: list[str], keyword: str, at: str, hint: tuple[str, ...]
    ) -> Type:
        kept: list[Type] = []
        null = False
        for index, option in enumerate(schema[keyword]):
            if (
                isinstance(option, dict)
                and type_names(option)[0] == ["null"]
                and not option.keys() - {"type"}
            ):
                null = True
            else:
                kept.append(self.type(option, f"{at}/{keyword}/{index}", (*hint, str(index + 1))))
        kinds = {kind for option in kept for kind in json_kinds(option, self.types)}
        kinds |= {"null"} if null else set()
        allowed = {*names, "integer"} if "number" in names else set(names)
        if names and "any" not in names and not kinds <= allowed:
            self._lose(f"{at}/type", f"a type beside `{keyword}`")
        if keyword == "oneOf" and len(kept) > 1:
            self._lose(f"{at}/oneOf", "that no value may be of two of the options")
        if not kept:
            self._lose(f"{at}/{keyword}/0/type", ONLY_NULL)
        return self._union(kept, null, hint)

    def _union(self, options: list[Type], null: bool, hint: tuple[str, ...]) -> Type:
        flat: list[Type] = []
        for option in options:
            if isinstance(option, NullableType):
                null, option = True, option.item
            flat += option.options if isinstance(option, UnionType) else [option]
        flat = [option for at, option in enumerate(flat) if option not in flat[:at]]
        if not flat or any(isinstance(option, AnyType) for option in flat):
            return AnyType()
        flat = self._apart(flat, hint)
        type_ = flat[0] if len(flat) == 1 else UnionType(options=tuple(flat))
        return NullableType(item=type_) if null else type_

    def _apart(self, options: list[Type], hint: tuple[str, ...]) -> list[Type]:
        """One enum for all options that are enums; values inside lists and maps under a name of their own."""
        enums = [option for option in options if isinstance(option, EnumType)]
        rest = [
            self._alias(option, (*hint, "values"))
            if len(options) > 1 and any(True for _ in enum_members(option))
            else option
            for option in options
            if not isinstance(option, EnumType)
        ]
        if not enums:
            return rest
        members = {member.value: member for enum in enums for member in enum.members}
        joined = EnumType(members=tuple(members.values()))
        at = next(at for at, option in enumerate(options) if isinstance(option, EnumType))
        return [*rest[:at], joined, *rest[at:]]

    def _plain(self, name: str, schema: dict[str, Any], at: str, hint: tuple[str, ...]) -> Type:
        match name:
            case "string":
                return read_string(schema, at, self._lose)
            case "integer" | "number":
                return read_number(schema, at, self._lose, whole=name == "integer")
            case "boolean":
                return BoolType()
            case "array":
                return self._list(schema, at, hint)
            case "object":
                return self._object(schema, at, hint)
            case _:
                return AnyType()

    def _list(self, schema: dict[str, Any], at: str, hint: tuple[str, ...]) -> Type:
        items, place = schema.get("items", True), f"{at}/items"
        if "prefixItems" in schema:
            items, place = schema["prefixItems"], f"{at}/prefixItems"
            if "items" in schema:
                self._lose(f"{at}/items", "what follows the first places of a list")
        if isinstance(items, list):
            self._lose(place, "which place in the list has which type")
            options = [self.type(part, f"{place}/{at_}", (*hint, "item")) for at_, part in enumerate(items)]
            item = self._union(options, False, hint)
        else:
            item = self.type(items, place, (*hint, "item"))
        low = length(schema.get("minItems"), f"{at}/minItems", self._lose, 9)
        high = length(schema.get("maxItems"), f"{at}/maxItems", self._lose, 9)
        return ListType(item=item, min_length=low, max_length=high)

    def _object(self, schema: dict[str, Any], at: str, hint: tuple[str, ...]) -> Type:
        more = schema.get("additionalProperties")
        patterns = schema.get("patternProperties")
        if not schema.get("properties") and not schema.get("required"):
            if isinstance(patterns, dict) and len(patterns) == 1 and not isinstance(more, dict):
                self._lose(f"{at}/patternProperties", "which keys a map may have")
                if more is True:
                    self._lose(f"{at}/additionalProperties", "further keys beside those of a pattern")
                [(key, value)] = patterns.items()
                return MapType(
                    value=self.type(value, at + pointer("patternProperties", key), (*hint, "value"))
                )
            if patterns:
                self._lose(f"{at}/patternProperties", "types of values by the pattern of their key")
            if more is False:
                self._lose(f"{at}/additionalProperties", "that the object is empty")
            if not isinstance(more, dict):
                return MapType(value=AnyType())
            return MapType(value=self.type(more, f"{at}/additionalProperties", (*hint, "value")))
        self._further(schema, at)
        name = self._type_name(hint)
        decl = Declared(name, fields=[])
        self.types.append(decl)
        decl.fields = self.entries(schema, at, hint, defaults=False)
        return NamedType(type=f"type/{name}")

    def _further(self, schema: dict[str, Any], at: str) -> None:
        """What a record cannot have."""
        if schema.get("patternProperties"):
            self._lose(f"{at}/patternProperties", "further keys beside the declared ones")
        if schema.get("additionalProperties") not in (None, False):
            self._lose(f"{at}/additionalProperties", "further keys beside the declared ones")

    def _reference(self, schema: dict[str, Any], at: str) -> Type:
        reference = schema["$ref"]
        target = resolved(self._root, reference)
        known = {"$ref", "description", "desc", "nullable", "$defs", "definitions", "default"}
        if isinstance(target, dict) and type_names(schema)[0] == type_names(target)[0]:
            known.add("type")
        for keyword in [keyword for keyword in schema if keyword in SILENT - known]:
            self._lose(at + pointer(keyword), f"`{keyword}` beside a `$ref`")
        if target is None:
            self._lose(f"{at}/$ref", "a reference that leads nowhere in this schema")
            return AnyType()
        if reference not in self._referred:
            self._declare(reference, target)
        return NamedType(type=f"type/{self._referred[reference]}")

    def _declare(self, reference: str, target: Any) -> None:
        last = reference.rsplit("/", 1)[-1].replace("~1", "/").replace("~0", "~")
        name = self._names.identifier(type_name(last if last != "#" else self._owner))
        self._referred[reference] = name
        decl = Declared(name)
        self.types.append(decl)
        place = self._at + reference[1:]
        hint = (name,)
        own = merged(target, place, self._lose, self._root) if isinstance(target, dict) else target
        record = isinstance(own, dict) and type_names(own)[0] == ["object"] and bool(own.get("properties"))
        if record and not own.keys() & {"anyOf", "oneOf", "$ref", "nullable", "enum", "const"}:
            self._unknown(own, place)
            self._misplaced(own, ["object"], place)
            self._object_into(decl, own, place, hint)
        else:
            decl.alias = self.type(target, place, hint, described=True)
        decl.description = self._text(target, place)
        if isinstance(target, dict):
            self._of_entries(target, place)

    def _object_into(self, decl: Declared, schema: dict[str, Any], at: str, hint: tuple[str, ...]) -> None:
        decl.fields = []
        self._further(schema, at)
        decl.fields = self.entries(schema, at, hint, defaults=False)

    def _type_name(self, hint: tuple[str, ...]) -> str:
        return self._names.identifier(type_name(*hint))

    def _text(self, schema: Any, at: str) -> str:
        text = schema.get("description", schema.get("desc")) if isinstance(schema, dict) else None
        if text is None or text == "":
            return ""
        if not isinstance(text, str):
            self._lose(f"{at}/description", "a description that is no text")
            return ""
        if "description" in schema and schema.get("desc") not in (None, "", text):
            self._lose(f"{at}/desc", "a second description")
        clean = without_surrogates(text)
        if clean != text:
            self._lose(f"{at}/description", "half a surrogate pair")
        return clean

    def _unknown(self, schema: dict[str, Any], at: str) -> None:
        for keyword in schema:
            if keyword not in SILENT:
                self._lose(at + pointer(keyword), f"`{keyword}`")

    def _misplaced(self, schema: dict[str, Any], names: list[str], at: str) -> None:
        """Keywords that constrain none of the types beside them."""
        have = {"number" if name == "integer" else name for name in names}
        for keyword, type_ in BELONGS.items():
            if keyword in schema and type_ not in have:
                self._lose(at + pointer(keyword), f"`{keyword}`, which says nothing about its type")
        if "format" in schema and not have & {"string", "number"}:
            self._lose(f"{at}/format", "`format`, which says nothing about its type")


def _among(value: Any, values: Any) -> bool:
    """Whether a JSON value is one of `values`, where true is not 1."""
    return isinstance(values, list) and any(
        each == value and isinstance(each, bool) == isinstance(value, bool) for each in values
    )
