"""Another name and description of the tool that loads a skill.

    load_skill(skill) "Read a skill before you follow it."  →  read_guide(topic) "Show how a skill is done. …"

No run can tell the two apart: loading a skill is an event of its own, whatever the tool is called. The
protocol ships the wordings and declares that they ask for the same.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from pydantic import Field

from augmentors import observations
from augmentors.banks import Pool
from augmentors.base import Law, Parameters, Preserving
from augmentors.index import Index, index
from augmentors.levels import Level
from augmentors.other_words import loader
from augmentors.renaming import Names, may_rename
from harness_dsl.ir.builtins import LOAD_SKILL_DESCRIPTION
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import LOAD_SKILL, LOAD_SKILL_PARAM, LOAD_SKILL_TEXT, SemanticId
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Template


class SkillLoaderParameters(Parameters):
    """pool   whose names and wordings are used
    share  how likely each of name, parameter and description changes; at least one always does
    """

    pool: Pool = "train"
    share: float = Field(default=0.7, gt=0, le=1)


class SkillLoader(Preserving):
    """Renames and rewords the built-in: names of the pool or of its author. Not where no skill is shown."""

    name: ClassVar[str] = "skill-loader"
    family: ClassVar[str] = "naming"
    level: ClassVar[Level] = "declared"
    observation: ClassVar[str] = observations.DECLARED
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "the name of a tool of the harness",
        "accepted": "a description that the protocol does not ship",
    }
    parameters_model: ClassVar[type[Parameters]] = SkillLoaderParameters
    parameters: SkillLoaderParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """The built-in, its parameter and its description."""
        if all(skill.id in surface.hidden for skill in core.skills):
            return ()
        known, names = index(core), Names(index(core), surface)
        named = [
            id_
            for id_, options in self._options(known).items()
            if may_rename(known, surface, id_) and any(names.takes(id_, name) for name in options)
        ]
        return (*named, LOAD_SKILL_TEXT) if self._wordings(surface) else tuple(named)

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` with another name or description of the built-in."""
        free = self.symbols(core, surface)
        if not free:
            return surface
        chosen = [id_ for id_ in free if rng.random() < self.parameters.share] or [rng.choice(free)]
        known, names = index(core), Names(index(core), surface)
        for id_, options in self._options(known).items():
            if id_ in chosen:
                names.give(id_, rng.choice([name for name in options if names.takes(id_, name)]))
        now = names.surface()
        if LOAD_SKILL_TEXT not in chosen:
            return now
        wording = rng.choice(self._wordings(surface))
        return now.model_copy(update={"wordings": {**now.wordings, LOAD_SKILL_TEXT: wording}})

    def _options(self, known: Index) -> dict[SemanticId, tuple[str, ...]]:
        shipped, pool = loader(), self.parameters.pool
        names = {LOAD_SKILL: shipped.names[pool], LOAD_SKILL_PARAM: shipped.params[pool]}
        return {id_: (*known.declared.get(id_, ()), *drawn) for id_, drawn in names.items()}

    def _wordings(self, surface: Surface) -> list[Template]:
        shown = surface.wordings.get(LOAD_SKILL_TEXT)
        known = [LOAD_SKILL_DESCRIPTION.alternatives[at] for at in loader().wordings[self.parameters.pool]]
        return [wording for wording in known if wording != shown]
