"""From grammar rules to tree nodes: one small function per rule, found by the rule's name."""

import unicodedata
from collections.abc import Callable
from typing import Any, TypeVar

from grammar.lexer import Token
from harness_dsl.syntax import tree as t

N = TypeVar("N")


def build(name: str, children: list[Any], start: int, end: int) -> Any:
    """The node of rule `name`."""
    return _BUILDERS[name]([_leaf(child) for child in children], start, end)


def _leaf(child: Any) -> Any:
    """Names, quotes and numbers become nodes; keyword tokens that the grammar keeps stay tokens."""
    if type(child) is not Token:
        return child
    kind = child.kind
    if kind == "NAME":
        text = child.text
        return t.Ident(child.start, child.end, text if text.isascii() else unicodedata.normalize("NFC", text))
    if kind in ("STRING", "TEXT", "RAW"):
        return t.Quote(child.start, child.end, kind, child.text)  # type: ignore[arg-type]  # one of the three
    if kind == "NUMBER":
        return t.Number(child.start, child.end, child.text)
    return child


class Kids:
    """The children of a rule, taken one after the other."""

    __slots__ = ("at", "nodes")

    def __init__(self, nodes: list[Any]) -> None:
        self.nodes = nodes
        self.at = 0

    def word(self, *texts: str) -> str | None:
        """The next child if it is one of these keywords (any keyword if none is given)."""
        if self.at < len(self.nodes):
            node = self.nodes[self.at]
            if type(node) is Token and (not texts or node.text in texts):
                self.at += 1
                return node.text
        return None

    def maybe(self, kind: type[N]) -> N | None:
        if self.at < len(self.nodes) and type(self.nodes[self.at]) is kind:
            self.at += 1
            node: N = self.nodes[self.at - 1]
            return node
        return None

    def take(self) -> Any:
        self.at += 1
        return self.nodes[self.at - 1]

    def rest(self) -> list[Any]:
        rest = self.nodes[self.at :]
        self.at = len(self.nodes)
        return rest

    def more(self) -> bool:
        return self.at < len(self.nodes)


class Named(t.Node):
    """`named "…"`, before its owner takes it up."""

    quote: t.Quote


class Default(t.Node):
    """`= value`."""

    value: t.Json


class Check(t.Node):
    """`check expression`."""

    expression: t.Expr


def _named(kids: Kids) -> t.Quote | None:
    found = kids.maybe(Named)
    return found.quote if found else None


def _member(children: list[Any]) -> tuple[Kids, dict[str, Any]]:
    kids = Kids(children)
    fixed = kids.word("fixed") is not None
    name = kids.take()
    optional = kids.word("?") is not None
    return kids, {"fixed": fixed, "name": name, "optional": optional, "named": _named(kids)}


def _field(c: list[Any], s: int, e: int) -> t.Field:
    kids, known = _member(c)
    type_ = kids.take()
    return t.Field(s, e, type=type_, description=kids.maybe(t.Quote), **known)


def _param(c: list[Any], s: int, e: int) -> t.ParamDecl:
    kids, known = _member(c)
    type_ = kids.take()
    default = kids.maybe(Default)
    return t.ParamDecl(
        s,
        e,
        type=type_,
        default=default.value if default else None,
        description=kids.maybe(t.Quote),
        **known,
    )


def _header(c: list[Any], s: int, e: int) -> t.Header:
    kids = Kids(c)
    module = kids.word("module") is not None
    return t.Header(s, e, kids.take(), kids.take(), kids.maybe(t.Quote), module)


def _record(c: list[Any], s: int, e: int) -> t.RecordDecl:
    kids = Kids(c)
    return t.RecordDecl(s, e, kids.take(), kids.maybe(t.Quote), kids.rest())


def _alias(c: list[Any], s: int, e: int) -> t.AliasDecl:
    kids = Kids(c)
    return t.AliasDecl(s, e, kids.take(), kids.take(), kids.maybe(t.Quote))


def _literal_type(c: list[Any], s: int, e: int) -> t.LiteralType:
    kids = Kids(c)
    return t.LiteralType(s, e, kids.take(), _named(kids))


def _bounds(c: list[Any], s: int, e: int) -> t.Bounds:
    kids = Kids(c)
    low = kids.maybe(t.Number)
    kids.word("..")
    return t.Bounds(s, e, low, kids.maybe(t.Number))


