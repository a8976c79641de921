"""One small valid value of each type, for prompts that want inputs; and small conversations of each tool."""

from collections.abc import Iterator
from typing import Any, assert_never

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.quick_digest import quick_core_digest
from harness_dsl.ir.transcript import (
    Call,
    Event,
    Generated,
    LoadSkill,
    Mention,
    ReplyText,
    Result,
    SkillShown,
    Think,
    Transcript,
    User,
)
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


def sample_talks(core: Core) -> Iterator[Transcript]:
    """A conversation for each tool, called with every parameter, and for each skill, which is loaded."""
    digest, inputs = quick_core_digest(core), sample_inputs(core)
    for tool in core.tools:
        arguments = {leaf(node.id): _sample(core, node.type, frozenset()) for node in tool.params}
        result = Result(tool=tool.id, value=_sample(core, tool.returns, frozenset()))
        used: list[Event] = [Generated(events=(Call(tool=tool.id, arguments=arguments),)), result]
        yield _talk(digest, inputs, tool.id, used)
    for skill in core.skills:
        used = [Generated(events=(LoadSkill(skill=skill.id),)), SkillShown(skill=skill.id)]
        yield _talk(digest, inputs, skill.id, used)


def _talk(digest: str, inputs: dict[str, Any], symbol: SemanticId, used: list[Event]) -> Transcript:
    """A viewer asks, the model uses `symbol` and says so in thinking and reply."""
    said = Generated(
        events=(
            Think(text=("I have used ", Mention(symbol=symbol), ".")),
            ReplyText(text=("Done with ", Mention(symbol=symbol), ".")),
        )
    )
    return Transcript(core_digest=digest, inputs=inputs, events=(User(text="Please do it."), *used, said))


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
