"""Draws variants: row N of a seed can be drawn alone, anywhere, and is always the same."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from augmentors.adapters.adapter import Adapter
from augmentors.adapters.refactorings import Shape, reshaped, shape
from augmentors.base import Operator
from augmentors.certificates import DRAWS, Applied, Certificate
from augmentors.chance import Stream
from augmentors.changes import changed
from augmentors.faulted import under_faults
from augmentors.footprint import Footprint
from augmentors.identifiers import looks_like
from augmentors.levels import weakest
from augmentors.limit_values import moved_limits
from augmentors.observations import observations
from augmentors.policy import Policy
from augmentors.rightness import is_right_under
from harness_dsl.ir.core import Core
from harness_dsl.ir.fault_plan import Fault, FaultPlan
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.index import index
from harness_dsl.ir.quick_digest import quick_core_digest, quick_surface_digest
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Transcript


@dataclass(frozen=True, eq=False)
class Variant:
    """A Core as it is shown once. `core` is the one that came in, unless it was refactored or limits moved.

    is_original  nothing was changed
    adapter      leads from the Core that came in to the refactored one; None where it was not
    faults       what calls of the row's conversation meet; None: nothing is planned
    """

    core: Core
    surface: Surface
    is_original: bool
    certify: Callable[[], Certificate] = field(repr=False)
    adapter: Adapter | None = None
    faults: FaultPlan | None = None

    @classmethod
    def claimed(cls, core: Core, certificate: Certificate) -> "Variant":
        """The variant that a certificate tells of; `core` has its limits."""
        faults = FaultPlan(faults=certificate.faults) if certificate.faults else None
        original = not certificate.operators
        return cls(core, certificate.surface, original, lambda: certificate, faults=faults)

    @cached_property
    def certificate(self) -> Certificate:
        """What the variant claims; put together when somebody asks for it."""
        return self.certify()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Variant) and (self.core, self.surface, self.certificate) == (
            other.core,
            other.surface,
            other.certificate,
        )

    __hash__ = None  # type: ignore[assignment]  # it holds dictionaries


@dataclass(frozen=True, slots=True)
class _Step:
    """What `operator` made of a Core and a Surface. `shape`: how it was refactored so far, if this did it."""

    operator: Operator
    core: Core
    before: Surface
    new_core: Core
    after: Surface
    shape: Shape | None = None
    faults: tuple[Fault, ...] = ()

    def changed(self) -> tuple[SemanticId, ...]:
        """The ids that it changed."""
        if self.shape is not None:
            return self.shape.refactorings[-1].symbols
        if self.faults:
            return tuple(sorted({fault.tool for fault in self.faults}))
        if self.new_core is not self.core:
            return tuple(sorted(moved_limits(self.core, self.new_core)))
        return changed(self.core, self.before, self.after)


def stream(seed: int, row: int, name: str) -> Random:
    """The random stream of one operator in one row."""
    return Stream(_key(seed, row, name))


def _key(seed: int, row: int, name: str) -> bytes:
    return f"{seed}/{row}/{name}".encode()


def draw(
    core: Core,
    surface: Surface,
    policy: Policy,
    seed: int,
    row: int,
    footprint: Footprint | None = None,
    conversation: Transcript | None = None,
) -> Variant:
    """Row `row` of `seed`. Unless it keeps the original, at least one operator changes something, if any can.

    `footprint` None: the task is not known, and every tool and skill counts as needed. `conversation` is what
    the row will show: what would make it wrong is not applied.
    """
    needs = footprint or Footprint.everything(core)
    rng = Stream(_key(seed, row, "policy"))
    keeps_original = rng.random() < policy.original
    fired = [choice for choice in policy.operators if rng.random() < choice.probability]
    steps: list[_Step] = []
    now, shown = core, surface
    if not keeps_original:
        for choice in fired:
            rng.restart(_key(seed, row, choice.operator))
            now, shown = _apply(choice.instance, now, shown, needs, rng, steps, conversation)
        if not steps:
            others = [choice for choice in policy.operators if choice.probability > 0 and choice not in fired]
            stream(seed, row, "policy/others").shuffle(others)
            for choice in others:
                rng.restart(_key(seed, row, choice.operator))
                now, shown = _apply(choice.instance, now, shown, needs, rng, steps, conversation)
                if steps:
                    break
    if len(steps) > 1 and now is core and _alike(surface, shown) and not steps[-1].faults:
        # One operator took back what another did: the first alone stands.
        del steps[1:]
        shown = steps[0].after
    shaped = _shaped(steps)
    planned = FaultPlan.of(fault for step in steps for fault in step.faults)
    return Variant(
        now,
        shown,
        not steps,
        lambda: _certificate(core, now, shown, steps, seed, row, footprint),
        None if shaped is None or not shaped.adapter.steps else shaped.adapter,
        planned if planned.faults else None,
    )


def _apply(
    operator: Operator,
    core: Core,
    surface: Surface,
    footprint: Footprint,
    rng: Random,
    steps: list[_Step],
    conversation: Transcript | None,
) -> tuple[Core, Surface]:
    """`core` and `surface` after `operator`; a step is added if something changed."""
    if operator.kind == "refactoring":
        made = operator.draw(core, surface, rng)
        if made is None:
            return core, surface
        after = reshaped(_shaped(steps) or shape(core, surface, ()), made)
        if conversation is not None and not after.adapter.carries(conversation):
            return core, surface
        steps.append(_Step(operator, core, surface, after.core, after.surface, after))
        return after.core, after.surface
    shaped = _shaped(steps)
    if operator.kind == "capability":
        made = operator.draw(core, surface, footprint, rng)
        if made is None or (shaped is not None and shaped.adapter.steps):
            return core, surface
        after = reshaped(shaped or shape(core, surface, ()), made)
        if conversation is not None and not is_right_under(core, after.core, conversation):
            return core, surface
        steps.append(_Step(operator, core, surface, after.core, after.surface, after))
        return after.core, after.surface
    needs = footprint if shaped is None else shaped.needed(footprint)
    if shaped is not None and conversation is not None:
        conversation = shaped.adapter.forward(conversation)
    if operator.kind == "environment":
        if shaped is not None and {tool.id for tool in shaped.adapter.base.tools} != set(index(core).tools):
            # A plan counts calls of tools, and who executes refactored ones may count others.
            return core, surface
        plan = FaultPlan.of(fault for step in steps for fault in step.faults)
        new_plan = operator.apply(core, surface, plan, needs, rng)
        added = tuple(fault for fault in new_plan.faults if fault not in plan.faults)
        if added and (conversation is None or under_faults(core, conversation, new_plan) is not None):
            steps.append(_Step(operator, core, surface, core, surface, faults=added))
        return core, surface
    if operator.kind == "oracle-changing":
        new = operator.apply(core, surface, rng)
        if conversation is not None and not is_right_under(core, new, conversation):
            return core, surface
        if new is not core and moved_limits(core, new):
            steps.append(_Step(operator, core, surface, new, surface))
        return new, surface
    if operator.kind == "task-relative":
        shown = operator.apply(core, surface, needs, rng)
        given = shaped.surface if shaped is not None else steps[0].before if steps else surface
        if shown is not surface and _takes_an_old_name(core, given, surface, shown):
            return core, surface
    else:
        shown = operator.apply(core, surface, rng)
    if shown is not surface and not _alike(surface, shown):
        steps.append(_Step(operator, core, surface, core, shown))
    return core, shown


def _takes_an_old_name(core: Core, given: Surface, before: Surface, after: Surface) -> bool:
    """Whether a distractor that `after` has and `before` has not is named as `given` shows a tool."""
    added = after.distractors[len(before.distractors) :]
    return any(
        looks_like(tool.name, given.names.get(own.id) or leaf(own.id)) for tool in added for own in core.tools
    )


def _shaped(steps: list[_Step]) -> Shape | None:
    """The shape after the refactorings among `steps`, which come first; None: there are none."""
    found = None
    for step in steps:
        if step.shape is None:
            break
        found = step.shape
    return found


def _alike(one: Surface, other: Surface) -> bool:
    """Whether two Surfaces say the same; what they share is not looked into."""
    return one.__dict__ == other.__dict__


def _certificate(
    base: Core,
    core: Core,
    surface: Surface,
    steps: list[_Step],
    seed: int,
    row: int,
    footprint: Footprint | None,
) -> Certificate:
    digest_of_core = quick_core_digest(core)
    # Nothing here came from outside: validating thousands of ids would take as long as drawing them.
    return Certificate.model_construct(
        draws=DRAWS,
        seed=seed,
        row=row,
        base_core=quick_core_digest(base) if core is not base else digest_of_core,
        core=digest_of_core,
        refactorings=() if (shaped := _shaped(steps)) is None else shaped.refactorings,
        limits=moved_limits(base, core) if core is not base else {},
        faults=FaultPlan.of(fault for step in steps for fault in step.faults).faults,
        surface=surface,
        surface_digest=quick_surface_digest(core, surface, digest_of_core),
        operators=tuple(
            Applied.model_construct(
                operator=step.operator.name,
                parameters=step.operator.said,
                changed=step.changed(),
            )
            for step in steps
        ),
        observations=observations(step.operator.observation for step in steps),
        level=weakest(step.operator.level_of(step.core, step.before, step.after) for step in steps),
        footprint=footprint,
    )