def _list_type(c: list[Any], s: int, e: int) -> t.ListTypeNode:
    kids = Kids(c)
    return t.ListTypeNode(s, e, kids.take(), kids.maybe(t.Bounds))


def _input(c: list[Any], s: int, e: int) -> t.InputDecl:
    kids = Kids(c)
    name, type_ = kids.take(), kids.take()
    untrusted = kids.word("untrusted") is not None
    return t.InputDecl(s, e, name, type_, untrusted, kids.maybe(t.Quote))


def _tool(c: list[Any], s: int, e: int) -> t.ToolDecl:
    kids = Kids(c)
    fixed = kids.word("fixed") is not None
    name = kids.take()
    named = _named(kids)
    params = []
    while (param := kids.maybe(t.ParamDecl)) is not None:
        params.append(param)
    return t.ToolDecl(s, e, name, named, fixed, params, kids.take(), [_clause(n) for n in kids.rest()])


def _clause(node: Any) -> t.Clause:
    if isinstance(node, t.Clause):
        return node
    return t.Clause(node.start, node.end, "text", [node])


def _words(word: str) -> Callable[[list[Any], int, int], t.Clause]:
    def clause(c: list[Any], s: int, e: int) -> t.Clause:
        return t.Clause(s, e, word, c)

    return clause


def _impl_python(c: list[Any], s: int, e: int) -> t.Clause:
    return t.Clause(s, e, "impl", [t.Impl(s, e, "python", c[0], None)])


def _impl_http(c: list[Any], s: int, e: int) -> t.Clause:
    return t.Clause(s, e, "impl", [t.Impl(s, e, "http", c[0], None)])


def _impl_mcp(c: list[Any], s: int, e: int) -> t.Clause:
    return t.Clause(s, e, "impl", [t.Impl(s, e, "mcp", c[0], c[1])])


def _timeout(c: list[Any], s: int, e: int) -> t.Clause:
    token: Token = c[0]
    return t.Clause(s, e, "timeout", [t.Number(token.start, token.end, token.text)])


def _skill(c: list[Any], s: int, e: int) -> t.SkillDecl:
    kids = Kids(c)
    fixed = kids.word("fixed") is not None
    role: Any = kids.word("reply", "strategy")
    return t.SkillDecl(
        s, e, name=kids.take(), named=_named(kids), fixed=fixed, role=role, clauses=kids.rest()
    )


def _items(c: list[Any], s: int, e: int) -> t.Items:
    kids = Kids(c)
    return t.Items(s, e, kids.word("ordered", "unordered") == "ordered", kids.rest())


def _do(c: list[Any], s: int, e: int) -> t.Clause:
    return t.Clause(s, e, "do", [_items(c, s, e)])


def _item(c: list[Any], s: int, e: int) -> t.ItemDecl:
    kids = Kids(c)
    fixed = kids.word("fixed") is not None
    kids.word("step", "rule")
    label = kids.maybe(t.Ident)
    quote: t.Quote = kids.take()
    check = kids.maybe(Check)
    prose = t.Prose(quote.start, quote.end, quote, fixed)
    return t.ItemDecl(s, e, label, prose, check.expression if check else None)


def _hook(c: list[Any], s: int, e: int) -> t.HookDecl:
    kids = Kids(c)
    fixed = kids.word("fixed") is not None
    return t.HookDecl(s, e, name=kids.take(), event=kids.take(), fixed=fixed, clauses=kids.rest())


def _action(c: list[Any], s: int, e: int) -> t.Clause:
    kids = Kids(c)
    word = kids.word() or ""
    return t.Clause(s, e, "action", [t.Action(s, e, word, None, kids.maybe(t.Prose))])


def _require(c: list[Any], s: int, e: int) -> t.Clause:
    kids = Kids(c)
    return t.Clause(s, e, "action", [t.Action(s, e, "require", kids.take(), kids.maybe(t.Prose))])


def _text(c: list[Any], s: int, e: int) -> t.Prose:
    kids = Kids(c)
    fixed = kids.word("fixed") is not None
    return t.Prose(s, e, kids.take(), fixed)


def _section(c: list[Any], s: int, e: int) -> t.SectionDecl:
    kids = Kids(c)
    fixed = kids.word("fixed") is not None
    return t.SectionDecl(s, e, kids.take(), _named(kids), fixed, kids.take())


