"""The laws of augmentors as functions: each raises AssertionError where an application breaks it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from augmentors.adapters.adapter import Adapter
from augmentors.adapters.refactorings import Refactored
from augmentors.base import Capability, Environment, Operator, OracleChanging, Refactoring, TaskRelative
from augmentors.certificates import Applied, Certificate, from_line, to_line
from augmentors.changes import changed
from augmentors.checker import check
from augmentors.footprint import Footprint
from augmentors.identifiers import TOOL_NAME
from augmentors.levels import weakest
from augmentors.limit_values import moved_limits
from augmentors.observations import observations
from augmentors.operators.hooks import HooksParameters
from augmentors.reading import everything_read
from augmentors.registry import create
from augmentors.transport import lift, lower
from harness_dsl.ir.canonical import canonical_json, core_digest, surface_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.fault_plan import Fault, FaultPlan, plan_problems
from harness_dsl.ir.frozen import frozen
from harness_dsl.ir.ids import SemanticId, join, kind
from harness_dsl.ir.naming import Naming, symbols
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import (
    Call,
    Event,
    Generated,
    LoadSkill,
    Mention,
    ReplyText,
    Result,
    Think,
    Transcript,
)
from harness_dsl.ir.values import check_arguments
from harness_dsl.ir.verify import verify_core, verify_surface
from harness_dsl.protocol.turns import print_turn, read_text
from harness_dsl.protocol.view import View
from tests.strategies.names import HOOKS

TESTED = HooksParameters(tested={join("hook", name): (1,) for name in HOOKS})
"""For harnesses of tests: as if the contract suite vouched for every implementation."""


def made(name: str) -> Operator:
    """The operator called `name`, with the parameters without which it never applies."""
    return create(name, TESTED if name == "hooks" else None)


@dataclass(frozen=True)
class Application:
    """One operator applied once. `made`: the refactoring, if it is one."""

    operator: Operator
    core: Core
    before: Surface
    footprint: Footprint
    seed: int
    new_core: Core
    after: Surface
    faults: tuple[Fault, ...] = ()
    made: Refactored | None = None

    @property
    def adapter(self) -> Adapter:
        """What leads from `core` to `new_core`."""
        return Adapter(self.core, self.new_core, () if self.made is None else (self.made,))


Carry = Callable[[Transcript], Transcript]


def where_it_applies(
    operator: Operator, core: Core, surface: Surface, footprint: Footprint
) -> tuple[SemanticId, ...]:
    """The ids that `operator` says it could change."""
    if isinstance(operator, TaskRelative):
        return operator.symbols(core, surface, footprint)
    return operator.symbols(core, surface)


def applied(
    operator: Operator, core: Core, surface: Surface, footprint: Footprint, seed: int
) -> Application | None:
    """`operator` applied; None where it does not apply."""
    if not where_it_applies(operator, core, surface, footprint):
        return None
    new_core, after = core, surface
    if isinstance(operator, Refactoring | Capability):
        if isinstance(operator, Capability):
            made = operator.draw(core, surface, footprint, Random(seed))
        else:
            made = operator.draw(core, surface, Random(seed))
        assert made is not None
        new_core, after = made.applied(core), made.shown(core, surface)
        return Application(operator, core, surface, footprint, seed, new_core, after, made=made)
    if isinstance(operator, Environment):
        plan = operator.apply(core, surface, FaultPlan(), footprint, Random(seed))
        if not plan.faults:
            return None
        return Application(operator, core, surface, footprint, seed, core, surface, plan.faults)
    if isinstance(operator, OracleChanging):
        new_core = operator.apply(core, surface, Random(seed))
    elif isinstance(operator, TaskRelative):
        after = operator.apply(core, surface, footprint, Random(seed))
    else:
        after = operator.apply(core, surface, Random(seed))
    return Application(operator, core, surface, footprint, seed, new_core, after)


def certificate_of(*steps: Application) -> Certificate:
    """What the steps, one applied to the result of the other, claim together."""
    first, last = steps[0], steps[-1]
    return Certificate(
        seed=first.seed,
        row=0,
        base_core=core_digest(first.core),
        core=core_digest(last.new_core),
        refactorings=tuple(step.made for step in steps if step.made is not None),
        limits=moved_limits(first.core, last.new_core),
        faults=FaultPlan.of(fault for step in steps for fault in step.faults).faults,
        surface=last.after,
        surface_digest=surface_digest(last.new_core, last.after),
        operators=tuple(Applied(operator=step.operator.name, changed=touched(step)) for step in steps),
        observations=observations(step.operator.observation for step in steps),
        level=weakest(step.operator.level_of(step.core, step.before, step.after) for step in steps),
        footprint=first.footprint,
    )


def touched(step: Application) -> tuple[SemanticId, ...]:
    """The ids that `step` changed."""
    if step.made is not None:
        return step.made.symbols
    return (
        *changed(step.core, step.before, step.after),
        *moved_limits(step.core, step.new_core),
        *sorted({fault.tool for fault in step.faults}),
    )


def valid(step: Application) -> None:
    """Valid in, valid out."""
    assert verify_core(step.new_core) == []
    assert verify_surface(step.new_core, step.after, step.after if step.made else step.before) == []
    assert list(plan_problems(step.new_core, FaultPlan(faults=step.faults))) == []


def core_unchanged(step: Application) -> None:
    """The Core that goes on means what the one that came in means."""
    assert step.new_core is step.core or core_digest(step.new_core) == core_digest(step.core)


def accepted(*steps: Application) -> None:
    """The checker accepts the certificate, from memory and from disk."""
    certificate = certificate_of(*steps)
    assert check(steps[0].core, steps[0].before, certificate, everything_read) == []
    assert from_line(to_line(certificate)) == certificate


def transport(step: Application, conversation: Transcript) -> None:
    """A conversation shown in the new Surface and lifted again is the same, and so are its bytes."""
    messages = lower(conversation, step.new_core, step.after)
    lifted = lift(messages, step.new_core, step.after).transcript
    assert lifted == without_ids(conversation)
    assert canonical_json(lower(lifted, step.new_core, step.after)) == canonical_json(messages)
    view = View(step.new_core, step.after)
    for turn in lifted.events:
        if isinstance(turn, Generated) and can_be_said(turn, step):
            text = print_turn(turn.events, view.calls, view.mentions).text
            assert tuple(read_text(text, view.calls, view.mentions)) == turn.events


def can_be_said(turn: Generated, step: Application) -> bool:
    """Whether all that `turn` uses and names is there and shown: a model can't say anything else."""
    there = {*(tool.id for tool in step.new_core.tools), *(skill.id for skill in step.new_core.skills)}
    called = {event.tool for event in turn.events if isinstance(event, Call)}
    loaded = {event.skill for event in turn.events if isinstance(event, LoadSkill)}
    texts = [event.text for event in turn.events if isinstance(event, Think | ReplyText)]
    mentioned = {part.symbol for text in texts for part in text if isinstance(part, Mention)}
    return called | loaded <= there - set(step.after.hidden) and mentioned <= set(symbols(step.new_core))


