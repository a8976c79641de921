"""Applies the operators of a certificate again, with its seed, and compares."""

from collections.abc import Iterator

from pydantic import ValidationError

from augmentors.adapters.refactorings import Shape, reshaped, shape
from augmentors.base import Capability, Environment, OracleChanging, Preserving, Refactoring, TaskRelative
from augmentors.certificates import DRAWS, Certificate
from augmentors.footprint import Footprint
from augmentors.limit_values import moved_limits
from augmentors.registry import OPERATORS, allowed
from augmentors.variants import stream
from harness_dsl import __version__
from harness_dsl.ir.core import Core
from harness_dsl.ir.fault_plan import FaultPlan
from harness_dsl.ir.surface import Surface


def differences(core: Core, baseline: Surface, certificate: Certificate) -> Iterator[str]:
    """Why the certificate's operators and seed do not give its Surface and limits, if they do not."""
    names = [step.operator for step in certificate.operators]
    unknown = [name for name in names if name not in OPERATORS]
    if unknown:
        yield f"`{unknown[0]}` is no operator of this version"
        return
    if certificate.draws != DRAWS:
        yield (
            f"it was drawn in manner {certificate.draws} (by {certificate.tool_version}), and this version"
            f" ({__version__}) draws in manner {DRAWS}: a seed gives other rows"
        )
        return
    if not allowed(names):
        yield "its operators stand in an order that the registry does not allow"
        return
    now, shown, made, plan = core, baseline, shape(core, baseline, ()), FaultPlan()
    for step in certificate.operators:
        kind = OPERATORS[step.operator]
        try:
            operator = kind(kind.parameters_model.model_validate(step.parameters))
        except ValidationError as error:
            yield f"the parameters of `{step.operator}` are not valid: {error.errors()[0]['msg']}"
            return
        if isinstance(operator, Refactoring | Capability):
            rng = stream(certificate.seed, certificate.row, operator.name)
            if isinstance(operator, Capability):
                drawn = operator.draw(now, shown, _needs(certificate, made), rng)
            else:
                drawn = operator.draw(now, shown, rng)
            made = made if drawn is None else reshaped(made, drawn)
            now, shown = made.core, made.surface
            continue
        if isinstance(operator, Environment):
            rng = stream(certificate.seed, certificate.row, operator.name)
            plan = operator.apply(now, shown, plan, _needs(certificate, made), rng)
            continue
        now, shown = _again(operator, now, shown, certificate, made)
    if made.refactorings != certificate.refactorings:
        yield "its operators and seed give other refactorings"
        return
    if shown != certificate.surface:
        yield "its operators and seed give another Surface"
    if moved_limits(made.core, now) != certificate.limits:
        yield "its operators and seed give other limits"
    if plan.faults != certificate.faults:
        yield "its operators and seed give other faults"


def _again(
    operator: Preserving | TaskRelative | OracleChanging,
    core: Core,
    surface: Surface,
    certificate: Certificate,
    made: Shape,
) -> tuple[Core, Surface]:
    rng = stream(certificate.seed, certificate.row, operator.name)
    if isinstance(operator, OracleChanging):
        return operator.apply(core, surface, rng), surface
    if isinstance(operator, TaskRelative):
        return core, operator.apply(core, surface, _needs(certificate, made), rng)
    return core, operator.apply(core, surface, rng)


def _needs(certificate: Certificate, made: Shape) -> Footprint:
    """What the row's task needs of the refactored harness."""
    return made.needed(certificate.footprint or Footprint.everything(made.origin))
