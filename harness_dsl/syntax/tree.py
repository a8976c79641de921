"""The syntax tree of a `.harness` file. Every node knows where it stands: `start` and `end` in code points.

A text block is one `Quote`; what stands inside it is parsed on demand (`template.py`).
"""

from dataclasses import dataclass, field
from typing import Literal, Union

from grammar.lexer import Token


@dataclass(slots=True, eq=False)
class Node:
    start: int
    end: int


@dataclass(slots=True, eq=False)
class Ident(Node):
    """A declared or used identifier, in NFC."""

    text: str


@dataclass(slots=True, eq=False)
class Quote(Node):
    """A quoted text as written, delimiters included: `"…"`, r"…" or a text block."""

    form: Literal["STRING", "RAW", "TEXT"]
    source: str


@dataclass(slots=True, eq=False)
class Number(Node):
    """A number as written."""

    text: str


@dataclass(slots=True, eq=False)
class Prose(Node):
    """Text for the model. `fixed`: no wording may replace it."""

    quote: Quote
    fixed: bool


# ── types ──────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True, eq=False)
class NamedType(Node):
    """A built-in or declared type, with constraints such as `int(min: 1)`."""

    name: Ident
    constraints: list["Constraint"]


@dataclass(slots=True, eq=False)
class Constraint(Node):
    name: Ident
    value: Union[Number, Quote]


@dataclass(slots=True, eq=False)
class LiteralType(Node):
    """One allowed string; several of them in a union are an enum."""

    value: Quote
    named: Quote | None


@dataclass(slots=True, eq=False)
class GenericType(Node):
    """`map<T>`."""

    name: Ident
    item: "TypeNode"


@dataclass(slots=True, eq=False)
class ListTypeNode(Node):
    item: "TypeNode"
    bounds: "Bounds | None"


@dataclass(slots=True, eq=False)
class Bounds(Node):
    low: Number | None
    high: Number | None


@dataclass(slots=True, eq=False)
class NullableTypeNode(Node):
    item: "TypeNode"


@dataclass(slots=True, eq=False)
class UnionTypeNode(Node):
    options: list["TypeNode"]


TypeNode = Union[NamedType, LiteralType, GenericType, ListTypeNode, NullableTypeNode, UnionTypeNode]


@dataclass(slots=True, eq=False)
class Field(Node):
    name: Ident
    type: TypeNode
    optional: bool
    fixed: bool
    named: Quote | None
    description: Quote | None


@dataclass(slots=True, eq=False)
class RecordDecl(Node):
    name: Ident
    description: Quote | None
    fields: list[Field]


@dataclass(slots=True, eq=False)
class AliasDecl(Node):
    name: Ident
    type: TypeNode
    description: Quote | None


TypeDecl = Union[RecordDecl, AliasDecl]

# ── values ─────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True, eq=False)
class Json(Node):
    """A literal value. `value` is JSON-like; numbers are Number, so that `1.10` stays exact."""

    value: "Union[Number, Quote, bool, list[Json], dict[str, Json], None]"


# ── expressions ────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True, eq=False)
class LiteralExpr(Node):
    value: Union[Number, Quote, bool, None]


@dataclass(slots=True, eq=False)
class Path(Node):
    """`room.shop_name`, `tool.get_quote.link_id`, `type.Size["extra large"]`: a word, then segments."""

    root: Ident
    segments: list[Ident]


@dataclass(slots=True, eq=False)
class ReplyWord(Node):
    """`reply`."""


@dataclass(slots=True, eq=False)
class CallExpr(Node):
    """`results(get_quote).amount`."""

    function: Ident
    argument: "Expr"
    segments: list[Ident]


@dataclass(slots=True, eq=False)
class Apply(Node):
    """`value | name("argument")`."""

    subject: "Expr"
    name: Ident
    argument: Quote | None


@dataclass(slots=True, eq=False)
class NotExpr(Node):
    operand: "Expr"


@dataclass(slots=True, eq=False)
class Infix(Node):
    """`and`, `or`, comparisons, `in`, `starts with`, `ends with`, `contains`."""

    operator: str
    left: "Expr"
    right: "Expr"


@dataclass(slots=True, eq=False)
class MatchesExpr(Node):
    subject: "Expr"
    pattern: Quote


@dataclass(slots=True, eq=False)
class EveryExpr(Node):
    subject: "Expr"
    within: "Expr"


Expr = Union[LiteralExpr, Path, ReplyWord, CallExpr, Apply, NotExpr, Infix, MatchesExpr, EveryExpr]

# ── inputs, tools ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True, eq=False)
class InputDecl(Node):
    name: Ident
    type: TypeNode
    untrusted: bool
    description: Quote | None


@dataclass(slots=True, eq=False)
class ParamDecl(Node):
    name: Ident
    type: TypeNode
    optional: bool
    fixed: bool
    named: Quote | None
    default: Json | None
    description: Quote | None


@dataclass(slots=True, eq=False)
class Clause(Node):
    """A part of a body that may stand in any order. `word` says which; `args` are its operands."""

    word: str
    args: "list[Node]"


@dataclass(slots=True, eq=False)
class Impl(Node):
    kind: Literal["python", "http", "mcp"]
    target: Quote
    tool: Quote | None


@dataclass(slots=True, eq=False)
class ToolDecl(Node):
    name: Ident
    named: Quote | None
    fixed: bool
    params: list[ParamDecl]
    returns: TypeNode
    clauses: list[Clause]