def adapter(step: Application, before: Transcript, after: Transcript) -> None:
    """A conversation under either Core goes to the other and comes back the same; what fits, fits there.

    What a text says of a symbol that has no counterpart there comes back as words.
    """
    before, after = with_some_cut_short(before), with_some_cut_short(after)
    there = comes_back(step.adapter.forward, step.adapter.back, before)
    assert there.core_digest == core_digest(step.new_core)
    answers_its_calls(there, before)
    fits_as_before(step.core, before, step.new_core, there)
    here = comes_back(step.adapter.back, step.adapter.forward, after)
    assert here.core_digest == core_digest(step.core)
    answers_its_calls(here, after)
    fits_as_before(step.new_core, after, step.core, here)


def comes_back(there: Carry, back: Carry, conversation: Transcript) -> Transcript:
    """`conversation` on the other side, from where it comes back the same."""
    other = there(conversation)
    again = back(other)
    assert without_prose(again) == without_prose(conversation)
    assert there(again) == other and back(there(again)) == again
    return other


def with_some_cut_short(conversation: Transcript) -> Transcript:
    """`conversation` without the last result of every other run of results, as where a limit was met."""
    events: list[Event] = []
    runs = 0
    for event, following in zip(conversation.events, (*conversation.events[1:], None), strict=True):
        if isinstance(event, Result) and not isinstance(following, Result):
            runs += 1
            if runs % 2:
                continue
        events.append(event)
    return conversation.model_copy(update={"events": tuple(events)})


def answers_its_calls(conversation: Transcript, original: Transcript) -> None:
    """Each result is of the tool of a call of its own output that has none yet, where it was so before."""
    assert [*_answered(conversation)] == [*_answered(original)]


def _answered(conversation: Transcript) -> Iterator[bool]:
    """Of each result, whether it answers a call of the latest output."""
    waiting: list[SemanticId] = []
    for event in conversation.events:
        if isinstance(event, Generated):
            waiting = [one.tool for one in event.events if isinstance(one, Call)]
        elif isinstance(event, Result) and event.tool is not None:
            answers = event.tool in waiting
            if answers:
                waiting.remove(event.tool)
            yield answers


def without_prose(conversation: Transcript) -> list[object]:
    """All that happens in `conversation` but what is thought and said."""
    outputs = (event.events if isinstance(event, Generated) else (event,) for event in conversation.events)
    return [event for events in outputs for event in events if not isinstance(event, Think | ReplyText)]


