"""Conditions that types and limits decide: they hold always, or never."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from harness_dsl.lint.ranges import Range, range_of
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.written import source

if TYPE_CHECKING:
    from harness_dsl.syntax.symbols import Symbols

_ORDER = ("<", "<=", ">", ">=", "==", "!=")
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


class Settled(NamedTuple):
    """`node` always holds, or never. `why`: what decides it, in sentences. `fitting`: for calls that fit
    their tool; a hook before a call sees others too, which are refused after it.
    """

    node: t.Expr
    holds: bool
    why: str
    fitting: bool = False


class Settling:
    """`tool`: the only one whose call a hook looks at. `chars`: the most characters of a reply, for asking
    what no reply can keep.
    """

    def __init__(self, symbols: Symbols, tool: str | None = None, chars: float | None = None) -> None:
        self.symbols = symbols
        self.tool = tool
        self.chars = chars

    def verdict(self, node: t.Expr) -> Settled | None:
        """Whether `node` is settled as a whole, and by which of its parts."""
        match node:
            case t.LiteralExpr(value=bool() as value):
                return Settled(node, value, "It is written so.")
            case t.NotExpr():
                inner = self.verdict(node.operand)
                return inner and inner._replace(node=node, holds=not inner.holds)
            case t.Infix(operator="and" | "or"):
                return self._joined(node)
            case t.Infix() if node.operator in _ORDER:
                return self._compared(node)
            case t.Infix() | t.MatchesExpr():
                return self._of_no_argument(node, node.left if isinstance(node, t.Infix) else node.subject)
            case _:
                return None

    def smallest(self, node: t.Expr) -> Iterator[Settled]:
        """The settled parts of `node` that have none inside."""
        settling, inner = self, []
        if isinstance(node, t.Infix) and node.operator in ("and", "or"):
            settling = self._looking_at(node)
            inner = [node.left, node.right]
        elif isinstance(node, t.NotExpr):
            inner = [node.operand]
        found = [one for part in inner for one in settling.smallest(part)]
        if found:
            yield from found
        elif (own := self.verdict(node)) is not None:
            yield own

    # ── and, or ────────────────────────────────────────────────────────────────────────────────────────────

    def _joined(self, node: t.Infix) -> Settled | None:
        settling = self._looking_at(node)
        parts = list(_parts(node, node.operator))
        verdicts = [settling.verdict(part) for part in parts]
        decisive = node.operator == "or"
        for one in verdicts:
            if one is not None and one.holds is decisive:
                return one._replace(node=node)
        known = [one for one in verdicts if one is not None]
        if len(known) == len(verdicts):
            why = " ".join(one.why for one in known)
            return Settled(node, not decisive, why, any(one.fitting for one in known))
        return self._contradicted(node, parts) or self._of_two_tools(node, parts)

    def _contradicted(self, node: t.Infix, parts: list[t.Expr]) -> Settled | None:
        signs: dict[str, bool] = {}
        for part in parts:
            plain, sign = part, True
            while isinstance(plain, t.NotExpr):
                plain, sign = plain.operand, not sign
            text = source(plain)
            if signs.setdefault(text, sign) is not sign:
                return Settled(node, node.operator == "or", f"It says both `{text}` and its opposite.")
        return None

    def _of_two_tools(self, node: t.Infix, parts: list[t.Expr]) -> Settled | None:
        tools = sorted({tool for part in parts if (tool := _calling(part)) is not None})
        if node.operator != "and" or len(tools) < 2:
            return None
        return Settled(node, False, f"A call is of one tool, not of `{tools[0]}` and `{tools[1]}`.")

    def _looking_at(self, node: t.Infix) -> Settling:
        """With what `calling(tool)` on this level says about the call."""
        tools = {_calling(part) for part in _parts(node, "and")} - {None} if node.operator == "and" else set()
        if len(tools) != 1 or self.tool is not None:
            return self
        return Settling(self.symbols, tools.pop(), self.chars)

    # ── comparisons ────────────────────────────────────────────────────────────────────────────────────────

    def _compared(self, node: t.Infix) -> Settled | None:
        for side, other in ((node.left, node.right), (node.right, node.left)):
            against_null = isinstance(other, t.LiteralExpr) and other.value is None
            if not against_null and node.operator != "!=":
                absent = self._of_no_argument(node, side)
                if absent is not None:
                    return absent
        left, right = self._range(node.left), self._range(node.right)
        if left is None or right is None:
            return None
        holds = _with_null(node.operator, _holds(node.operator, left, right), left, right)
        if holds is None:
            return None
        said = [
            f"`{source(side)}` is {found}."
            for side, found in ((node.left, left), (node.right, right))
            if not isinstance(side, t.LiteralExpr)
        ]
        fitting = any(map(_of_a_call, (node.left, node.right)))
        return Settled(node, holds, " ".join(said) or "Both sides are written out.", fitting)

    def _range(self, node: t.Expr) -> Range | None:
        found = range_of(node, self.symbols, self.tool)
        if self.chars is None or not isinstance(node, t.CallExpr) or node.function.text != "chars":
            return found
        return Range(0, self.chars) if isinstance(node.argument, t.ReplyWord) else found

    def _of_no_argument(self, node: t.Expr, side: t.Expr) -> Settled | None:
        """A comparison with an argument that the tool does not have."""
        if self.tool is None or not isinstance(side, t.Path) or not _of_a_call(side):
            return None
        names = [segment.text for segment in side.segments[:1]]
        if not names or self.tool not in self.symbols.tools or names[0] in self.symbols.params(self.tool):
            return None
        return Settled(node, False, f"`{self.tool}` has no parameter `{names[0]}`.", fitting=True)


def _parts(node: t.Expr, operator: str) -> Iterator[t.Expr]:
    """What `operator` joins in `node`, on all its levels."""
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, t.Infix) and part.operator == operator:
            todo += [part.right, part.left]
        else:
            yield part


def _calling(node: t.Expr) -> str | None:
    """The tool of `calling(tool)`."""
    if not isinstance(node, t.CallExpr) or node.function.text != "calling":
        return None
    return node.argument.root.text if isinstance(node.argument, t.Path) else None


def _of_a_call(node: t.Expr) -> bool:
    return isinstance(node, t.Path) and node.root.text == "argument"


def _with_null(operator: str, holds: bool | None, left: Range, right: Range) -> bool | None:
    """Null is in no order and differs from every number, and from null it does not differ."""
    if left.null and right.null and operator in ("==", "!="):
        return None
    return holds if holds is (operator == "!=") or not (left.null or right.null) else None


def _holds(operator: str, left: Range, right: Range) -> bool | None:
    if operator in (">", ">="):
        return _holds(_FLIPPED[operator], right, left)
    if operator == "<":
        return True if left.high < right.low else False if left.low >= right.high else None
    if operator == "<=":
        return True if left.high <= right.low else False if left.low > right.high else None
    apart = left.high < right.low or right.high < left.low
    one = left.low == left.high == right.low == right.high
    equal = False if apart else True if one else None
    return equal if operator == "==" or equal is None else not equal
