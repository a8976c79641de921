"""Total expressions: template values, rule predicates and hook conditions. No loops, no user functions."""

from typing import Annotated, Literal, Union

from pydantic import Field

from harness_dsl.ir.decimals import TaggedDecimal
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import Node


class Constant(Node):
    """A literal. Unlike in Python, `true` and `1` are two constants, and so are `1` and `1.0`."""

    kind: Literal["constant"] = "constant"
    value: bool | int | TaggedDecimal | str | None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Constant):
            return NotImplemented
        return type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


class InputValue(Node):
    """`room.shop_name`: an input, then record fields by their declared identifiers."""

    kind: Literal["input"] = "input"
    input: SemanticId
    path: tuple[str, ...] = ()


class LimitValue(Node):
    kind: Literal["limit_value"] = "limit_value"
    limit: SemanticId


class LoopValue(Node):
    """The variable of an enclosing `for`, then record fields."""

    kind: Literal["loop"] = "loop"
    name: str
    path: tuple[str, ...] = ()


class Reply(Node):
    """The reply that is about to be published."""

    kind: Literal["reply"] = "reply"


class Argument(Node):
    """An argument of the call that a `before_call` or `after_call` hook looks at, by declared identifier, and
    what lies in it, by record fields.
    """

    kind: Literal["argument"] = "argument"
    name: str
    # Left out where it is empty: the JSON of arguments without a path, and its digests, are older than paths.
    path: tuple[str, ...] = Field(default=(), exclude_if=lambda path: not path)


class Results(Node):
    """`results(tool).field`: that value in every successful result of the tool so far in this turn.

    Lists, on the way and at its end, are spread: the value is one flat list. Absent fields are left out.
    """

    kind: Literal["results"] = "results"
    tool: SemanticId
    path: tuple[str, ...] = ()


class Called(Node):
    """`called(tool)`: the tool was called in this turn, with success or not.

    A call that was denied, misfitted its parameters or was over a limit never reached the tool and does not
    count; nor does, in a `before_call` hook, the call that is looked at.
    """

    kind: Literal["called"] = "called"
    tool: SemanticId


class Calling(Node):
    """`calling(tool)`: the call that a `before_call` or `after_call` hook looks at is one of this tool."""

    kind: Literal["calling"] = "calling"
    tool: SemanticId


class Loaded(Node):
    """`loaded(skill)`: the skill has been loaded in this turn."""

    kind: Literal["loaded"] = "loaded"
    skill: SemanticId


class Measure(Node):
    """`chars(x)`: Unicode code points of a text. `count(x)`: elements of a list."""

    kind: Literal["measure"] = "measure"
    function: Literal["chars", "count"]
    subject: "Expression"


class Extract(Node):
    """`price(reply)`: the amounts of money written in a text (a number followed by 元, 块, 圆, ¥, yuan, CNY
    or RMB, or led by ¥, CNY or RMB). `number(reply)`: every number in it. Both give a list of decimals; what
    counts as a number is said in `quantities`."""

    kind: Literal["extract"] = "extract"
    function: Literal["price", "number"]
    subject: "Expression"


class Every(Node):
    """`every price(reply) in results(t).amount`: each element of `subject` equals one of `within`."""

    kind: Literal["every"] = "every"
    subject: "Expression"
    within: "Expression"


class Matches(Node):
    """`x matches r"…"`: the pattern is found anywhere; it is free of catastrophic backtracking."""

    kind: Literal["matches"] = "matches"
    subject: "Expression"
    pattern: str


class Affix(Node):
    """`x starts with y`, `x ends with y`, `x contains y`."""

    kind: Literal["affix"] = "affix"
    where: Literal["start", "end", "inside"]
    subject: "Expression"
    text: "Expression"


class Not(Node):
    kind: Literal["not"] = "not"
    operand: "Expression"


class Binary(Node):
    kind: Literal["binary"] = "binary"
    operator: Literal["and", "or", "==", "!=", "<", "<=", ">", ">=", "in"]
    left: "Expression"
    right: "Expression"


class Filter(Node):
    """`value | name` or `value | name(argument)`, from the closed list.

    upper, lower, trim  of the text of the value
    length              characters of a text, entries of a list or map, else 0
    join(separator)     the texts of a list, one after the other; the separator is empty if not given
    default(text)       the value, or `text` if the value is null
    json                the value as compact JSON text
    """

    kind: Literal["filter"] = "filter"
    name: Literal["upper", "lower", "trim", "length", "join", "default", "json"]
    subject: "Expression"
    argument: str | None = None


Expression = Annotated[
    Union[
        Constant,
        InputValue,
        LimitValue,
        LoopValue,
        Reply,
        Argument,
        Results,
        Called,
        Calling,
        Loaded,
        Measure,
        Extract,
        Every,
        Matches,
        Affix,
        Not,
        Binary,
        Filter,
    ],
    Field(discriminator="kind"),
]

for _model in (Measure, Extract, Every, Matches, Affix, Not, Binary, Filter):
    _model.model_rebuild()
