"""JSON-like values against declared types, as `harness_dsl.ir.values` sees them once they are compiled."""

from functools import lru_cache
from typing import Any, NamedTuple

from harness_dsl.ir.formats import has_format, is_time
from harness_dsl.ir.matching import compiled, found
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.symbols import Symbols

EXACT = 2**53


class Misfit(NamedTuple):
    """`path`: where in the value; `message`: what is wrong there."""

    path: tuple[str | int, ...]
    message: str


def misfits(value: Any, type_: t.TypeNode, symbols: Symbols) -> list[Misfit]:
    """Where `value` is outside `type_`."""
    fitting = _Fitting(symbols, {})
    try:
        fitting.fit(value, type_, ())
    except RecursionError:
        return [Misfit((), "this is nested too deep to be checked")]
    return fitting.found


Path = tuple[str | int, ...]


class _Fitting:
    """`fits`: whether a value is of a union, by their ids: what stands inside is met for each option around
    it.
    """

    def __init__(self, symbols: Symbols, fits: dict[tuple[int, int], bool]) -> None:
        self.symbols = symbols
        self.fits = fits
        self.found: list[Misfit] = []

    def say(self, path: Path, message: str) -> None:
        self.found.append(Misfit(path, message))

    def fit(self, value: Any, type_: t.TypeNode, path: Path) -> None:
        for option in opened(type_, self.symbols):
            type_ = option
            if isinstance(option, t.NullableTypeNode) and value is None:
                return
        match type_:
            case t.NullableTypeNode():
                return
            case t.LiteralType():
                if value != value_of(type_.value):
                    self.say(path, f'{shown(value)} is not "{value_of(type_.value)}"')
            case t.UnionTypeNode():
                self._union(value, type_, path)
            case t.ListTypeNode():
                self._list(value, type_, path)
            case t.GenericType():
                if not isinstance(value, dict):
                    self.say(path, f"{shown(value)} is no map")
                    return
                for key, item in value.items():
                    self.fit(item, type_.item, (*path, key))
            case t.NamedType():
                decl = self.symbols.types.get(type_.name.text)
                if isinstance(decl, t.RecordDecl):
                    self._record(value, decl, path)
                elif message := _scalar(value, type_):
                    self.say(path, message)

    def _union(self, value: Any, type_: t.UnionTypeNode, path: Path) -> None:
        key = (id(value), id(type_))
        if key not in self.fits:
            # Until it is known: a type that contains itself without a value between has none.
            self.fits[key] = True
            self.fits[key] = any(self._is(value, option) for option in type_.options)
        if self.fits[key]:
            return
        if isinstance(value, dict) and self._as_record(value, type_, path):
            return
        words = [value_of(option.value) for option in type_.options if isinstance(option, t.LiteralType)]
        of = "its types"
        if len(words) == len(type_.options):
            of = ", ".join(f'"{word}"' for word in words[:5])
        self.say(path, f"{shown(value)} is none of {of}")

    def _is(self, value: Any, type_: t.TypeNode) -> bool:
        trial = _Fitting(self.symbols, self.fits)
        trial.fit(value, type_, ())
        return not trial.found

    def _as_record(self, value: dict[str, Any], type_: t.UnionTypeNode, path: Path) -> bool:
        """Says what is wrong with an object that can only be meant as one of the records: the only one there
        is, or the one of its tag. False: nothing was said.
        """
        records = records_of(type_, self.symbols)
        tag = tag_of(records)
        if tag is not None and isinstance(word := value.get(tag), str):
            known = [known for record in records for known in tags(record)[tag]]
            if word not in known:
                listed = ", ".join(f'"{one}"' for one in known[:5])
                self.say((*path, tag), f"{shown(word)} is none of {listed}")
                return True
            records = [record for record in records if word in tags(record)[tag]]
        if len(records) != 1:
            return False
        self._record(value, records[0], path)
        return True

    def _list(self, value: Any, type_: t.ListTypeNode, path: Path) -> None:
        if not isinstance(value, list):
            self.say(path, f"{shown(value)} is no list")
            return
        bounds = type_.bounds
        if bounds and bounds.low and len(value) < float(bounds.low.text):
            self.say(path, f"a list of {len(value)} is shorter than {bounds.low.text}")
        if bounds and bounds.high and len(value) > float(bounds.high.text):
            self.say(path, f"a list of {len(value)} is longer than {bounds.high.text}")
        for index, item in enumerate(value):
            self.fit(item, type_.item, (*path, index))

    def _record(self, value: Any, decl: t.RecordDecl, path: Path) -> None:
        if not isinstance(value, dict):
            self.say(path, f"{shown(value)} is no `{decl.name.text}`")
            return
        fields = {field.name.text: field for field in decl.fields}
        for key, item in value.items():
            if key in fields:
                self.fit(item, fields[key].type, (*path, key))
            else:
                self.say((*path, key), f"`{decl.name.text}` has no field `{key}`")
        for key, field in fields.items():
            if key not in value and not field.optional:
                self.say(path, f"the field `{key}` of `{decl.name.text}` is missing")


