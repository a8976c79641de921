"""The syntax tree of a `.harness` file. Every node knows where it stands: `start` and `end` in code points.

A text block is one `Quote`; what stands inside it is parsed on demand (`template.py`).
"""

from collections.abc import Iterable, Sequence
from typing import Literal, Union

from grammar.lexer import Token
from harness_dsl.syntax.node import Node as Node


class Ident(Node):
    """A declared or used identifier, in NFC."""

    text: str


class Quote(Node):
    """A quoted text as written, delimiters included: `"…"`, r"…" or a text block."""

    form: Literal["STRING", "RAW", "TEXT"]
    source: str


class Number(Node):
    """A number as written."""

    text: str


class Prose(Node):
    """Text for the model. `fixed`: no wording may replace it."""

    quote: Quote
    fixed: bool


# ── types ──────────────────────────────────────────────────────────────────────────────────────────────────


class NamedType(Node):
    """A built-in or declared type, with constraints such as `int(min: 1)`."""

    name: Ident
    constraints: list["Constraint"]


class Constraint(Node):
    name: Ident
    value: Union[Number, Quote]


class LiteralType(Node):
    """One allowed string; several of them in a union are an enum."""

    value: Quote
    named: Quote | None


class GenericType(Node):
    """`map<T>`. `extra`: types that stand before the last one, which no type has a place for."""

    name: Ident
    item: "TypeNode"
    extra: "list[TypeNode]"


class ListTypeNode(Node):
    item: "TypeNode"
    bounds: "Bounds | None"


class Bounds(Node):
    low: Number | None
    high: Number | None


class NullableTypeNode(Node):
    item: "TypeNode"


class UnionTypeNode(Node):
    options: list["TypeNode"]


TypeNode = Union[NamedType, LiteralType, GenericType, ListTypeNode, NullableTypeNode, UnionTypeNode]


class Field(Node):
    name: Ident
    type: TypeNode
    optional: bool
    fixed: bool
    named: Quote | None
    description: Quote | None


class RecordDecl(Node):
    name: Ident
    description: Quote | None
    fields: list[Field]


class AliasDecl(Node):
    name: Ident
    type: TypeNode
    description: Quote | None


TypeDecl = Union[RecordDecl, AliasDecl]

# ── values ─────────────────────────────────────────────────────────────────────────────────────────────────


class Json(Node):
    """A literal value. `value` is JSON-like; numbers are Number, so that `1.10` stays exact. `repeated`: the
    keys of an object that stand in it once more; the last value of each counts.
    """

    value: "Union[Number, Quote, bool, list[Json], dict[str, Json], None]"
    repeated: "list[Union[Ident, Quote]]"


# ── expressions ────────────────────────────────────────────────────────────────────────────────────────────


class LiteralExpr(Node):
    value: Union[Number, Quote, bool, None]


class Path(Node):
    """`room.shop_name`, `tool.get_quote.link_id`, `type.Size["extra large"]`: a word, then segments."""

    root: Ident
    segments: list[Ident]


class ReplyWord(Node):
    """`reply`."""


class CallExpr(Node):
    """`results(get_quote).amount`."""

    function: Ident
    argument: "Expr"
    segments: list[Ident]


class Apply(Node):
    """`value | name("argument")`."""

    subject: "Expr"
    name: Ident
    argument: Quote | None


class NotExpr(Node):
    operand: "Expr"


class Infix(Node):
    """`and`, `or`, comparisons, `in`, `starts with`, `ends with`, `contains`."""

    operator: str
    left: "Expr"
    right: "Expr"


class MatchesExpr(Node):
    subject: "Expr"
    pattern: Quote


class EveryExpr(Node):
    subject: "Expr"
    within: "Expr"


Expr = Union[LiteralExpr, Path, ReplyWord, CallExpr, Apply, NotExpr, Infix, MatchesExpr, EveryExpr]

# ── inputs, tools ──────────────────────────────────────────────────────────────────────────────────────────


class InputDecl(Node):
    name: Ident
    type: TypeNode
    untrusted: bool
    description: Quote | None


class ParamDecl(Node):
    name: Ident
    type: TypeNode
    optional: bool
    fixed: bool
    named: Quote | None
    default: Json | None
    description: Quote | None


class Clause(Node):
    """A part of a body that may stand in any order. `word` says which; `args` are its operands."""

    word: str
    args: "list[Node]"


class Impl(Node):
    kind: Literal["python", "http", "mcp"]
    target: Quote
    tool: Quote | None


class ToolDecl(Node):
    name: Ident
    named: Quote | None
    fixed: bool
    params: list[ParamDecl]
    returns: TypeNode
    clauses: list[Clause]


# ── skills, hooks ──────────────────────────────────────────────────────────────────────────────────────────


class ItemDecl(Node):
    """A step or rule. `label` is needed in an unordered list."""

    label: Ident | None
    text: Prose
    check: Expr | None


class UseDecl(Node):
    """`use compliance.law, compliance.calm`: the declarations of a module, as if they stood here."""

    paths: list[Path]


