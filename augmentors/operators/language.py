"""One writing for all texts that have a declared wording in it.

    "A viewer asks about price", "一句话说完"  →  "有人问价格", "一句话说完"

The author declares that the wordings mean the same, so the claim is `declared`: a reader notices the other
language. A wording is told by its letters: Chinese characters or Latin ones, whichever make more words of it.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from pydantic import Field

from augmentors import observations
from augmentors.base import Law, Parameters, Preserving
from augmentors.index import index
from augmentors.levels import Level
from augmentors.writing import Writing, writing
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import with_changes
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Template


class LanguageParameters(Parameters):
    """writings  which are drawn from; one is chosen for a variant"""

    writings: tuple[Writing, ...] = Field(default=("han", "latin"), min_length=1)


class Language(Preserving):
    """Shows every text that has a wording in the chosen writing in it; the others stay as they are."""

    name: ClassVar[str] = "language"
    family: ClassVar[str] = "wording"
    level: ClassVar[Level] = "declared"
    observation: ClassVar[str] = observations.DECLARED
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "a translation that the author does not declare",
        "accepted": "a translation that nobody declares",
        "effective": "another wording in the writing that a text has already",
    }
    parameters_model: ClassVar[type[Parameters]] = LanguageParameters
    parameters: LanguageParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Texts that are not frozen and have a declared wording in another of the chosen writings."""
        return tuple(sorted({id_ for there in self._there(core, surface).values() for id_ in there}))

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` in one writing, as far as there are wordings."""
        there = self._there(core, surface)
        if not there:
            return surface
        texts = index(core).texts
        wordings = dict(surface.wordings)
        for id_, choices in there[rng.choice(list(there))].items():
            wording = rng.choice(choices)
            if wording == texts[id_].canonical:
                wordings.pop(id_, None)
            else:
                wordings[id_] = wording
        return with_changes(surface, wordings=wordings)

    def _there(self, core: Core, surface: Surface) -> dict[Writing, dict[SemanticId, list[Template]]]:
        """By writing, the texts that would change and their wordings in it; no writing without any."""
        found: dict[Writing, dict[SemanticId, list[Template]]] = {}
        for id_, by_writing in _declared(core).items():
            now = surface.wordings.get(id_)
            current = writing(index(core).texts[id_].canonical if now is None else now)
            for one in self.parameters.writings:
                if one != current and one in by_writing:
                    found.setdefault(one, {})[id_] = by_writing[one]
        return found


@remembered
def _declared(core: Core) -> dict[SemanticId, dict[Writing, list[Template]]]:
    """By text that is not frozen and has alternatives, its wordings by their writing."""
    found: dict[SemanticId, dict[Writing, list[Template]]] = {}
    known = index(core)
    for text in known.texts.values():
        if not text.alternatives or text.id in known.frozen:
            continue
        for wording in (text.canonical, *text.alternatives):
            one = writing(wording)
            if one is not None:
                found.setdefault(text.id, {}).setdefault(one, []).append(wording)
    return found
