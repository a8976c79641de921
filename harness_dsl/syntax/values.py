"""Literal values of a file as Python data."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.fitting import misfits
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.report import Report
from harness_dsl.syntax.symbols import Symbols

if TYPE_CHECKING:
    from decimal import Decimal


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


def exact(node: t.Number) -> "int | Decimal":
    if "." not in node.text:
        return int(node.text[:400])
    from decimal import Decimal

    return Decimal(node.text)


def check_json(node: t.Json, type_: t.TypeNode, symbols: Symbols, report: Report, what: str) -> None:
    """Reports every part of `node` that is outside `type_`, at that part, and every key said twice."""
    for again in _repeated(node):
        word = again.text if isinstance(again, t.Ident) else value_of(again)
        report.say("HD109", f"the key `{word}` stands twice in one object", again, "Keep one of the two.")
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


def _repeated(node: t.Json) -> Iterator[t.Ident | t.Quote]:
    """The keys that stand twice in an object of `node`."""
    todo = [node]
    while todo:
        part = todo.pop()
        yield from part.repeated
        if isinstance(part.value, list):
            todo += part.value
        elif isinstance(part.value, dict):
            todo += part.value.values()
