"""Rows stay what they were: quick draws are those of the standard library, and a seed keeps its rows."""

import hashlib
from collections.abc import Callable, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmentors.chance import chooser, shuffled
from augmentors.footprint import Footprint
from augmentors.policy import Policy
from augmentors.variants import draw
from harness_dsl.ir.canonical import core_digest, surface_digest
from tests.strategies import small_shop


def draws_alike(
    choose: Callable[[Random], Callable[[Sequence[int]], int]],
    shuffle: Callable[[Random, Sequence[int]], tuple[int, ...]],
    seed: int,
    length: int,
) -> None:
    """The law: the same items, and the stream is left in the same state."""
    quick, plain, items = Random(seed), Random(seed), range(length)
    assert choose(quick)(items) == plain.choice(items)
    assert shuffle(quick, items) == tuple(plain.sample(items, length))
    assert quick.getstate() == plain.getstate()


@given(st.integers(0, 2**64), st.integers(1, 70))
def test_quick_draws_are_those_of_the_standard_library(seed: int, length: int) -> None:
    draws_alike(chooser, shuffled, seed, length)


def test_a_draw_by_remainder_is_caught() -> None:
    def by_remainder(rng: Random) -> Callable[[Sequence[int]], int]:
        return lambda items: items[rng.getrandbits(32) % len(items)]

    with pytest.raises(AssertionError):
        for seed in range(20):
            draws_alike(by_remainder, shuffled, seed, 9)


def test_a_seed_gives_the_rows_that_it_always_gave() -> None:
    """Another digest means that every row of every recorded seed is another one now."""
    core, surface = small_shop()
    found = hashlib.sha256()
    for row in range(60):
        variant = draw(core, surface, Policy.default(), 7, row, Footprint.of(["tool/get_quote"]))
        found.update(variant.certificate.surface_digest.encode())
        if row % 10 == 0:
            assert variant.certificate.core == core_digest(variant.core)
            assert variant.certificate.surface_digest == surface_digest(variant.core, variant.surface)
    assert found.hexdigest() == "cbd25ad27a92e9dd1141392ae3530c09cc6851313fefe4bfe4b5a23df323f069"
