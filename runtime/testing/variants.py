"""Variants of a harness that the independent checker has accepted: the rows that `harnessc augment` draws."""

import sys
from functools import cache
from pathlib import Path

from augmentors.checker import check
from augmentors.policy import Policy, PolicyError
from augmentors.policy_names import check_names
from augmentors.reading import everything_read
from augmentors.rewording.banked import BankError, by_policy
from augmentors.variants import Variant, draw
from harness_dsl.ir.core import Core
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface
from runtime.contracts.vouching import tested_policy
from runtime.testing.events import VariantError


@cache
def policy_of(path: str | None, harness: str) -> Policy:
    """The policy in the file at `path`, or the default. Hooks run what the contract suite of the file
    `harness` vouches for. Raises `VariantError`.
    """
    if path is None:
        return Policy.default()
    try:
        policy = Policy.load(Path(path))
        for choice in policy.operators:
            if choice.instance.kind == "environment":
                said = f"`{choice.operator}` makes tools fail, and no declared test says what is right then"
                raise VariantError(f"{path}: {said}: leave it out")
        return tested_policy(policy, harness, lambda text: print(text, file=sys.stderr))
    except PolicyError as error:
        raise VariantError(str(error)) from None


@remembered
def _cores(core: Core) -> dict[str | None, Core]:
    """What `core` is with the banks of a policy, by its path."""
    return {None: core}


def _banked(core: Core, policy: str | None, harness: str) -> Core:
    """`core` with the banks of the policy. Raises `VariantError`."""
    known = _cores(core)
    if policy not in known:
        try:
            if policy is not None:
                check_names(Policy.load(Path(policy)), core, Path(policy))
            bank = by_policy(core, policy_of(policy, harness))
        except (BankError, PolicyError) as error:
            raise VariantError(str(error)) from None
        known[policy] = bank.core if bank else core
    return known[policy]


def certified(harness: str, core: Core, surface: Surface, policy: str | None, seed: int, row: int) -> Variant:
    """Row `row` of `seed`: what `harnessc augment` draws there for the file `harness` without transcripts.

    Raises `VariantError`.
    """
    core = _banked(core, policy, harness)
    variant = draw(core, surface, policy_of(policy, harness), seed, row)
    findings = check(core, surface, variant.certificate, everything_read)
    if findings:
        raise VariantError(f"variant {row} of seed {seed} is not certified: {findings[0]}")
    return variant
