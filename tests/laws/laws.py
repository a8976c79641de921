"""The laws of augmentors as functions: each raises AssertionError where an application breaks it."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from augmentors.base import Environment, Operator, OracleChanging, TaskRelative
from augmentors.certificates import Applied, Certificate, from_line, to_line
from augmentors.changes import changed
from augmentors.checker import check
from augmentors.footprint import Footprint
from augmentors.identifiers import TOOL_NAME
from augmentors.levels import weakest
from augmentors.limit_values import moved_limits
from augmentors.observations import observations
from augmentors.reading import everything_read
from augmentors.transport import lift, lower
from harness_dsl.ir.canonical import canonical_json, core_digest, surface_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.fault_plan import Fault, FaultPlan, plan_problems
from harness_dsl.ir.frozen import frozen
from harness_dsl.ir.ids import SemanticId, kind
from harness_dsl.ir.naming import Naming, symbols
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Generated, Transcript
from harness_dsl.ir.verify import verify_core, verify_surface


@dataclass(frozen=True)
class Application:
    """One operator applied once."""

    operator: Operator
    core: Core
    before: Surface
    footprint: Footprint
    seed: int
    new_core: Core
    after: Surface
    faults: tuple[Fault, ...] = ()


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
    return (
        *changed(step.core, step.before, step.after),
        *moved_limits(step.core, step.new_core),
        *sorted({fault.tool for fault in step.faults}),
    )


def valid(step: Application) -> None:
    """Valid in, valid out."""
    assert verify_core(step.new_core) == []
    assert verify_surface(step.new_core, step.after, step.before) == []
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
    assert (again.new_core, again.after, again.faults) == (step.new_core, step.after, step.faults)


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
    if step.operator.name in ("markup", "tool-docs", "distractors", "layout", "defaults", "call-syntax", "feedback"):
        assert before != after


def legal_names(step: Application) -> None:
    """New names fit every target."""
    old, new = Naming(step.core, step.before), Naming(step.core, step.after)
    for id_ in symbols(step.core):
        name = new.name(id_)
        if name == old.name(id_):
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
