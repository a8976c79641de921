"""JSON-like values against declared types."""

import math
import re
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.report import Report
from harness_dsl.syntax.symbols import Symbols

EXACT = 2**53


class Misfit(NamedTuple):
    """`path`: where in the value; `message`: what is wrong there."""

    path: tuple[str | int, ...]
    message: str


def plain(node: t.Json) -> Any:
    """`node` as Python data: whole numbers are int, others float."""
    value = node.value
    match value:
        case t.Number():
            return number(value)
        case t.Quote():
            return value_of(value)
        case list():
            return [plain(item) for item in value]
        case dict():
            return {key: plain(item) for key, item in value.items()}
        case _:
            return value


def number(node: t.Number) -> int | float:
    return float(node.text) if "." in node.text else int(node.text[:400])


def exact(node: t.Number) -> int | Decimal:
    return Decimal(node.text) if "." in node.text else int(node.text[:400])


def check_json(node: t.Json, type_: t.TypeNode, symbols: Symbols, report: Report, what: str) -> None:
    """Reports every part of `node` that is outside `type_`, at that part."""
    for misfit in misfits(plain(node), type_, symbols):
        at = node
        for key in misfit.path:
            inner = at.value
            if isinstance(inner, list) and isinstance(key, int):
                at = inner[key]
            elif isinstance(inner, dict) and key in inner:
                at = inner[str(key)]
            else:
                break
        report.say("HD303", f"{misfit.message} ({what})", at, "Give a value of the declared type.")


def misfits(value: Any, type_: t.TypeNode, symbols: Symbols) -> list[Misfit]:
    """Where `value` is outside `type_`."""
    found: list[Misfit] = []
    _fit(value, type_, symbols, (), found)
    return found


def _fit(
    value: Any, type_: t.TypeNode, symbols: Symbols, path: tuple[str | int, ...], found: list[Misfit]
) -> None:
    match type_:
        case t.NullableTypeNode():
            if value is not None:
                _fit(value, type_.item, symbols, path, found)
        case t.LiteralType():
            if value != value_of(type_.value):
                found.append(Misfit(path, f'{_shown(value)} is not "{value_of(type_.value)}"'))
        case t.UnionTypeNode():
            _fit_union(value, type_, symbols, path, found)
        case t.ListTypeNode():
            _fit_list(value, type_, symbols, path, found)
        case t.GenericType():
            if not isinstance(value, dict):
                found.append(Misfit(path, f"{_shown(value)} is no map"))
                return
            for key, item in value.items():
                _fit(item, type_.item, symbols, (*path, key), found)
        case t.NamedType():
            _fit_named(value, type_, symbols, path, found)


def _fit_union(
    value: Any, type_: t.UnionTypeNode, symbols: Symbols, path: tuple[str | int, ...], found: list[Misfit]
) -> None:
    for option in type_.options:
        if not misfits(value, option, symbols):
            return
    words = [value_of(option.value) for option in type_.options if isinstance(option, t.LiteralType)]
    of = ", ".join(f'"{word}"' for word in words[:5]) if len(words) == len(type_.options) else "its types"
    found.append(Misfit(path, f"{_shown(value)} is none of {of}"))


def _fit_list(
    value: Any, type_: t.ListTypeNode, symbols: Symbols, path: tuple[str | int, ...], found: list[Misfit]
) -> None:
    if not isinstance(value, list):
        found.append(Misfit(path, f"{_shown(value)} is no list"))
        return
    bounds = type_.bounds
    if bounds and bounds.low and len(value) < number(bounds.low):
        found.append(Misfit(path, f"a list of {len(value)} is shorter than {bounds.low.text}"))
    if bounds and bounds.high and len(value) > number(bounds.high):
        found.append(Misfit(path, f"a list of {len(value)} is longer than {bounds.high.text}"))
    for index, item in enumerate(value):
        _fit(item, type_.item, symbols, (*path, index), found)


def _fit_named(
    value: Any, type_: t.NamedType, symbols: Symbols, path: tuple[str | int, ...], found: list[Misfit]
) -> None:
    decl = symbols.types.get(type_.name.text)
    if isinstance(decl, t.AliasDecl):
        if len(path) < 200:
            _fit(value, decl.type, symbols, path, found)
    elif isinstance(decl, t.RecordDecl):
        _fit_record(value, decl, symbols, path, found)
    else:
        message = _scalar(value, type_)
        if message:
            found.append(Misfit(path, message))


def _fit_record(
    value: Any, decl: t.RecordDecl, symbols: Symbols, path: tuple[str | int, ...], found: list[Misfit]
) -> None:
    if not isinstance(value, dict):
        found.append(Misfit(path, f"{_shown(value)} is no `{decl.name.text}`"))
        return
    fields = {field.name.text: field for field in decl.fields}
    for key, item in value.items():
        if key in fields:
            _fit(item, fields[key].type, symbols, (*path, key), found)
        else:
            found.append(Misfit((*path, key), f"`{decl.name.text}` has no field `{key}`"))
    for key, field in fields.items():
        if key not in value and not field.optional:
            found.append(Misfit(path, f"the field `{key}` of `{decl.name.text}` is missing"))


def _scalar(value: Any, type_: t.NamedType) -> str:
    """What keeps `value` from being of a built-in type; "" if nothing does."""
    limits = {c.name.text: c.value for c in type_.constraints}
    match type_.name.text:
        case "string":
            return _string(value, limits)
        case "int" | "decimal" | "float" as name:
            return _number(value, name, limits)
        case "bool":
            return "" if isinstance(value, bool) else f"{_shown(value)} is not true or false"
        case "date" | "time" | "datetime" as name:
            return "" if isinstance(value, str) and _is_time(value, name) else f"{_shown(value)} is no {name}"
        case _:
            return ""


def _string(value: Any, limits: dict[str, t.Number | t.Quote]) -> str:
    if not isinstance(value, str):
        return f"{_shown(value)} is no string"
    low, high, pattern = limits.get("min_length"), limits.get("max_length"), limits.get("pattern")
    if isinstance(low, t.Number) and len(value) < number(low):
        return f"{_shown(value)} is shorter than {low.text}"
    if isinstance(high, t.Number) and len(value) > number(high):
        return f"{_shown(value)} is longer than {high.text}"
    if isinstance(pattern, t.Quote):
        try:
            if re.search(value_of(pattern), value) is None:
                return f"{_shown(value)} does not match its pattern"
        except re.error:
            return ""
    return ""


def _number(value: Any, name: str, limits: dict[str, t.Number | t.Quote]) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"{_shown(value)} is no number"
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


def _shown(value: Any) -> str:
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
