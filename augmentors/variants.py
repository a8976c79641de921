"""Draws variants: row N of a seed can be drawn alone, anywhere, and is always the same."""

from dataclasses import dataclass
from hashlib import sha256
from random import Random

from augmentors.base import Operator
from augmentors.certificates import Applied, Certificate
from augmentors.changes import changed
from augmentors.footprint import Footprint
from augmentors.levels import Level, weakest
from augmentors.limit_values import moved_limits
from augmentors.observations import observations
from augmentors.policy import Policy
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.quick_digest import quick_core_digest, quick_surface_digest
from harness_dsl.ir.surface import Surface


@dataclass(frozen=True)
class Variant:
    """A Core as it is shown once. `core` is the one that came in, unless limits moved."""

    core: Core
    surface: Surface
    certificate: Certificate

    @property
    def is_original(self) -> bool:
        """Whether nothing was changed."""
        return not self.certificate.operators


@dataclass(frozen=True)
class _Step:
    """`shown`: the Surface after it."""

    operator: Operator
    changed: tuple[SemanticId, ...]
    level: Level
    shown: Surface


def stream(seed: int, row: int, name: str) -> Random:
    """The random stream of one operator in one row."""
    return Random(int.from_bytes(sha256(f"{seed}/{row}/{name}".encode()).digest()))


def draw(
    core: Core, surface: Surface, policy: Policy, seed: int, row: int, footprint: Footprint | None = None
) -> Variant:
    """Row `row` of `seed`. Unless it keeps the original, at least one operator changes something, if any can.

    `footprint` None: the task is not known, and every tool and skill counts as needed.
    """
    needs = footprint or Footprint.everything(core)
    chance = stream(seed, row, "policy")
    keeps_original = chance.random() < policy.original
    fired = [choice for choice in policy.operators if chance.random() < choice.probability]
    steps: list[_Step] = []
    now, shown = core, surface
    if not keeps_original:
        for choice in fired:
            now, shown = _apply(choice.instance, now, shown, needs, seed, row, steps)
        if not steps:
            others = [choice for choice in policy.operators if choice.probability > 0 and choice not in fired]
            chance.shuffle(others)
            for choice in others:
                now, shown = _apply(choice.instance, now, shown, needs, seed, row, steps)
                if steps:
                    break
    if len(steps) > 1 and now is core and not changed(core, surface, shown):
        # One operator took back what another did: the first alone stands.
        del steps[1:]
        shown = steps[0].shown
    return Variant(now, shown, _certificate(core, now, shown, steps, seed, row, footprint))


def _apply(
    operator: Operator,
    core: Core,
    surface: Surface,
    footprint: Footprint,
    seed: int,
    row: int,
    steps: list[_Step],
) -> tuple[Core, Surface]:
    """`core` and `surface` after `operator`; a step is added if something changed."""
    rng = stream(seed, row, operator.name)
    if operator.kind == "oracle-changing":
        new = operator.apply(core, surface, rng)
        moved = tuple(sorted(moved_limits(core, new)))
        if moved:
            steps.append(_Step(operator, moved, operator.level, surface))
        return new, surface
    if operator.kind == "task-relative":
        shown = operator.apply(core, surface, footprint, rng)
    else:
        shown = operator.apply(core, surface, rng)
    touched = () if shown is surface else changed(core, surface, shown)
    if touched:
        steps.append(_Step(operator, touched, operator.level_of(core, surface, shown), shown))
    return core, shown


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
        seed=seed,
        row=row,
        base_core=quick_core_digest(base) if core is not base else digest_of_core,
        core=digest_of_core,
        limits=moved_limits(base, core) if core is not base else {},
        surface=surface,
        surface_digest=quick_surface_digest(core, surface, digest_of_core),
        operators=tuple(
            Applied.model_construct(
                operator=step.operator.name,
                parameters=step.operator.said,
                changed=step.changed,
            )
            for step in steps
        ),
        observations=observations(step.operator.observation for step in steps),
        level=weakest(step.level for step in steps),
        footprint=footprint,
    )
