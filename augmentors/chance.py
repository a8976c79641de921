"""Draws from a stream of random bits, exactly as `random.Random` draws, without its checks.

Rows are pinned by seed: what `choice` and `sample` give for one state of a stream is part of the format of a
certificate. Python promises neither for other versions of itself, this module does; a law compares the two.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

_Item = TypeVar("_Item")


def chooser(rng: Random) -> Callable[[Sequence[_Item]], _Item]:
    """`rng.choice` for sequences that are not empty."""
    bits = rng.getrandbits

    def choose(options: Sequence[_Item]) -> _Item:
        count = len(options)
        width = count.bit_length()
        at = bits(width)
        while at >= count:
            at = bits(width)
        return options[at]

    return choose


def shuffled(rng: Random, items: Sequence[_Item]) -> tuple[_Item, ...]:
    """`tuple(rng.sample(items, len(items)))`."""
    bits = rng.getrandbits
    pool, drawn = list(items), []
    for left in range(len(pool), 0, -1):
        width = left.bit_length()
        at = bits(width)
        while at >= left:
            at = bits(width)
        drawn.append(pool[at])
        pool[at] = pool[left - 1]
    return tuple(drawn)