def _constraint_order(c: list[Any], s: int, e: int) -> t.OrderRule:
    kids = Kids(c)
    section = kids.take()
    relation: Any = kids.word()
    return t.OrderRule(s, e, section, relation, kids.maybe(t.Ident))


def _limit(c: list[Any], s: int, e: int) -> t.LimitDecl:
    kids = Kids(c)
    return t.LimitDecl(s, e, kids.take(), kids.take(), kids.maybe(t.Legal))


def _legal(c: list[Any], s: int, e: int) -> t.Legal:
    return t.Legal(s, e, [child for child in c if type(child) is not Token])


def _path(c: list[Any], s: int, e: int) -> t.Path:
    return t.Path(s, e, c[0], c[1:])


def _segment(c: list[Any], s: int, e: int) -> t.Ident:
    from harness_dsl.syntax.quotes import value_of

    node = c[0]
    if isinstance(node, t.Ident):
        return node
    return t.Ident(node.start, node.end, node.text if isinstance(node, t.Number) else value_of(node))


def _call(c: list[Any], s: int, e: int) -> t.CallExpr:
    argument = c[1]
    if isinstance(argument, t.ReplyWord) and c[0].text in ("results", "called", "calling", "loaded"):
        # These take names, and a tool or skill may be called `reply`.
        argument = t.Path(argument.start, argument.end, t.Ident(argument.start, argument.end, "reply"), [])
    return t.CallExpr(s, e, c[0], argument, c[2:])


def _filter(c: list[Any], s: int, e: int) -> t.Apply:
    kids = Kids(c)
    return t.Apply(s, e, kids.take(), kids.take(), kids.maybe(t.Quote))


def _scalar(node: Any) -> Any:
    if type(node) is Token:
        return {"true": True, "false": False, "null": None}[node.text]
    return node


def _json(c: list[Any], s: int, e: int) -> t.Json:
    node = c[0]
    return node if isinstance(node, t.Json) else t.Json(s, e, _scalar(node), [])


def _json_object(c: list[Any], s: int, e: int) -> t.Json:
    from harness_dsl.syntax.quotes import value_of

    pairs: dict[str, t.Json] = {}
    repeated: list[t.Ident | t.Quote] = []
    for key, value in c:
        word = key.text if isinstance(key, t.Ident) else value_of(key)
        if word in pairs:
            repeated.append(key)
        pairs[word] = value
    return t.Json(s, e, pairs, repeated)


def _compare(c: list[Any], s: int, e: int) -> t.Infix:
    return t.Infix(s, e, c[1].text, c[0], c[2])


def _infix(operator: str) -> Callable[[list[Any], int, int], t.Infix]:
    def infix(c: list[Any], s: int, e: int) -> t.Infix:
        return t.Infix(s, e, operator, c[0], c[1])

    return infix


def _expect_skill(c: list[Any], s: int, e: int) -> t.SkillExpectation:
    kids = Kids(c)
    negated = kids.word("no") is not None
    return t.SkillExpectation(s, e, kids.take(), negated)


def _expect_call(c: list[Any], s: int, e: int) -> t.CallExpectation:
    kids = Kids(c)
    negated = kids.word("no") is not None
    return t.CallExpectation(s, e, kids.take(), negated, kids.take() if kids.more() else [])


def _expect_fact(c: list[Any], s: int, e: int) -> t.FactExpectation:
    kids = Kids(c)
    kids.word("reply")
    return t.FactExpectation(s, e, kids.take(), kids.take(), kids.maybe(t.Quote))


class TemplateTag(t.Node):
    """`{% if c %}`, `{% for x in xs %}` and the rest, before they are nested."""

    word: str
    expression: t.Expr | None
    variable: t.Ident | None


def _tag(word: str) -> Callable[[list[Any], int, int], TemplateTag]:
    def tag(c: list[Any], s: int, e: int) -> TemplateTag:
        if word == "for":
            return TemplateTag(s, e, word, c[1], c[0])
        return TemplateTag(s, e, word, c[0] if c else None, None)

    return tag


def _plain(node: Callable[..., Any]) -> Callable[[list[Any], int, int], Any]:
    """A node whose fields are its children in order."""
    return lambda c, s, e: node(s, e, *c)