class Items(Node):
    ordered: bool
    parts: list[Union[ItemDecl, UseDecl]]

    @property
    def items(self) -> list[ItemDecl]:
        return [part for part in self.parts if isinstance(part, ItemDecl)]


class SkillDecl(Node):
    name: Ident
    named: Quote | None
    fixed: bool
    role: Literal["reply", "strategy"]
    clauses: list[Clause]


class Action(Node):
    word: str
    target: Path | None
    message: Prose | None


class HookDecl(Node):
    name: Ident
    event: Ident
    fixed: bool
    clauses: list[Clause]


# ── prompt ─────────────────────────────────────────────────────────────────────────────────────────────────


class Catalog(Node):
    of: Ident


class SectionDecl(Node):
    name: Ident
    named: Quote | None
    fixed: bool
    content: Union[Prose, Items, Catalog]


class OrderRule(Node):
    section: Ident
    relation: Literal["first", "last", "before", "after"]
    other: Ident | None


class OrderDecl(Node):
    rules: list[OrderRule]


class PromptDecl(Node):
    parts: list[Union[SectionDecl, OrderDecl, UseDecl]]

    @property
    def sections(self) -> list[SectionDecl]:
        return [part for part in self.parts if isinstance(part, SectionDecl)]

    @property
    def order(self) -> list[OrderRule]:
        return [rule for part in self.parts if isinstance(part, OrderDecl) for rule in part.rules]


# ── limits, alternatives, history, surface, tests ──────────────────────────────────────────────────────────


class Legal(Node):
    """A range of two numbers, or a choice of strings."""

    values: list[Union[Number, Quote]]


class LimitDecl(Node):
    name: Ident
    value: Union[Number, Quote]
    legal: Legal | None


class LimitsDecl(Node):
    limits: list[LimitDecl]


class OtherNames(Node):
    target: Path
    names: list[Quote]


class OtherWordings(Node):
    target: Path
    texts: list[Quote]


class AlternativesDecl(Node):
    entries: list[Union[OtherNames, OtherWordings]]


class MovedDecl(Node):
    old: Path
    new: Path


class Setting(Node):
    name: Ident
    value: Ident


class SurfaceDecl(Node):
    settings: list[Setting]


class Fixture(Node):
    path: Quote


class GivenStmt(Node):
    input: Ident
    value: Union[Json, Fixture]


class UserStmt(Node):
    text: Quote


class SkillExpectation(Node):
    skill: Ident
    negated: bool


class ArgumentNode(Node):
    name: Ident
    value: Json


class CallExpectation(Node):
    tool: Ident
    negated: bool
    arguments: list[ArgumentNode]


class FactExpectation(Node):
    fact: Ident
    value: Union[Number, Quote]
    unit: Quote | None


class PredicateExpectation(Node):
    predicate: Expr


Statement = Union[
    GivenStmt, UserStmt, SkillExpectation, CallExpectation, FactExpectation, PredicateExpectation
]


class TestDecl(Node):
    title: Quote
    statements: list[Statement]


class Header(Node):
    """`module`: the file is there to be imported, and needs no prompt."""

    name: Ident
    version: Quote
    description: Quote | None
    module: bool


class ImportDecl(Node):
    """`import "common/compliance.harness" as compliance`."""

    target: Quote
    name: Ident


class OverrideDecl(Node):
    """`override compliance.calm`: the declaration of this file takes the place of the module's."""

    paths: list[Path]


Decl = Union[
    Header,
    RecordDecl,
    AliasDecl,
    InputDecl,
    ToolDecl,
    SkillDecl,
    HookDecl,
    PromptDecl,
    LimitsDecl,
    AlternativesDecl,
    MovedDecl,
    SurfaceDecl,
    TestDecl,
    ImportDecl,
    UseDecl,
    OverrideDecl,
]


class Comment(Node):
    """`own_line`: nothing but space stands before it."""

    text: str
    own_line: bool


class File:
    """`text` has line feeds only. `lost`: words of declarations that could not be parsed; no mistake is
    reported that may only follow from them. `tokens`: all but comments, as the keywords they were taken for.
    `given_up`: parsing ended before the end of the text, so that nothing can be said of names and types.
    """

    __slots__ = ("comments", "decls", "given_up", "lost", "path", "text", "tokens")

    def __init__(
        self,
        path: str,
        text: str,
        decls: Sequence[Decl] = (),
        comments: Sequence[Comment] = (),
        lost: Iterable[str] = (),
        tokens: Sequence[Token] = (),
        *,
        given_up: bool = False,
    ) -> None:
        self.path = path
        self.text = text
        self.decls = list(decls)
        self.comments = list(comments)
        self.lost = set(lost)
        self.tokens = list(tokens)
        self.given_up = given_up


# ── templates ──────────────────────────────────────────────────────────────────────────────────────────────


class Chunk(Node):
    """Ordinary text."""

    text: str


class Shown(Node):
    """`{{ expression }}`."""

    expression: Expr


class IfPart(Node):
    condition: Expr
    then: list["PartNode"]
    otherwise: list["PartNode"]


class ForPart(Node):
    variable: Ident
    values: Expr
    body: list["PartNode"]


PartNode = Union[Chunk, Shown, IfPart, ForPart]
