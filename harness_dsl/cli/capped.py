"""Lines of a report that may be very many: the first are printed, the others counted by kind."""

from collections import Counter

MOST = 50


class Capped:
    """Prints at most `most` lines; `most` None: all."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._printed = 0
        self._others: Counter[str] = Counter()

    def say(self, line: str, kind: str) -> None:
        """Prints `line`, or counts it as one of `kind`."""
        if self._most is not None and self._printed >= self._most:
            self._others[kind] += 1
            return
        self._printed += 1
        print(line)

    def rest(self) -> list[str]:
        """What to say about the lines that were not printed, the most frequent kinds first."""
        if not self._others:
            return []
        kinds = [f"  {count} × {kind}" for kind, count in self._others.most_common(10)]
        more = [f"  and {len(self._others) - 10} kinds more"] if len(self._others) > 10 else []
        return [f"and {sum(self._others.values())} lines more; --all prints them", *kinds, *more]
