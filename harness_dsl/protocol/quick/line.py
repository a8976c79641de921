"""Text with gaps for names, filled in one step."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from harness_dsl.ir.ids import SemanticId
from harness_dsl.protocol.markers import encodable
from harness_dsl.protocol.source_map import Piece

_PLAIN = re.compile(r"[A-Za-z0-9_+=@#$%^,-]+(?: [A-Za-z0-9_+=@#$%^,-]+)*")
"""Characters that stand alike in every form of documentation, in JSON and in prose, also at its end."""


@dataclass(frozen=True, slots=True)
class Line:
    """`template` has a `%s` for each name that `pick` takes from the list of all names."""

    template: str
    pick: Callable[[Sequence[str]], Any] | None

    def filled(self, names: Sequence[str]) -> str:
        """The text under these names."""
        return self.template if self.pick is None else self.template % self.pick(names)


def line(pieces: Iterable[Piece], slots: Mapping[SemanticId, int]) -> Line:
    """The line of pieces: printed symbols become gaps, everything else stays."""
    parts, gaps = [], []
    for text, source, kind in pieces:
        slot = slots.get(source) if kind == "symbol" else None
        parts.append(text if slot is None else None)
        if slot is not None:
            gaps.append(slot)
    if not gaps:
        return Line(encodable("".join(part for part in parts if part is not None)), None)
    template = "".join("%s" if part is None else part.replace("%", "%%") for part in parts)
    return Line(encodable(template), itemgetter(*gaps))


def is_plain(name: str) -> bool:
    """Whether `name` stands alike everywhere, whatever stands behind it."""
    return _PLAIN.fullmatch(name) is not None


def is_steady(name: str) -> bool:
    """Whether a name of any script stands alike in every form and in JSON."""
    return name.isalnum() or is_plain(name)
