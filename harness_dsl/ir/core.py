"""Core: what a harness means. No display name, no layout; unordered lists stand sorted by id.

The order in which unordered lists are shown, and every name that a model sees, belong to the Surface.
"""

from typing import Annotated, Any, Literal, Union

from pydantic import Field

from harness_dsl.ir.decimals import ExactDecimal, TaggedDecimal
from harness_dsl.ir.expressions import Expression
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import Node
from harness_dsl.ir.texts import Text
from harness_dsl.ir.types import Type

SCHEMA_VERSION = "1.0"


class Member(Node):
    """A field of a record. `optional`: may be absent."""

    id: SemanticId
    type: Type
    optional: bool = False
    description: Text | None = None
    fixed: bool = False


class TypeDecl(Node):
    """A record (`fields`, unordered) or a name for another type (`alias`); exactly one of the two is set."""

    id: SemanticId
    fields: tuple[Member, ...] | None = None
    alias: Type | None = None
    description: Text | None = None


class Input(Node):
    id: SemanticId
    type: Type
    untrusted: bool = False
    description: Text | None = None


class Param(Node):
    """`required` unless it has a default or is optional. `default` is a JSON value."""

    id: SemanticId
    type: Type
    optional: bool = False
    has_default: bool = False
    default: Any = None
    description: Text | None = None
    fixed: bool = False

    @property
    def required(self) -> bool:
        return not (self.optional or self.has_default)


class PythonImplementation(Node):
    """`module:function`; read with `ast` when compiled, imported only by the runtime from its allow-list."""

    kind: Literal["python"] = "python"
    target: str


class HttpImplementation(Node):
    kind: Literal["http"] = "http"
    url: str


class McpImplementation(Node):
    kind: Literal["mcp"] = "mcp"
    server: str
    tool: str


Implementation = Annotated[
    Union[PythonImplementation, HttpImplementation, McpImplementation], Field(discriminator="kind")
]


class Tool(Node):
    """`params` are unordered: arguments are passed by name."""

    id: SemanticId
    description: Text
    params: tuple[Param, ...] = ()
    returns: Type
    effect: Literal["read", "write", "irreversible"] = "read"
    idempotent: bool = False
    implementation: Implementation | None = None
    timeout_ms: int | None = None
    fails: tuple[str, ...] = ()
    fixed: bool = False


class Item(Node):
    """A step of a skill or a rule of a section: prose, and where it can be said a predicate."""

    id: SemanticId
    text: Text
    check: Expression | None = None


class Skill(Node):
    """`items` stand in reading order if `ordered`, else sorted by id and shown in the Surface's order."""

    id: SemanticId
    role: Literal["reply", "strategy"]
    when: Text
    uses: tuple[SemanticId, ...] = ()
    ordered: bool = True
    items: tuple[Item, ...] = ()
    fixed: bool = False


HookEvent = Literal["before_turn", "before_call", "after_call", "before_reply"]
HookAction = Literal["deny", "retry", "replace", "inject", "require", "log"]


class Hook(Node):
    """When `condition` holds at `event`, `action` is taken with `message`.

    deny     the call or reply does not happen; the message is what is returned instead
    retry    the message goes back to the model, at most `max` times a turn; then the reply is denied
    replace  the message becomes the published reply
    inject   the message is added before the model continues
    require  `target` (a tool or a skill) must have been called or loaded; else as `retry`
    log      recorded only

    `implementations` are declared equivalent to `condition`. `fail`: what a crash or timeout of it means.
    """

    id: SemanticId
    event: HookEvent
    condition: Expression
    action: HookAction
    message: Text | None = None
    target: SemanticId | None = None
    max: int = 1
    fail: Literal["open", "closed"] = "closed"
    implementations: tuple[PythonImplementation, ...] = ()
    fixed: bool = False


class ProseContent(Node):
    kind: Literal["prose"] = "prose"
    text: Text


