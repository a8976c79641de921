"""Which numbers an expression can be, as far as its types and limits say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.values import number

if TYPE_CHECKING:
    from harness_dsl.syntax.symbols import Symbols

ENDLESS = float("inf")


class Range(NamedTuple):
    """From `low` to `high`, both included. `null`: it may be null instead, and then no comparison holds."""

    low: float = -ENDLESS
    high: float = ENDLESS
    null: bool = False

    def __str__(self) -> str:
        low, high = _shown(self.low), _shown(self.high)
        if self.low == self.high:
            return low
        if self.high == ENDLESS:
            return f"{low} or more"
        return f"at most {high}" if self.low == -ENDLESS else f"{low} to {high}"


def range_of(node: t.Expr, symbols: Symbols, tool: str | None = None) -> Range | None:
    """The range of `node`; None where it is no number, or one of which nothing is known. `tool`: the only one
    whose call a hook looks at here.
    """
    match node:
        case t.LiteralExpr(value=t.Number() as value):
            return Range(number(value), number(value))
        case t.CallExpr() if node.function.text in ("chars", "count"):
            return Range(low=0)
        case t.Apply() if node.name.text == "length":
            return Range(low=0)
        case t.Path() if node.root.text == "limits":
            return _limit(node, symbols)
        case t.Path() if node.root.text == "argument":
            return _argument(node, symbols, tool)
        case t.Path() if node.root.text in symbols.inputs:
            return _inside(symbols.inputs[node.root.text].type, node.segments, symbols)
        case _:
            return None


def most_chars(symbols: Symbols) -> tuple[float, t.LimitDecl] | None:
    """How many characters a reply may have at most, and the limit that says so."""
    limit = symbols.limits.get("reply_chars")
    if limit is None:
        return None
    values = [limit.value, *(limit.legal.values if limit.legal else ())]
    found = [number(value) for value in values if isinstance(value, t.Number)]
    return (max(found), limit) if found else None


def _limit(node: t.Path, symbols: Symbols) -> Range | None:
    """Only a declared range says what a limit can be: one without may be written otherwise tomorrow."""
    limit = symbols.limits.get(node.segments[0].text) if len(node.segments) == 1 else None
    if limit is None or limit.legal is None:
        return None
    ends = [number(value) for value in limit.legal.values if isinstance(value, t.Number)]
    return Range(min(ends), max(ends)) if len(ends) == 2 else None


def _argument(node: t.Path, symbols: Symbols, tool: str | None) -> Range | None:
    if len(node.segments) != 1:
        return None
    name = node.segments[0].text
    params = [symbols.params(one).get(name) for one in ([tool] if tool is not None else symbols.tools)]
    found = [_typed(param.type, symbols) for param in params if param is not None]
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    absent = any(param is None or (param.optional and param.default is None) for param in params)
    null = absent or any(one.null for one in known)
    return Range(min(one.low for one in known), max(one.high for one in known), null)


def _inside(type_: t.TypeNode, segments: list[t.Ident], symbols: Symbols) -> Range | None:
    null = False
    for segment in segments:
        if isinstance(type_, t.NullableTypeNode):
            type_, null = type_.item, True
        if not isinstance(type_, t.NamedType):
            return None
        field = symbols.fields(type_.name.text).get(segment.text)
        if field is None:
            return None
        type_, null = field.type, null or field.optional
    found = _typed(type_, symbols)
    return None if found is None else found._replace(null=found.null or null)


def _typed(type_: t.TypeNode, symbols: Symbols) -> Range | None:
    null = False
    for _ in _aliases():
        if isinstance(type_, t.NullableTypeNode):
            type_, null = type_.item, True
        decl = symbols.types.get(type_.name.text) if isinstance(type_, t.NamedType) else None
        if not isinstance(decl, t.AliasDecl):
            break
        type_ = decl.type
    if not isinstance(type_, t.NamedType) or type_.name.text not in ("int", "decimal", "float"):
        return None
    ends = {one.name.text: number(one.value) for one in type_.constraints if isinstance(one.value, t.Number)}
    return Range(ends.get("min", -ENDLESS), ends.get("max", ENDLESS), null)


def _aliases() -> Iterator[int]:
    """An alias of itself has its own finding, and must not be followed for ever."""
    return iter(range(20))


def _shown(value: float) -> str:
    return f"{value:g}" if abs(value) < 1e6 else f"{value:f}".rstrip("0").rstrip(".")
