"""What a predicate can look at: the facts of one turn."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.transcript import (
    Call,
    Generated,
    LoadSkill,
    Mention,
    ModelEvent,
    Prose,
    ReplyText,
    Result,
    Transcript,
    User,
)

LimitValues = Mapping[SemanticId, int | Decimal | str]


@dataclass(frozen=True)
class CallFact:
    """A call: arguments by declared identifier and, once it returned, its value or its failure."""

    tool: SemanticId
    arguments: Mapping[str, Any] = field(default_factory=dict)
    value: Any = None
    failure: str | None = None
    returned: bool = True

    @property
    def carried_out(self) -> bool:
        """Whether the tool was reached: a call that was denied, misfitted or over a limit was not."""
        return self.failure not in ("denied", "bad_arguments", "limit")

    @property
    def succeeded(self) -> bool:
        return self.returned and self.failure is None


@dataclass(frozen=True)
class Facts:
    """The facts of a turn so far.

    reply   the text that is about to be published; None: there is none yet
    inputs  JSON values by declared identifier
    limits  values by limit id (see `limit_values`)
    calls   in the order they were made; the call under way in `before_call` is not among them
    loaded  skills loaded in this turn
    call    the call that a `before_call` or `after_call` hook looks at
    loop    values of the variables of enclosing `for`s in a template
    """

    reply: str | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    limits: LimitValues = field(default_factory=dict)
    calls: tuple[CallFact, ...] = ()
    loaded: frozenset[SemanticId] = frozenset()
    call: CallFact | None = None
    loop: Mapping[str, Any] = field(default_factory=dict)


def limit_values(core: Core) -> dict[SemanticId, int | Decimal | str]:
    """The limits of `core` as `Facts.limits`."""
    return {limit.id: limit.value for limit in core.limits}


def last_turn(transcript: Transcript, core: Core, naming: Mapping[SemanticId, str] | None = None) -> Facts:
    """The facts at the end of the last user turn of `transcript`.

    The reply is the model's last one, with mentions printed by `naming` (id → shown name), else as ids.
    A result belongs to the first call of its tool that has none yet; a result of no tool answers no call.
    """
    facts = Facts(inputs=transcript.inputs, limits=limit_values(core))
    for event in transcript.events:
        match event:
            case User():
                facts = replace(facts, reply=None, calls=(), loaded=frozenset())
            case Generated():
                for part in event.events:
                    facts = _after(part, facts, naming or {})
            case Result():
                facts = replace(facts, calls=tuple(_answered(facts.calls, event)))
            case _:
                pass
    return facts


def _after(part: ModelEvent, facts: Facts, naming: Mapping[SemanticId, str]) -> Facts:
    """`facts` with one event of a model output."""
    match part:
        case Call():
            call = CallFact(part.tool, part.arguments, returned=False)
            return replace(facts, calls=(*facts.calls, call))
        case LoadSkill():
            return replace(facts, loaded=facts.loaded | {part.skill})
        case ReplyText():
            return replace(facts, reply=spoken(part.text, naming))
        case _:
            return facts


def _answered(calls: tuple[CallFact, ...], result: Result) -> Iterator[CallFact]:
    open_ = True
    for call in calls:
        if open_ and not call.returned and call.tool == result.tool:
            yield replace(call, value=result.value, failure=result.failure, returned=True)
            open_ = False
        else:
            yield call


def spoken(prose: Prose, naming: Mapping[SemanticId, str]) -> str:
    """`prose` as text; a symbol that `naming` does not know is printed as its id."""
    return "".join(
        naming.get(part.symbol, part.symbol) if isinstance(part, Mention) else part for part in prose
    )