# ── skills, hooks ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True, eq=False)
class ItemDecl(Node):
    """A step or rule. `label` is needed in an unordered list."""

    label: Ident | None
    text: Prose
    check: Expr | None


@dataclass(slots=True, eq=False)
class Items(Node):
    ordered: bool
    items: list[ItemDecl]


@dataclass(slots=True, eq=False)
class SkillDecl(Node):
    name: Ident
    named: Quote | None
    fixed: bool
    role: Literal["reply", "strategy"]
    clauses: list[Clause]


@dataclass(slots=True, eq=False)
class Action(Node):
    word: str
    target: Path | None
    message: Prose | None


@dataclass(slots=True, eq=False)
class HookDecl(Node):
    name: Ident
    event: Ident
    fixed: bool
    clauses: list[Clause]


# ── prompt ─────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True, eq=False)
class Catalog(Node):
    of: Ident


@dataclass(slots=True, eq=False)
class SectionDecl(Node):
    name: Ident
    named: Quote | None
    fixed: bool
    content: Union[Prose, Items, Catalog]


@dataclass(slots=True, eq=False)
class OrderRule(Node):
    section: Ident
    relation: Literal["first", "last", "before", "after"]
    other: Ident | None


@dataclass(slots=True, eq=False)
class OrderDecl(Node):
    rules: list[OrderRule]


@dataclass(slots=True, eq=False)
class PromptDecl(Node):
    parts: list[Union[SectionDecl, OrderDecl]]

    @property
    def sections(self) -> list[SectionDecl]:
        return [part for part in self.parts if isinstance(part, SectionDecl)]

    @property
    def order(self) -> list[OrderRule]:
        return [rule for part in self.parts if isinstance(part, OrderDecl) for rule in part.rules]


# ── limits, alternatives, history, surface, tests ──────────────────────────────────────────────────────────


@dataclass(slots=True, eq=False)
class Legal(Node):
    """A range of two numbers, or a choice of strings."""

    values: list[Union[Number, Quote]]


@dataclass(slots=True, eq=False)
class LimitDecl(Node):
    name: Ident
    value: Union[Number, Quote]
    legal: Legal | None


@dataclass(slots=True, eq=False)
class LimitsDecl(Node):
    limits: list[LimitDecl]


@dataclass(slots=True, eq=False)
class OtherNames(Node):
    target: Path
    names: list[Quote]


@dataclass(slots=True, eq=False)
class OtherWordings(Node):
    target: Path
    texts: list[Quote]


@dataclass(slots=True, eq=False)
class AlternativesDecl(Node):
    entries: list[Union[OtherNames, OtherWordings]]


@dataclass(slots=True, eq=False)
class MovedDecl(Node):
    old: Path
    new: Path


@dataclass(slots=True, eq=False)
class Setting(Node):
    name: Ident
    value: Ident


@dataclass(slots=True, eq=False)
class SurfaceDecl(Node):
    settings: list[Setting]


@dataclass(slots=True, eq=False)
class Fixture(Node):
    path: Quote


@dataclass(slots=True, eq=False)
class GivenStmt(Node):
    input: Ident
    value: Union[Json, Fixture]


@dataclass(slots=True, eq=False)
class UserStmt(Node):
    text: Quote


@dataclass(slots=True, eq=False)
class SkillExpectation(Node):
    skill: Ident
    negated: bool


@dataclass(slots=True, eq=False)
class ArgumentNode(Node):
    name: Ident
    value: Json


@dataclass(slots=True, eq=False)
class CallExpectation(Node):
    tool: Ident
    negated: bool
    arguments: list[ArgumentNode]


@dataclass(slots=True, eq=False)
class FactExpectation(Node):
    fact: Ident
    value: Union[Number, Quote]
    unit: Quote | None


@dataclass(slots=True, eq=False)
class PredicateExpectation(Node):
    predicate: Expr


Statement = Union[
    GivenStmt, UserStmt, SkillExpectation, CallExpectation, FactExpectation, PredicateExpectation
]


@dataclass(slots=True, eq=False)
class TestDecl(Node):
    title: Quote
    statements: list[Statement]


@dataclass(slots=True, eq=False)
class Header(Node):
    name: Ident
    version: Quote
    description: Quote | None


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
]


@dataclass(slots=True, eq=False)
class Comment(Node):
    """`own_line`: nothing but space stands before it."""

    text: str
    own_line: bool


@dataclass(slots=True, eq=False)
class File:
    """`text` has line feeds only. `lost`: words of declarations that could not be parsed; no mistake is
    reported that may only follow from them.
    """

    path: str
    text: str
    decls: list[Decl] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    tokens: list[Token] = field(default_factory=list)


# ── templates ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True, eq=False)
class Chunk(Node):
    """Ordinary text."""

    text: str


@dataclass(slots=True, eq=False)
class Shown(Node):
    """`{{ expression }}`."""

    expression: Expr


@dataclass(slots=True, eq=False)
class IfPart(Node):
    condition: Expr
    then: list["PartNode"]
    otherwise: list["PartNode"]


@dataclass(slots=True, eq=False)
class ForPart(Node):
    variable: Ident
    values: Expr
    body: list["PartNode"]


PartNode = Union[Chunk, Shown, IfPart, ForPart]
