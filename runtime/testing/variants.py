"""Variants of a harness that the independent checker has accepted: the rows that `harnessc augment` draws."""

from functools import cache
from pathlib import Path

from augmentors.checker import check
from augmentors.policy import Policy, PolicyError
from augmentors.reading import everything_read
from augmentors.variants import Variant, draw
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from runtime.testing.events import VariantError


@cache
def policy_of(path: str | None) -> Policy:
    """The policy in the file at `path`, or the default. Raises `VariantError`."""
    if path is None:
        return Policy.default()
    try:
        return Policy.load(Path(path))
    except PolicyError as error:
        raise VariantError(str(error)) from None


def certified(core: Core, surface: Surface, policy: str | None, seed: int, row: int) -> Variant:
    """Row `row` of `seed`: what `harnessc augment` draws there without transcripts.

    Raises `VariantError`.
    """
    variant = draw(core, surface, policy_of(policy), seed, row)
    findings = check(core, surface, variant.certificate, everything_read)
    if findings:
        raise VariantError(f"variant {row} of seed {seed} is not certified: {findings[0]}")
    return variant