def opened(type_: t.TypeNode, symbols: Symbols) -> list[t.TypeNode]:
    """`type_`, and what stands behind each alias and `?` in turn. An alias of itself ends in a nullable."""
    found, seen = [type_], set[str]()
    while True:
        match found[-1]:
            case t.NullableTypeNode() as nullable:
                found.append(nullable.item)
            case t.NamedType() as named if isinstance(
                decl := symbols.types.get(named.name.text), t.AliasDecl
            ):
                if named.name.text in seen:
                    return [*found, t.NullableTypeNode(named.start, named.end, named)]
                seen.add(named.name.text)
                found.append(decl.type)
            case _:
                return found


def records_of(type_: t.UnionTypeNode, symbols: Symbols) -> list[t.RecordDecl]:
    """The records among the options of a union, through aliases and unions in it."""
    found: list[t.RecordDecl] = []
    todo: list[t.TypeNode] = [*type_.options]
    seen: set[int] = {id(type_)}
    while todo:
        option = opened(todo.pop(0), symbols)[-1]
        if isinstance(option, t.UnionTypeNode) and id(option) not in seen:
            seen.add(id(option))
            todo[:0] = option.options
        elif isinstance(option, t.NamedType):
            decl = symbols.types.get(option.name.text)
            if isinstance(decl, t.RecordDecl) and decl not in found:
                found.append(decl)
    return found


def tags(record: t.RecordDecl) -> dict[str, list[str]]:
    """The fields of `record` that must be one of some words, with these words."""
    found: dict[str, list[str]] = {}
    for field in record.fields:
        options = field.type.options if isinstance(field.type, t.UnionTypeNode) else [field.type]
        words = [value_of(option.value) for option in options if isinstance(option, t.LiteralType)]
        if len(words) == len(options) and not field.optional:
            found[field.name.text] = words
    return found


def tag_of(records: list[t.RecordDecl]) -> str | None:
    """The field whose word tells the records apart; None: there is none."""
    if len(records) < 2:
        return None
    all_tags = [tags(record) for record in records]
    for name in all_tags[0]:
        words = [of.get(name) for of in all_tags]
        known = [own for own in words if own is not None]
        if len(known) == len(records) and len(set().union(*known)) == sum(map(len, known)):
            return name
    return None


def _scalar(value: Any, type_: t.NamedType) -> str:
    """What keeps `value` from being of a built-in type; "" if nothing does."""
    limits = {c.name.text: c.value for c in type_.constraints}
    match type_.name.text:
        case "string":
            return _string(value, limits)
        case "int" | "decimal" | "float" as name:
            return _number(value, name, limits)
        case "bool":
            return "" if isinstance(value, bool) else f"{shown(value)} is not true or false"
        case "date" | "time" | "datetime" as name:
            if isinstance(value, str) and is_time(value, name):
                return ""
            offset = " with its offset" if name == "datetime" else ""
            return f"{shown(value)} is no {name}{offset}"
        case _:
            return ""


def _string(value: Any, limits: dict[str, t.Number | t.Quote]) -> str:
    if not isinstance(value, str):
        return f"{shown(value)} is no string"
    low, high = limits.get("min_length"), limits.get("max_length")
    pattern, form = limits.get("pattern"), limits.get("format")
    if isinstance(low, t.Number) and len(value) < float(low.text):
        return f"{shown(value)} is shorter than {low.text}"
    if isinstance(high, t.Number) and len(value) > float(high.text):
        return f"{shown(value)} is longer than {high.text}"
    if isinstance(form, t.Quote) and not has_format(value, value_of(form)):
        return f"{shown(value)} is not of the format `{value_of(form)}`"
    if isinstance(pattern, t.Quote) and not _matches(value_of(pattern), value):
        return f"{shown(value)} does not match its pattern"
    return ""


def _matches(pattern: str, text: str) -> bool:
    """True for a pattern that cannot be used, which is reported where it stands."""
    return not _usable(pattern) or found(pattern, text)


@lru_cache(maxsize=512)
def _usable(pattern: str) -> bool:
    from re import error

    from harness_dsl.syntax.patterns import Refused, is_exponential

    try:
        compiled(pattern)
        return not is_exponential(pattern)
    except (error, Refused, RecursionError, OverflowError):
        return False


def _number(value: Any, name: str, limits: dict[str, t.Number | t.Quote]) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"{shown(value)} is no number"
    if value != value or value in (float("inf"), float("-inf")):
        return "NaN and infinity are no numbers here"
    if name == "int" and isinstance(value, float):
        what = "is written with a fraction" if value.is_integer() else "is not a whole number"
        return f"{value} {what}"
    if isinstance(value, int) and abs(value) > EXACT:
        return f"{str(value)[:20]} is larger than 2^53"
    low, high = limits.get("min"), limits.get("max")
    if isinstance(low, t.Number) and _less(str(value), low.text):
        return f"{value} is less than {low.text}"
    if isinstance(high, t.Number) and _less(high.text, str(value)):
        return f"{value} is more than {high.text}"
    return ""


def _less(one: str, other: str) -> bool:
    """Whether `one` is the smaller number, compared exactly as they are written."""
    if all(text.lstrip("-").isdecimal() and len(text) < 400 for text in (one, other)):
        return int(one) < int(other)
    from decimal import Decimal

    return Decimal(one) < Decimal(other)


def shown(value: Any) -> str:
    """`value` as it stands in a message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 30 else text[:29] + "…"
