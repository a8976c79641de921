"""JSON-like values against declared types."""

import math
import re
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

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
    fitting = _Fitting(symbols)
    fitting.fit(value, type_, (), ())
    return fitting.found


Path = tuple[str | int, ...]
Aliases = tuple[str, ...]
"""The aliases that are open at one part of the value: an alias of itself must not be followed for ever."""


class _Fitting:
    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.found: list[Misfit] = []

    def say(self, path: Path, message: str) -> None:
        self.found.append(Misfit(path, message))

    def fit(self, value: Any, type_: t.TypeNode, path: Path, inside: Aliases) -> None:
        match type_:
            case t.NullableTypeNode():
                if value is not None:
                    self.fit(value, type_.item, path, inside)
            case t.LiteralType():
                if value != value_of(type_.value):
                    self.say(path, f'{shown(value)} is not "{value_of(type_.value)}"')
            case t.UnionTypeNode():
                self._union(value, type_, path, inside)
            case t.ListTypeNode():
                self._list(value, type_, path)
            case t.GenericType():
                if not isinstance(value, dict):
                    self.say(path, f"{shown(value)} is no map")
                    return
                for key, item in value.items():
                    self.fit(item, type_.item, (*path, key), ())
            case t.NamedType():
                self._named(value, type_, path, inside)

    def _union(self, value: Any, type_: t.UnionTypeNode, path: Path, inside: Aliases) -> None:
        for option in type_.options:
            trial = _Fitting(self.symbols)
            trial.fit(value, option, path, inside)
            if not trial.found:
                return
        words = [value_of(option.value) for option in type_.options if isinstance(option, t.LiteralType)]
        of = "its types"
        if len(words) == len(type_.options):
            of = ", ".join(f'"{word}"' for word in words[:5])
        self.say(path, f"{shown(value)} is none of {of}")

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
            self.fit(item, type_.item, (*path, index), ())

    def _named(self, value: Any, type_: t.NamedType, path: Path, inside: Aliases) -> None:
        name = type_.name.text
        decl = self.symbols.types.get(name)
        if isinstance(decl, t.AliasDecl):
            if name not in inside:
                self.fit(value, decl.type, path, (*inside, name))
        elif isinstance(decl, t.RecordDecl):
            self._record(value, decl, path)
        else:
            message = _scalar(value, type_)
            if message:
                self.say(path, message)

    def _record(self, value: Any, decl: t.RecordDecl, path: Path) -> None:
        if not isinstance(value, dict):
            self.say(path, f"{shown(value)} is no `{decl.name.text}`")
            return
        fields = {field.name.text: field for field in decl.fields}
        for key, item in value.items():
            if key in fields:
                self.fit(item, fields[key].type, (*path, key), ())
            else:
                self.say((*path, key), f"`{decl.name.text}` has no field `{key}`")
        for key, field in fields.items():
            if key not in value and not field.optional:
                self.say(path, f"the field `{key}` of `{decl.name.text}` is missing")


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
            return "" if isinstance(value, str) and _is_time(value, name) else f"{shown(value)} is no {name}"
        case _:
            return ""


def _string(value: Any, limits: dict[str, t.Number | t.Quote]) -> str:
    if not isinstance(value, str):
        return f"{shown(value)} is no string"
    low, high, pattern = limits.get("min_length"), limits.get("max_length"), limits.get("pattern")
    if isinstance(low, t.Number) and len(value) < float(low.text):
        return f"{shown(value)} is shorter than {low.text}"
    if isinstance(high, t.Number) and len(value) > float(high.text):
        return f"{shown(value)} is longer than {high.text}"
    if isinstance(pattern, t.Quote):
        try:
            if re.search(value_of(pattern), value) is None:
                return f"{shown(value)} does not match its pattern"
        except re.error:
            return ""
    return ""


def _number(value: Any, name: str, limits: dict[str, t.Number | t.Quote]) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"{shown(value)} is no number"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN and infinity are no numbers here"
    if name == "int" and not float(value).is_integer():
        return f"{value} is not a whole number"
    if isinstance(value, int) and abs(value) > EXACT:
        return f"{str(value)[:20]} is larger than 2^53"
    low, high = limits.get("min"), limits.get("max")
    try:
        if isinstance(low, t.Number) and Decimal(str(value)) < Decimal(low.text):
            return f"{value} is less than {low.text}"
        if isinstance(high, t.Number) and Decimal(str(value)) > Decimal(high.text):
            return f"{value} is more than {high.text}"
    except InvalidOperation:
        return ""
    return ""


def _is_time(value: str, form: str) -> bool:
    from datetime import date, datetime, time

    read = {"date": date.fromisoformat, "time": time.fromisoformat, "datetime": datetime.fromisoformat}[form]
    try:
        read(value)
    except ValueError:
        return False
    return True


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
