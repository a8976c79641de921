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
    """`template` has a `%s` for each name that `pick` takes from the list of all names.

    symbols  those that are printed    texts  what it has of the author's prose
    """

    template: str
    pick: Callable[[Sequence[str]], Any] | None
    symbols: frozenset[SemanticId] = frozenset()
    texts: tuple[str, ...] = ()

    def filled(self, names: Sequence[str]) -> str:
        """The text under these names."""
        return self.template if self.pick is None else self.template % self.pick(names)


def line(pieces: Iterable[Piece], slots: Mapping[SemanticId, int]) -> Line:
    """The line of pieces: printed symbols become gaps, everything else stays."""
    parts: list[str | None] = []
    gaps: dict[int, SemanticId] = {}
    texts = []
    for at, (text, source, kind) in enumerate(pieces):
        if kind == "symbol" and source in slots:
            gaps[at] = source
        elif kind == "text":
            texts.append(text)
        parts.append(None if at in gaps else text)
    if not gaps:
        return Line(encodable("".join(filter(None, parts))), None, texts=tuple(texts))
    template = "".join("%s" if part is None else part.replace("%", "%%") for part in parts)
    pick = itemgetter(*(slots[source] for source in gaps.values()))
    return Line(encodable(template), pick, frozenset(gaps.values()), tuple(texts))


def is_plain(name: str) -> bool:
    """Whether `name` stands alike everywhere, whatever stands behind it."""
    return _PLAIN.fullmatch(name) is not None


def is_steady(name: str) -> bool:
    """Whether a name of any script stands alike in every form and in JSON."""
    return name.isalnum() or is_plain(name)
