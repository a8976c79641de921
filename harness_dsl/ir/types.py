"""Value types of parameters, results, inputs and fields."""

from typing import Annotated, Literal, Union

from pydantic import Field

from harness_dsl.ir.decimals import ExactDecimal
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import Node


class StringType(Node):
    kind: Literal["string"] = "string"
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    format: str | None = None


class IntType(Node):
    kind: Literal["int"] = "int"
    min: int | None = None
    max: int | None = None


class DecimalType(Node):
    """A number with a fraction. Money is `decimal`: exact, shown without an exponent."""

    kind: Literal["decimal"] = "decimal"
    min: ExactDecimal | None = None
    max: ExactDecimal | None = None


class FloatType(Node):
    kind: Literal["float"] = "float"
    min: float | None = None
    max: float | None = None


class BoolType(Node):
    kind: Literal["bool"] = "bool"


class TimeType(Node):
    """ISO 8601 text: a date, a time of day, or an instant with its offset."""

    kind: Literal["time"] = "time"
    form: Literal["date", "time", "datetime"]


class AnyType(Node):
    kind: Literal["any"] = "any"


class EnumMember(Node):
    """One allowed string. Its `id` lets a Surface show it under another name."""

    id: SemanticId
    value: str


class EnumType(Node):
    """Declared order is part of the meaning: models read an enum as a scale."""

    kind: Literal["enum"] = "enum"
    members: tuple[EnumMember, ...]


class ListType(Node):
    kind: Literal["list"] = "list"
    item: "Type"
    min_length: int | None = None
    max_length: int | None = None


class MapType(Node):
    """String keys, values of one type."""

    kind: Literal["map"] = "map"
    value: "Type"


class NullableType(Node):
    """The value may be null. Whether it may be *absent* is said by its field or parameter."""

    kind: Literal["nullable"] = "nullable"
    item: "Type"


class UnionType(Node):
    kind: Literal["union"] = "union"
    options: tuple["Type", ...]


class NamedType(Node):
    """A declared type, by id; recursion passes through here."""

    kind: Literal["named"] = "named"
    type: SemanticId


Type = Annotated[
    Union[
        StringType,
        IntType,
        DecimalType,
        FloatType,
        BoolType,
        TimeType,
        AnyType,
        EnumType,
        ListType,
        MapType,
        NullableType,
        UnionType,
        NamedType,
    ],
    Field(discriminator="kind"),
]

for _model in (ListType, MapType, NullableType, UnionType):
    _model.model_rebuild()
