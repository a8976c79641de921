"""Where the canonical layout breaks lines: for each token that begins one, how deep it stands."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import assert_never, cast

from grammar.lexer import Token
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.spacing import Spacing

WIDTH = 100


def between(offsets: list[int], start: int, end: int) -> bool:
    """Whether one of the sorted `offsets` lies between the two, neither included."""
    at = bisect_right(offsets, start)
    return at < len(offsets) and offsets[at] < end


class Layout:
    """`breaks`: depth by offset of the token that begins a line. `spacing`: how the tokens of a line are
    joined.
    """

    def __init__(self, file: t.File) -> None:
        self.breaks: dict[int, int] = {}
        self.spacing = Spacing()
        self._tokens = file.tokens
        self._at = {token.start: index for index, token in enumerate(file.tokens)}
        self._comments = [comment.start for comment in file.comments]
        for decl in file.decls:
            self._decl(decl)

    def _break(self, node: t.Node, depth: int) -> None:
        self.breaks[node.start] = depth

    def _close(self, node: t.Node, depth: int) -> None:
        """The bracket that ends `node`."""
        self.breaks[node.end - 1] = depth

    def _after(self, node: t.Node) -> Token:
        """The token after a node of one token."""
        return self._tokens[self._at[node.start] + 1]

    def _has_comment(self, start: int, end: int) -> bool:
        return between(self._comments, start, end)

    def _decl(self, decl: t.Decl) -> None:
        self._break(decl, 0)
        match decl:
            case t.Header():
                if decl.description is not None:
                    self._break(decl.description, 1)
            case t.RecordDecl():
                self._record(decl)
            case t.AliasDecl() | t.InputDecl():
                self._type(decl.type)
            case t.ToolDecl():
                self._tool(decl)
            case t.SkillDecl() | t.HookDecl():
                self._clauses(decl)
            case t.PromptDecl():
                for part in decl.parts:
                    self._break(part, 1)
                    if isinstance(part, t.SectionDecl) and isinstance(part.content, t.Items):
                        self._items(part.content, 2)
                        self._close(part, 1)
                self._close(decl, 0)
            case t.LimitsDecl():
                self._each(decl, decl.limits)
            case t.AlternativesDecl():
                self._each(decl, decl.entries)
                for entry in decl.entries:
                    for text in entry.texts[1:] if isinstance(entry, t.OtherWordings) else ():
                        self._break(text, 2)
            case t.SurfaceDecl():
                self._each(decl, decl.settings)
            case t.TestDecl():
                self._each(decl, decl.statements)
                for statement in decl.statements:
                    if isinstance(statement, t.GivenStmt) and isinstance(statement.value, t.Json):
                        self._json(statement.value, statement, 1)
                    if isinstance(statement, t.PredicateExpectation):
                        self._condition(statement.predicate, self._at[statement.start], 1)
            case t.MovedDecl() | t.ImportDecl() | t.UseDecl() | t.OverrideDecl():
                return
            case _:
                assert_never(decl)

    def _each(
        self,
        decl: t.Node,
        nodes: Sequence[t.Node],
    ) -> None:
        for node in nodes:
            self._break(node, 1)
        self._close(decl, 0)

    def _record(self, decl: t.RecordDecl) -> None:
        if decl.description is not None:
            self._break(decl.description, 1)
        for field in decl.fields:
            self._break(field, 1)
            self._type(field.type)
        self._close(decl, 0)

    def _type(self, node: t.TypeNode) -> None:
        match node:
            case t.GenericType():
                self.spacing.tight.update((self._after(node.name).start, node.end - 1))
                self._type(node.item)
            case t.ListTypeNode() | t.NullableTypeNode():
                self._type(node.item)
            case t.UnionTypeNode():
                for option in node.options:
                    self._type(option)
            case t.LiteralType() | t.NamedType():
                return
            case _:
                assert_never(node)

    def _tool(self, decl: t.ToolDecl) -> None:
        for param in decl.params:
            self._type(param.type)
        self._type(decl.returns)
        if decl.params:
            self._params(decl)
        for clause in decl.clauses:
            self._break(clause, 1)
        self._close(decl, 0)

    def _params(self, decl: t.ToolDecl) -> None:
        """On one line where it fits and nothing is described, else one line each with a comma after each."""
        last = decl.params[-1]
        after = self._tokens[self._at_or_after(last.end)]
        comma = after if after.kind == "COMMA" else None
        close = self._tokens[self._at[after.start] + 1] if comma is not None else after
        opener = self._tokens[self._at[decl.params[0].start] - 1]
        described = any(param.description is not None for param in decl.params)
        if not described and not self._has_comment(opener.start, close.start):
            if comma is not None:
                self.spacing.dropped.add(comma.start)
            opened = next(
                at
                for at in range(self._at[close.start], len(self._tokens))
                if self._tokens[at].kind == "LBRACE"
            )
            line = self.spacing.join(self._tokens[self._at[decl.start] : opened + 1])
            if len(line) <= WIDTH and "\n" not in line:
                return
            if comma is not None:
                self.spacing.dropped.discard(comma.start)
        for param in decl.params:
            self._break(param, 1)
        self.breaks[close.start] = 0
        if comma is None:
            self.spacing.commas.add(last.end)

    def _at_or_after(self, offset: int) -> int:
        """The index of the first token at or after `offset`."""
        return bisect_left(self._tokens, offset, key=lambda token: token.start)

    def _clauses(self, decl: t.SkillDecl | t.HookDecl) -> None:
        previous = ""
        for clause in decl.clauses:
            if not (clause.word == "max" and previous == "action"):
                self._break(clause, 1)
            if clause.word == "do" and isinstance(clause.args[0], t.Items):
                self._items(clause.args[0], 2)
                self._close(clause, 1)
            if clause.word == "if":
                self._condition(cast(t.Expr, clause.args[0]), self._at[clause.start], 1)
            previous = clause.word
        self._close(decl, 0)

    def _items(self, items: t.Items, depth: int) -> None:
        for item in items.parts:
            self._break(item, depth)
            if isinstance(item, t.ItemDecl) and item.check is not None:
                check = self._after(item.text.quote)
                self.breaks[check.start] = depth + 1
                self._condition(item.check, self._at[check.start], depth + 1)

    def _condition(self, node: t.Expr, first: int, depth: int) -> None:
        """It stays on the line that the token `first` begins where that fits, else each part that `and` or
        `or` joins begins a line of its own.
        """
        shown = self.spacing.join(self._tokens[first : self._at_or_after(node.end)])
        if len(shown) + 2 * depth <= WIDTH:
            return
        while isinstance(node, t.NotExpr):
            node = node.operand
        if not isinstance(node, t.Infix) or node.operator not in ("and", "or"):
            return
        for operator, part in self._joined(node):
            if operator is not None:
                self.breaks[self._tokens[operator].start] = depth + 1
            self._condition(part, first if operator is None else operator, depth + 1)

    def _joined(self, node: t.Infix) -> list[tuple[int | None, t.Expr]]:
        """The parts that one operator joins, each with the index of the operator before it."""
        found: list[tuple[int | None, t.Expr]] = []
        part: t.Expr = node
        while isinstance(part, t.Infix) and part.operator == node.operator:
            left = self._at_or_after(part.left.end)
            operator = next(at for at in range(left, len(self._tokens)) if self._tokens[at].kind != "RPAR")
            found.append((operator, part.right))
            closed, part = operator - left, part.left
            if closed and closed > self._still_open(part):
                # Parentheses around several parts keep them together.
                break
        return [(None, part), *reversed(found)]

    def _still_open(self, node: t.Expr) -> int:
        """How many parentheses are opened inside `node` and closed after it."""
        depth = 0
        for token in self._tokens[self._at_or_after(node.start) : self._at_or_after(node.end)]:
            depth += (token.kind == "LPAR") - (token.kind == "RPAR" and depth > 0)
        return depth

    def _json(self, node: t.Json, line: t.Node, depth: int) -> None:
        """A list or object stays on its line where that fits, else each element gets its own."""
        value = node.value
        if not isinstance(value, list | dict) or not value:
            return
        start, end = self._at[line.start], self._at_or_after(node.end)
        shown = self.spacing.join(self._tokens[start:end])
        if len(shown) + 2 * depth <= WIDTH and "\n" not in shown:
            return
        for element in _elements(value, self._tokens, self._at):
            self.breaks[element[0].start] = depth + 1
            self._json(element[1], element[0], depth + 1)
        self._close(node, depth)


class _At(t.Node):
    """A token as a node."""


def _elements(
    value: list[t.Json] | dict[str, t.Json], tokens: list[Token], at: dict[int, int]
) -> list[tuple[t.Node, t.Json]]:
    """(where its line begins, element): an entry of an object begins with its key."""
    if isinstance(value, list):
        return [(item, item) for item in value]
    found: list[tuple[t.Node, t.Json]] = []
    for item in value.values():
        key = tokens[at[item.start] - 2]
        found.append((_At(key.start, key.end), item))
    return found