def fits_as_before(old: Core, before: Transcript, new: Core, after: Transcript) -> None:
    """Every call that fits its tool does so on the other side."""
    pairs = [*zip(calls_of(before), calls_of(after), strict=True)]
    for one, other in pairs:
        if fault(old, one) is None:
            assert fault(new, other) is None


def calls_of(conversation: Transcript) -> list[Call]:
    """The calls of tools of the harness, in order."""
    turns = [turn for turn in conversation.events if isinstance(turn, Generated)]
    return [event for turn in turns for event in turn.events if isinstance(event, Call)]


def fault(core: Core, call: Call) -> str | None:
    """Why the arguments of `call` do not fit its tool."""
    return check_arguments(call.arguments, next(tool for tool in core.tools if tool.id == call.tool), core)


def without_ids(conversation: Transcript) -> Transcript:
    """`conversation` without token ids, which belong to the Surface they were made under."""
    events = tuple(
        event.model_copy(update={"ids": ()}) if isinstance(event, Generated) else event
        for event in conversation.events
    )
    return conversation.model_copy(update={"events": events})


def deterministic(step: Application) -> None:
    """The same seed gives the same result."""
    again = applied(step.operator, step.core, step.before, step.footprint, step.seed)
    assert again is not None
    assert (again.new_core, again.after) == (step.new_core, step.after)
    assert (again.made, again.faults) == (step.made, step.faults)


def keeps_frozen(step: Application) -> None:
    """Names, wordings, orders and implementations of what is fixed stand as before."""
    keep, before, after = frozen(step.core), step.before, step.after
    old, new = Naming(step.core, before), Naming(step.core, after)
    for id_ in symbols(step.core):
        if keep.symbol(id_):
            assert old.name(id_) == new.name(id_)
    for id_ in before.wordings.keys() | after.wordings.keys():
        if keep.wording(id_):
            assert before.wordings.get(id_) == after.wordings.get(id_)
    for id_ in before.orders.keys() | after.orders.keys():
        if keep.symbol(id_):
            assert before.orders.get(id_) == after.orders.get(id_)
    assert set_otherwise(step.core, before) == set_otherwise(step.core, after)
    if any(section.fixed for section in step.core.prompt.sections):
        assert before.markup == after.markup
    if any(tool.fixed for tool in step.core.tools):
        assert (before.tool_docs, before.call_syntax) == (after.tool_docs, after.call_syntax)


def set_otherwise(core: Core, surface: Surface) -> set[tuple[str, str]]:
    """How what is fixed is set off, laid out and documented, apart from the usual way."""
    keep = frozen(core)
    kept = {(id_, form) for id_, form in surface.layouts.items() if keep.symbol(id_)}
    kept |= {(hook.id, surface.feedback.get(hook.id, "")) for hook in core.hooks if hook.fixed}
    kept |= {(hook.id, str(surface.implementations.get(hook.id, 0))) for hook in core.hooks if hook.fixed}
    return kept | {(id_, "unsaid") for id_ in surface.unsaid if keep.symbol(id_)}


def effective(step: Application) -> None:
    """Where an operator applies, something changes, and only what the operator announced."""
    before = [text.text for text in everything_read(step.core, step.before)]
    after = [text.text for text in everything_read(step.new_core, step.after)]
    if not isinstance(step.operator, Environment):
        assert surface_digest(step.core, step.before) != surface_digest(step.new_core, step.after)
    announced = {*where_it_applies(step.operator, step.core, step.before, step.footprint), "tools"}
    assert touched(step)
    assert set(touched(step)) <= announced
    named = ("markup", "tool-docs", "distractors", "layout", "defaults", "call-syntax", "feedback")
    if step.made is not None or step.operator.name in named:
        assert before != after


def legal_names(step: Application) -> None:
    """New names fit every target."""
    old, new = Naming(step.core, step.before), Naming(step.core, step.after)
    known = set(symbols(step.core))
    for id_ in symbols(step.new_core):
        name = new.name(id_)
        if id_ in known and name == old.name(id_):
            continue
        if kind(id_) in ("param", "field"):
            assert name.isidentifier()
        elif kind(id_) in ("tool", "skill"):
            assert TOOL_NAME.fullmatch(name)
    for tool in step.after.distractors:
        if tool not in step.before.distractors:
            assert TOOL_NAME.fullmatch(tool.name)


LAWS: dict[str, Callable[[Application], None]] = {
    "valid": valid,
    "accepted": accepted,
    "deterministic": deterministic,
    "frozen": keeps_frozen,
    "effective": effective,
    "legal-names": legal_names,
    "core-unchanged": core_unchanged,
}
"""By the name under which operators claim them."""
