"""How often each operator changed each symbol, and which operators met in one row."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from augmentors.certificates import Certificate
from harness_dsl.ir.ids import SemanticId, kind


@dataclass
class Coverage:
    """Counts over rows, flat in their number. A row without a change is an original, not a variant.

    `unproved` counts, by reason, rows about which a proof that was asked for has nothing to say.
    """

    rows: int = 0
    originals: int = 0
    operators: Counter[str] = field(default_factory=Counter)
    symbols: Counter[tuple[str, SemanticId]] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    unproved: Counter[str] = field(default_factory=Counter)

    def add(self, certificate: Certificate) -> None:
        """Count one row."""
        self.rows += 1
        applied = [step for step in certificate.operators if step.changed]
        if not applied:
            self.originals += 1
        for step in applied:
            self.operators[step.operator] += 1
            self.symbols.update((step.operator, id_) for id_ in step.changed)
        names = sorted({step.operator for step in applied})
        self.pairs.update(combinations(names, 2))

    def merge(self, other: "Coverage") -> None:
        """Count the rows that `other` counted."""
        self.rows += other.rows
        self.originals += other.originals
        self.operators.update(other.operators)
        self.symbols.update(other.symbols)
        self.pairs.update(other.pairs)
        self.unproved.update(other.unproved)

    def as_data(self) -> dict[str, Any]:
        """The counts as JSON data: operators, pairs of operators, and per operator its symbols."""
        symbols: dict[str, dict[SemanticId, int]] = {name: {} for name in sorted(self.operators)}
        for (name, id_), count in sorted(self.symbols.items()):
            symbols[name][id_] = count
        return {
            "rows": self.rows,
            "variants": self.rows - self.originals,
            "originals": self.originals,
            "operators": dict(sorted(self.operators.items())),
            "pairs": {f"{one}+{other}": count for (one, other), count in sorted(self.pairs.items())},
            "symbols": symbols,
        }

    def missing(self, applicable: dict[str, tuple[SemanticId, ...]]) -> list[tuple[str, SemanticId]]:
        """Which of the pairs of operator and symbol that could be exercised never were."""
        return [(name, id_) for name, ids in applicable.items() for id_ in ids if not self.symbols[name, id_]]

    def summary(self) -> str:
        """How many rows there are, on one line."""
        counts = {"row": self.rows, "variant": self.rows - self.originals, "original": self.originals}
        return ", ".join(f"{count} {word}{'' if count == 1 else 's'}" for word, count in counts.items())

    def lines(self) -> Iterator[str]:
        """The report: per operator its rows and the kinds of symbols it changed, then pairs."""
        for name, count in sorted(self.operators.items()):
            kinds: Counter[str] = Counter()
            for operator, id_ in self.symbols:
                if operator == name:
                    kinds[kind(id_) if "/" in id_ else id_] += 1
            shown = ", ".join(f"{number} {role}" for role, number in sorted(kinds.items()))
            yield f"  {name}: {count} row{'' if count == 1 else 's'}; changed at least once: {shown}"
        if self.pairs:
            met = ", ".join(f"{a}+{b} {count}" for (a, b), count in sorted(self.pairs.items()))
            yield f"  pairs: {met}"
