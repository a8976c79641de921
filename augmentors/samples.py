"""One small valid value of each type, to render prompts that want inputs."""

from typing import Any, assert_never

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.types import (
    AnyType,
    BoolType,
    DecimalType,
    EnumType,
    FloatType,
    IntType,
    ListType,
    MapType,
    NamedType,
    NullableType,
    StringType,
    TimeType,
    Type,
    UnionType,
)

_TIMES = {"date": "2024-05-01", "time": "08:30:00", "datetime": "2024-05-01T08:30:00+00:00"}


def sample_inputs(core: Core) -> dict[str, Any]:
    """A value for every input of `core`, by input identifier. Patterns of texts are not looked at."""
    return {leaf(node.id): _sample(core, node.type, frozenset()) for node in core.inputs}


def _sample(core: Core, type_: Type, within: frozenset[SemanticId]) -> Any:
    """JSON data of `type_`. Inside a recursive type (`within`) optional parts are left out."""
    match type_:
        case StringType():
            return "x" * max(1, type_.min_length or 1)
        case IntType():
            return type_.min if type_.min is not None else min(1, type_.max if type_.max is not None else 1)
        case DecimalType() | FloatType():
            low, high = type_.min, type_.max
            return float(low if low is not None else min(1, high if high is not None else 1))
        case BoolType():
            return True
        case TimeType():
            return _TIMES[type_.form]
        case AnyType():
            return "x"
        case EnumType():
            return type_.members[0].value
        case ListType():
            return [_sample(core, type_.item, within) for _ in range(type_.min_length or 0)]
        case MapType():
            return {}
        case NullableType():
            return None
        case UnionType():
            return _sample(core, type_.options[-1], within)
        case NamedType():
            return _named(core, type_.type, within)
        case _:
            assert_never(type_)


def _named(core: Core, id_: SemanticId, within: frozenset[SemanticId]) -> Any:
    decl = next(node for node in core.types if node.id == id_)
    inside = within | {id_}
    if decl.alias is not None:
        return _sample(core, decl.alias, inside)
    fields = [node for node in decl.fields or () if not (node.optional and within)]
    return {leaf(node.id): _sample(core, node.type, inside) for node in fields}