def _listed(node: Callable[..., Any]) -> Callable[[list[Any], int, int], Any]:
    """A node with one field: the list of its children."""
    return lambda c, s, e: node(s, e, c)


def _headed(node: Callable[..., Any]) -> Callable[[list[Any], int, int], Any]:
    """A node with two fields: its first child and the list of the others."""
    return lambda c, s, e: node(s, e, c[0], c[1:])


_BUILDERS: dict[str, Callable[[list[Any], int, int], Any]] = {
    "file": lambda c, s, e: c,
    "header": _header,
    "import_decl": _plain(t.ImportDecl),
    "use_decl": _listed(t.UseDecl),
    "override_decl": _listed(t.OverrideDecl),
    "record_decl": _record,
    "alias_decl": _alias,
    "field": _field,
    "union": _listed(t.UnionTypeNode),
    "nullable_type": lambda c, s, e: t.NullableTypeNode(s, e, c[0]),
    "list_type": _list_type,
    "bounds": _bounds,
    "literal_type": _literal_type,
    "named_type": _headed(t.NamedType),
    "generic_type": lambda c, s, e: t.GenericType(s, e, c[0], c[-1], c[1:-1]),
    "constraint": _plain(t.Constraint),
    "named": lambda c, s, e: Named(s, e, c[0]),
    "input_decl": _input,
    "tool_decl": _tool,
    "param": _param,
    "default": lambda c, s, e: Default(s, e, c[0]),
    "effect": _words("effect"),
    "idempotent": _words("idempotent"),
    "impl_python": _impl_python,
    "impl_http": _impl_http,
    "impl_mcp": _impl_mcp,
    "timeout": _timeout,
    "fails": _words("fails"),
    "skill_decl": _skill,
    "when": _words("when"),
    "uses": _words("uses"),
    "do": _do,
    "step_item": _item,
    "rule_item": _item,
    "check": lambda c, s, e: Check(s, e, c[0]),
    "hook_decl": _hook,
    "hook_if": _words("if"),
    "action": _action,
    "require": _require,
    "max": _words("max"),
    "fail": _words("fail"),
    "same_as": _words("same"),
    "prompt_decl": _listed(t.PromptDecl),
    "section": _section,
    "prose": lambda c, s, e: c[0],
    "rules": _items,
    "catalog": _plain(t.Catalog),
    "order": _listed(t.OrderDecl),
    "constraint_order": _constraint_order,
    "limits_decl": _listed(t.LimitsDecl),
    "limit": _limit,
    "legal": _legal,
    "alternatives_decl": _listed(t.AlternativesDecl),
    "other_names": _headed(t.OtherNames),
    "other_wordings": _headed(t.OtherWordings),
    "moved_decl": _plain(t.MovedDecl),
    "surface_decl": _listed(t.SurfaceDecl),
    "setting": _plain(t.Setting),
    "test_decl": _headed(t.TestDecl),
    "given": _plain(t.GivenStmt),
    "fixture": _plain(t.Fixture),
    "user": _plain(t.UserStmt),
    "expect_skill": _expect_skill,
    "expect_call": _expect_call,
    "expect_fact": _expect_fact,
    "expect_predicate": _plain(t.PredicateExpectation),
    "arguments": lambda c, s, e: c,
    "argument": _plain(t.ArgumentNode),
    "and_": _infix("and"),
    "or_": _infix("or"),
    "not_": _plain(t.NotExpr),
    "every": _plain(t.EveryExpr),
    "compare": _compare,
    "matches": _plain(t.MatchesExpr),
    "starts_with": _infix("starts with"),
    "ends_with": _infix("ends with"),
    "contains": _infix("contains"),
    "filter": _filter,
    "reply": lambda c, s, e: t.ReplyWord(s, e),
    "path": _path,
    "call": _call,
    "segment": _segment,
    "literal": lambda c, s, e: t.LiteralExpr(s, e, _scalar(c[0])),
    "template_expression": lambda c, s, e: c[0],
    "tag_if": _tag("if"),
    "tag_elif": _tag("elif"),
    "tag_else": _tag("else"),
    "tag_endif": _tag("endif"),
    "tag_for": _tag("for"),
    "tag_endfor": _tag("endfor"),
    "json": _json,
    "json_list": lambda c, s, e: t.Json(s, e, c, []),
    "json_object": _json_object,
    "json_pair": lambda c, s, e: (c[0], c[1]),
    "text": _text,
}
