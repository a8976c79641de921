"""Draws that are made when they are asked for."""

import pytest

from augmentors.chance import Stream, one_by_one


@pytest.mark.parametrize("count", [0, 1, 7, 40])
def test_one_by_one_gives_what_a_sample_gives(count: int) -> None:
    population = range(3, 43)
    drawn = [*one_by_one(Stream(b"7/0/opaque-names"), population, count)]
    assert drawn == Stream(b"7/0/opaque-names").sample(population, count)
    assert len({*drawn}) == count
