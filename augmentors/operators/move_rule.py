"""A rule moved from a skill to the prompt, or from the prompt to the skill that every reply needs.

    skill order_help: "Hold a piece only when asked."  →  rules: "order_help: Hold a piece only when asked."

No run can tell the two apart by what a machine judges of its replies: the steps of a skill are judged in
turns that have loaded it, so a step that becomes a rule of the prompt names its skill, in its words and in
its predicate. A rule of the prompt moves to a skill only where that is the one reply skill, without which
nothing is published. Rules of a fixed order stay where they are. Hooks take no part: a rule in a hook is not
told to the model before it breaks it, which is another task.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import ClassVar, Literal

from pydantic import Field

from augmentors import observations
from augmentors.adapters.move_rule import MoveRule, sole_reply_skill
from augmentors.adapters.refactorings import Refactored, fits
from augmentors.base import Law, Parameters, Refactoring
from augmentors.levels import Level
from harness_dsl.ir.core import Core, ListContent, Section, Skill
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface

Place = Literal["prompt", "skill"]


class MoveRuleParameters(Parameters):
    """into  where rules move to"""

    into: tuple[Place, ...] = Field(default=("prompt", "skill"), min_length=1)


class MoveRuleOperator(Refactoring):
    """Moves one rule."""

    name: ClassVar[str] = "move-rule"
    family: ClassVar[str] = "composition"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.THROUGH_ADAPTER
    refused: ClassVar[Mapping[Law, str]] = {
        "accepted": "a rule that holds in more turns than before",
    }
    parameters_model: ClassVar[type[Parameters]] = MoveRuleParameters
    parameters: MoveRuleParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Steps of skills in free order, and rules of the prompt where there is one reply skill."""
        return tuple(sorted({made.rule for made in self._conceivable(core) if fits(core, surface, made)}))

    def draw(self, core: Core, surface: Surface, rng: Random) -> Refactored | None:
        """One of them, and where it goes."""
        found = [*self._conceivable(core)]
        return next((made for made in rng.sample(found, len(found)) if fits(core, surface, made)), None)

    def _conceivable(self, core: Core) -> Iterator[MoveRule]:
        sections = [section for section in core.prompt.sections if _is_free(section)]
        for skill in core.skills if sections else ():
            if skill.ordered:
                continue
            for section in sections:
                yield from self._between(core, skill, section)

    def _between(self, core: Core, skill: Skill, section: Section) -> Iterator[MoveRule]:
        assert isinstance(section.content, ListContent)
        is_sole = sole_reply_skill(core) == skill.id
        if "prompt" in self.parameters.into:
            name = skill.id.rsplit("/", 1)[1]
            for item in skill.items:
                to = f"{section.id}/{name}_{item.id.rsplit('/', 1)[1]}"
                yield MoveRule(rule=item.id, to=to, guarded=not is_sole)
        if "skill" in self.parameters.into and is_sole:
            for item in section.content.items:
                label = f"{section.id.rsplit('/', 1)[1]}_{item.id.rsplit('/', 1)[1]}"
                yield MoveRule(rule=item.id, to=f"{skill.id}/step/{label}", guarded=False)


def _is_free(section: Section) -> bool:
    return isinstance(section.content, ListContent) and not section.content.ordered and not section.fixed
