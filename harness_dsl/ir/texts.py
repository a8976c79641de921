"""Prose for the model, with typed references instead of names."""

from typing import Annotated, Literal, Union

from pydantic import Field

from harness_dsl.ir.expressions import Expression
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import Node


class Literally(Node):
    kind: Literal["literal"] = "literal"
    text: str


class Reference(Node):
    """`{{ tool.get_quote }}`: prints the current surface name of a symbol, or the value of a limit."""

    kind: Literal["reference"] = "reference"
    target: SemanticId


class Interpolation(Node):
    """`{{ room.shop_name }}`: a run-time value; what it yields is never parsed again."""

    kind: Literal["interpolation"] = "interpolation"
    value: Expression


class If(Node):
    kind: Literal["if"] = "if"
    condition: Expression
    then: "Template"
    otherwise: "Template" = ()


class For(Node):
    kind: Literal["for"] = "for"
    variable: str
    values: Expression
    body: "Template"


Part = Annotated[Union[Literally, Reference, Interpolation, If, For], Field(discriminator="kind")]
Template = tuple[Part, ...]

If.model_rebuild()
For.model_rebuild()


class Text(Node):
    """One piece of prose. The text of a rule, a step or a prose section has the id of its owner; a tool's,
    type's, field's, parameter's or input's ends in `/description`, a skill's in `/when`, a hook's in
    `/message`.

    `alternatives` are wordings its author declares to mean the same; they are the only ones (besides reviewed
    banks) that a Surface may choose.
    """

    id: SemanticId
    canonical: Template
    alternatives: tuple[Template, ...] = ()
    fixed: bool = False
