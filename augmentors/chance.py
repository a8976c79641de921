"""The random draws of one operator in one row: its bits are BLAKE2b of a key, many at once SHAKE-256.

Rows are pinned by seed: what a draw gives for one key is part of the format of a certificate. Python promises
that neither for its own generator's `choice` and `sample` nor for their future versions; this module does.
A hash is also begun in half a microsecond, where the state of a Mersenne twister takes as long as drawing a
hundred names.
"""

import sys
from array import array
from collections.abc import Iterator, MutableSequence, Sequence
from hashlib import blake2b, shake_256
from random import Random
from struct import Struct
from typing import Any, NoReturn, TypeVar

_Item = TypeVar("_Item")
_SIXTEEN = Struct("<16I").unpack


class Stream(Random):
    """A `random.Random` for the draws that operators make. Draws of large numbers are its base's."""

    def __new__(cls, key: bytes) -> "Stream":
        # A number keeps the base from asking the system for 2,500 random bytes.
        return super().__new__(cls, 0)  # type: ignore[call-arg]  # the stubs leave the number out

    def __init__(self, key: bytes) -> None:
        self.gauss_next = None
        self.restart(key)

    def restart(self, key: bytes) -> "Stream":
        """Itself, as a new stream of `key` would be."""
        self._key = key
        self._blocks = self._runs = 0
        self._left: list[int] = []
        return self

    def _next(self) -> int:
        """A number of 32 bits."""
        if not self._left:
            self._blocks += 1
            self._left = [*_SIXTEEN(blake2b(b"%b#%d" % (self._key, self._blocks)).digest())]
        return self._left.pop()

    def random(self) -> float:
        """At least 0 and below 1, in steps of 2^-32."""
        return self._next() / 4294967296

    def getrandbits(self, k: int, /) -> int:
        """`k` random bits."""
        if k <= 32:
            return self._next() >> (32 - k)
        return int.from_bytes(self.randbytes((k + 7) // 8), "big") >> (-k % 8)

    def randbytes(self, n: int) -> bytes:
        """`n` bytes, each time others."""
        self._runs += 1
        return shake_256(b"%b/%d" % (self._key, self._runs)).digest(n)

    def below(self, count: int) -> int:
        """A number from 0 on that is less than `count`, which is far below 2^32."""
        return self._next() * count >> 32

    def randint(self, a: int, b: int) -> int:
        """A number from `a` to `b`, both included."""
        return a + self.below(b - a + 1) if b - a < 1 << 20 else super().randint(a, b)

    def choice(self, seq: Any) -> Any:
        """One of `seq`, which must not be empty."""
        return seq[self._next() * len(seq) >> 32]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """`x` in a random order, in place."""
        x[:] = self.sample(x, len(x))

    def sample(self, population: Sequence[_Item], k: int, *, counts: object = None) -> list[_Item]:
        """`k` of `population` in random order, none twice. `counts` are not taken."""
        if counts is not None or not 0 <= k <= len(population):
            raise ValueError("a sample is no larger than what it is taken from, and without counts")
        pool, drawn = list(population), []
        for left in range(len(pool), len(pool) - k, -1):
            at = self.below(left)
            drawn.append(pool[at])
            pool[at] = pool[left - 1]
        return drawn

    def seed(self, a: Any = None, version: int = 2) -> None:
        """A stream begins with its key; nothing else seeds it."""

    def getstate(self) -> NoReturn:
        """Raises: a stream is begun again from its key."""
        raise NotImplementedError("a stream is begun again from its key")

    def setstate(self, state: object) -> NoReturn:
        """Raises: a stream is begun again from its key."""
        raise NotImplementedError("a stream is begun again from its key")


def one_by_one(rng: Random, population: Sequence[_Item], count: int) -> Iterator[_Item]:
    """`count` of `population` in random order, none twice: those that `Stream.sample` gives, each drawn when
    it is asked for.
    """
    pool = list(population)
    for left in range(len(pool), len(pool) - count, -1):
        at = rng.randint(0, left - 1)
        yield pool[at]
        pool[at] = pool[left - 1]


def shorts(rng: Random, count: int) -> Sequence[int]:
    """`count` numbers of 16 bits at once."""
    data = rng.randbytes(2 * count)
    if sys.byteorder == "little":
        return memoryview(data).cast("H")
    numbers = array("H", data)
    numbers.byteswap()
    return numbers
