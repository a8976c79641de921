"""Which lines of a dataset belong together, and which part each group goes to.

Lines that share a value of their lineage (a task, a product, a session) are one group, and so are those that
are tied by others: a group is never torn. Which part it goes to depends on a hash of its smallest value
alone, so that the order of lines and the number of others do not matter.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from augmentors.lineage import Entry

TRAIN, EVAL, DEV, ASIDE = "train", "eval", "dev", "aside"


@dataclass(frozen=True)
class Shares:
    """How much goes where; the rest is for training.

    by        the kinds of lineage that tie lines together; empty: all that they have
    families  lines that show these families of changes are never trained on
    """

    eval: float = 0.1
    dev: float = 0.0
    seed: int = 0
    by: tuple[str, ...] = ()
    families: frozenset[str] = frozenset()


@dataclass
class Groups:
    """Groups of tied values. What it keeps grows with the number of different values, not of lines."""

    shares: Shares
    _parents: dict[str, str] = field(default_factory=dict)
    _lines: Counter[str] = field(default_factory=Counter)
    untied: int = 0

    def add(self, entry: Entry) -> None:
        """Tie the values of a line together."""
        values = self._values(entry)
        if not values:
            self.untied += 1
            return
        root = self._root(values[0])
        for value in values[1:]:
            root = self._tied(root, self._root(value))
        self._lines[values[0]] += 1

    def part(self, entry: Entry) -> str:
        """Where a line goes, after all were added. A line without lineage goes by its number."""
        values = self._values(entry)
        part = self._drawn(self._root(values[0]) if values else f"line={entry.number}")
        if part == TRAIN and entry.families & self.shares.families:
            return ASIDE
        return part

    def sizes(self) -> Counter[str]:
        """Lines of each group, by its smallest value."""
        found: Counter[str] = Counter()
        for value, count in self._lines.items():
            found[self._root(value)] += count
        return found

    def _values(self, entry: Entry) -> list[str]:
        return _values(entry.lineage, self.shares.by)

    def _root(self, value: str) -> str:
        """The smallest value of the group of `value`."""
        parents = self._parents
        root = value
        while (above := parents.setdefault(root, root)) != root:
            root = above
        while parents[value] != root:
            parents[value], value = root, parents[value]
        return root

    def _tied(self, one: str, other: str) -> str:
        low, high = sorted((one, other))
        self._parents[high] = low
        return low

    def _drawn(self, value: str) -> str:
        digest = hashlib.sha256(f"{self.shares.seed}/{value}".encode()).digest()
        share = int.from_bytes(digest[:8]) / 2**64
        if share < self.shares.eval:
            return EVAL
        return DEV if share < self.shares.eval + self.shares.dev else TRAIN


def _values(lineage: Mapping[str, str], by: Iterable[str]) -> list[str]:
    """The values that tie a line to others, each with its kind, sorted."""
    wanted = tuple(by)
    return sorted(f"{key}={value}" for key, value in lineage.items() if not wanted or key in wanted)
