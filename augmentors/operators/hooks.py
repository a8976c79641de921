"""Another of the implementations that an author declares equivalent to the condition of a hook.

    if not desk.session.verified and …   →   same as python "bank.hooks:identity_first"

The model sees the same prompt, and the hook acts at the same events, as far as the contract suite has found:
it asks the condition and every implementation about generated and recorded events, and only those that always
answer alike are drawn. A user could notice only in an event that the suite has not thought of.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from pydantic import Field

from augmentors import observations
from augmentors.base import Law, Parameters, Preserving
from augmentors.levels import Level
from harness_dsl.ir.core import Core, Hook
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface


class HooksParameters(Parameters):
    """share   how likely each hook runs another implementation; at least one always does
    tested  by hook, the implementations that the contract suite vouches for; commands that draw run the suite
            and fill it in, so that nothing else is ever drawn
    """

    share: float = Field(default=1.0, gt=0, le=1)
    tested: dict[SemanticId, tuple[int, ...]] = Field(default_factory=dict)


class Hooks(Preserving):
    """Draws which implementation of a hook runs: the condition itself, or one that was tested against it."""

    name: ClassVar[str] = "hooks"
    family: ClassVar[str] = "hooks"
    level: ClassVar[Level] = "tested"
    observation: ClassVar[str] = observations.ALL
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "an implementation that nobody declares",
        "accepted": "the claim that another implementation is proved, or one that was not tested",
        "frozen": "another implementation of a hook that is `fixed`",
    }
    parameters_model: ClassVar[type[Parameters]] = HooksParameters
    parameters: HooksParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Hooks that are not `fixed` and have another implementation that was tested."""
        return tuple(hook.id for hook in core.hooks if not hook.fixed and self._others(hook, surface))

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` with other implementations."""
        ids = self.symbols(core, surface)
        if not ids:
            return surface
        chosen = [id_ for id_ in ids if rng.random() < self.parameters.share] or [rng.choice(ids)]
        implementations = dict(surface.implementations)
        for hook in core.hooks:
            if hook.id in chosen:
                implementations[hook.id] = rng.choice(self._others(hook, surface))
        return surface.model_copy(
            update={"implementations": {id_: number for id_, number in implementations.items() if number}}
        )

    def _others(self, hook: Hook, surface: Surface) -> list[int]:
        """The condition and the tested implementations, without the one that runs."""
        tested = self.parameters.tested.get(hook.id, ())
        known = [0, *(number for number in tested if 0 < number <= len(hook.implementations))]
        return [number for number in known if number != surface.implementations.get(hook.id, 0)]
