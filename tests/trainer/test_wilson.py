"""The Wilson interval against scipy, and where it must be exact."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from trainer.evaluate.wilson import wilson

COUNTS = st.integers(0, 400).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total)))


@given(COUNTS, st.sampled_from((0.8, 0.95, 0.99)))
def test_agrees_with_scipy(counts: tuple[int, int], level: float) -> None:
    right, total = counts
    ours = wilson(right, total, level)
    if total == 0:
        assert (ours.low, ours.high) == (0.0, 1.0)
        return
    theirs = binomtest(right, total).proportion_ci(level, method="wilson")
    assert ours.low == pytest.approx(theirs.low, abs=1e-9)
    assert ours.high == pytest.approx(theirs.high, abs=1e-9)


@given(COUNTS)
def test_holds_the_share_it_was_made_from(counts: tuple[int, int]) -> None:
    right, total = counts
    interval = wilson(right, total)
    assert 0 <= interval.low <= (right / total if total else 0.5) <= interval.high <= 1


@pytest.mark.parametrize(("right", "total", "level"), [(3, 2, 0.95), (-1, 2, 0.95), (1, 2, 1.0), (1, 2, 0.0)])
def test_refuses_what_is_no_share(right: int, total: int, level: float) -> None:
    with pytest.raises(ValueError, match="is no"):
        wilson(right, total, level)