class ListContent(Node):
    """Rules, in reading order if `ordered`, else sorted by id and shown in the Surface's order."""

    kind: Literal["list"] = "list"
    ordered: bool
    items: tuple[Item, ...]


class CatalogContent(Node):
    """The place where the tools or the skills are listed."""

    kind: Literal["catalog"] = "catalog"
    of: Literal["tools", "skills"]


Content = Annotated[Union[ProseContent, ListContent, CatalogContent], Field(discriminator="kind")]


class Section(Node):
    id: SemanticId
    content: Content
    fixed: bool = False


class Constraint(Node):
    """`first`/`last`: `section` stands there. `before`: `section` stands before `other`."""

    relation: Literal["first", "last", "before"]
    section: SemanticId
    other: SemanticId | None = None


class Prompt(Node):
    """Sections are sorted by id; the Surface's order must satisfy every constraint."""

    id: SemanticId
    sections: tuple[Section, ...]
    order: tuple[Constraint, ...] = ()


class Span(Node):
    """A legal range of a number, both ends included."""

    kind: Literal["span"] = "span"
    min: ExactDecimal
    max: ExactDecimal


class Choice(Node):
    """A legal set of words."""

    kind: Literal["choice"] = "choice"
    values: tuple[str, ...]


class Limit(Node):
    """A number or word of the policy. `legal` is where it may be moved; None: nowhere.

    The runtime enforces the limits it knows: `turns`, `tool_calls`, `reply_chars`, `think_tokens`,
    `reply_tokens`, `wall_ms`.
    """

    id: SemanticId
    value: int | TaggedDecimal | str
    legal: Annotated[Union[Span, Choice], Field(discriminator="kind")] | None = None


class Given(Node):
    """The value of an input in a test; fixtures are read when compiled."""

    input: SemanticId
    value: Any


class ExpectSkill(Node):
    kind: Literal["skill"] = "skill"
    skill: SemanticId
    negated: bool = False


class ExpectCall(Node):
    """`arguments` (declared identifier → JSON value), sorted by name, must be among those of one call;
    others are free.
    """

    kind: Literal["call"] = "call"
    tool: SemanticId
    arguments: tuple[tuple[str, Any], ...] = ()
    negated: bool = False


class ExpectFact(Node):
    """`reply states price = 89 "CNY"`: the reply says this fact and no other value of its kind."""

    kind: Literal["fact"] = "fact"
    fact: Literal["price", "number", "text"]
    value: TaggedDecimal | str
    unit: str | None = None


class ExpectPredicate(Node):
    kind: Literal["predicate"] = "predicate"
    predicate: Expression


Expectation = Annotated[
    Union[ExpectSkill, ExpectCall, ExpectFact, ExpectPredicate], Field(discriminator="kind")
]


class TestCase(Node):
    """Expectations hold for the last user turn. `given` is sorted by input."""

    __test__ = False

    id: SemanticId
    title: str
    given: tuple[Given, ...] = ()
    user: tuple[str, ...]
    expect: tuple[Expectation, ...]


class Moved(Node):
    """A symbol's id was `old` once; history and trained manifests follow it."""

    old: SemanticId
    new: SemanticId


class Core(Node):
    schema_version: Literal["1.0"] = "1.0"
    name: str
    version: str
    description: str = ""
    types: tuple[TypeDecl, ...] = ()
    inputs: tuple[Input, ...] = ()
    tools: tuple[Tool, ...] = ()
    skills: tuple[Skill, ...] = ()
    hooks: tuple[Hook, ...] = ()
    prompt: Prompt
    limits: tuple[Limit, ...] = ()
    tests: tuple[TestCase, ...] = ()
    moved: tuple[Moved, ...] = ()
    declared_names: tuple[tuple[SemanticId, tuple[str, ...]], ...] = ()
    """Surface names the author declares to be acceptable for a symbol (`alternatives`), sorted by id."""
