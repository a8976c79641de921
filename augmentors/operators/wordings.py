"""Another declared wording of a text.

    "A viewer asks about price"  →  "Somebody in the room wants to know what something costs"

The author declares that the two mean the same, or a bank that people have reviewed does, so the claim is
`declared`: a reader may well notice the other words.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from pydantic import Field

from augmentors import observations
from augmentors.base import Law, Parameters, Preserving
from augmentors.index import index
from augmentors.levels import Level
from harness_dsl.ir.core import Core
from harness_dsl.ir.identity import ByIdentity
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import with_changes
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Template, Text

_KEPT = 64


class WordingParameters(Parameters):
    """share  how likely each text that has alternatives changes; at least one always does"""

    share: float = Field(default=1.0, gt=0, le=1)


class Wordings(Preserving):
    """Draws among the canonical wording of a text and the alternatives that its author declares."""

    name: ClassVar[str] = "wordings"
    family: ClassVar[str] = "wording"
    level: ClassVar[Level] = "declared"
    observation: ClassVar[str] = observations.DECLARED
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "a wording that the author does not declare",
        "accepted": "a wording that nobody declares; the claim that a declared one is proved",
    }
    parameters_model: ClassVar[type[Parameters]] = WordingParameters
    parameters: WordingParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Texts that are not frozen and have another declared wording."""
        return tuple(text.id for text in _several(core) if _others(text, surface))

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` with other wordings."""
        texts = index(core).texts
        ids = self.symbols(core, surface)
        if not ids:
            return surface
        chosen = [id_ for id_ in ids if rng.random() < self.parameters.share] or [rng.choice(ids)]
        wordings = dict(surface.wordings)
        for id_ in chosen:
            wording = rng.choice(_others(texts[id_], surface))
            if wording == texts[id_].canonical:
                wordings.pop(id_, None)
            else:
                wordings[id_] = wording
        return with_changes(surface, wordings=wordings)


@remembered
def _several(core: Core) -> tuple[Text, ...]:
    """The texts that have alternatives and are not frozen."""
    known = index(core)
    return tuple(text for text in known.texts.values() if text.alternatives and text.id not in known.frozen)


_known: ByIdentity[dict[int, tuple[Template, list[Template]]]] = ByIdentity()


def _others(text: Text, surface: Surface) -> list[Template]:
    """The wordings other than the present one; remembered, since comparing templates walks them."""
    current = surface.wordings.get(text.id, text.canonical)
    by_current = _known.get(text, dict)
    found = by_current.get(id(current))
    if found is None or found[0] is not current:
        others = [wording for wording in (text.canonical, *text.alternatives) if wording != current]
        if len(by_current) >= _KEPT:
            by_current.clear()
        found = by_current[id(current)] = (current, others)
    return found[1]
