"""One more rule to keep.

    rules: short, quoted  →  rules: short, quoted, "End every reply with a full stop."

What a right answer is changes with the rule: its predicate says when it is kept, so the expectation is that
of the new Core, never guessed. Rules come from a reviewed bank, in Chinese and English, each with its
predicate; one that another rule of the harness speaks against is left out. A row never shows a recorded
conversation that breaks the rule.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from random import Random
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator

from augmentors import observations
from augmentors.adapters.refactorings import Refactored, fits
from augmentors.base import Capability, Law, Parameters
from augmentors.edits.add_rule import AddRule
from augmentors.edits.rule_bank import RULES
from augmentors.footprint import Footprint
from augmentors.levels import Level
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface


def _known(name: str) -> str:
    if name not in RULES:
        close = get_close_matches(name, RULES, 1)
        said = (
            f"did you mean `{close[0]}`?" if close else f"known are {', '.join(f'`{one}`' for one in RULES)}"
        )
        raise ValueError(f"the bank has no rule `{name}`; {said}")
    return name


class AddRuleParameters(Parameters):
    """pool  the part of the bank that is drawn from: some rules are held out of training
    only  only these rules, by name; none: all of the pool
    """

    pool: Literal["train", "held-out", "any"] = "train"
    only: tuple[Annotated[str, AfterValidator(_known)], ...] = ()


class AddRuleOperator(Capability):
    """Adds one rule of the bank to an unordered list of rules."""

    name: ClassVar[str] = "add-rule"
    family: ClassVar[str] = "policy"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.WELL_FORMED
    refused: ClassVar[Mapping[Law, str]] = {"accepted": "a rule that is not in the bank"}
    parameters_model: ClassVar[type[Parameters]] = AddRuleParameters
    parameters: AddRuleParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Unordered lists of rules that have room for a rule of the bank."""
        return tuple(dict.fromkeys(made.section for made in self._all(core, surface)))

    def draw(self, core: Core, surface: Surface, footprint: Footprint, rng: Random) -> Refactored | None:
        """One of the rules, in one of the lists."""
        found = [*self._all(core, surface)]
        return rng.choice(found) if found else None

    def _all(self, core: Core, surface: Surface) -> Iterator[AddRule]:
        for section in core.prompt.sections:
            for name, rule in RULES.items():
                made = AddRule(section=section.id, rule=name)
                if self._is_drawn(name, rule.pool) and fits(core, surface, made):
                    yield made

    def _is_drawn(self, name: str, pool: str) -> bool:
        if self.parameters.only and name not in self.parameters.only:
            return False
        return self.parameters.pool in ("any", pool)
