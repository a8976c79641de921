"""Another way to set off what a hook tells the model.

    Look the price up first.   →   [retry] Look the price up first.   →   <retry> … </retry>

No run can tell the two apart: the message stands as it is, and what is put around it says only which action
the hook has taken. What is published in place of a reply is never set off.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar, get_args

from pydantic import Field

from augmentors import observations
from augmentors.base import Law, Parameters, Preserving
from augmentors.levels import Level
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import with_changes
from harness_dsl.ir.surface import Feedback as Form
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Reference, Template


class FeedbackParameters(Parameters):
    """forms  which forms are drawn from
    alike  whether all messages of a variant take one form
    """

    forms: tuple[Form, ...] = Field(default=get_args(Form), min_length=1)
    alike: bool = True


class Feedback(Preserving):
    """Draws how the messages of hooks stand in the conversation; how they are worded is up to `wordings`."""

    name: ClassVar[str] = "feedback"
    family: ClassVar[str] = "hooks"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.ALL
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "the form of a message that a hook does not have",
        "accepted": "another form of the message of a hook that is `fixed`",
        "frozen": "another form of the message of a hook that is `fixed`",
    }
    parameters_model: ClassVar[type[Parameters]] = FeedbackParameters
    parameters: FeedbackParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Hooks that have a message with words, are not `fixed`, and can tell it in another of the forms."""
        return tuple(
            hook.id
            for hook in core.hooks
            if hook.message is not None
            and not hook.fixed
            and _has_words(surface.wordings.get(hook.message.id, hook.message.canonical))
            and self._others(hook.id, surface)
        )

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` with other forms of feedback."""
        ids = self.symbols(core, surface)
        if not ids:
            return surface
        feedback = dict(surface.feedback)
        common = rng.choice(self._others(rng.choice(ids), surface))
        for id_ in ids:
            feedback[id_] = common if self.parameters.alike else rng.choice(self._others(id_, surface))
        return with_changes(
            surface, feedback={id_: form for id_, form in feedback.items() if form != "plain"}
        )

    def _others(self, id_: SemanticId, surface: Surface) -> list[Form]:
        return [form for form in self.parameters.forms if form != surface.feedback.get(id_, "plain")]


def _has_words(message: Template) -> bool:
    """Whether something stands in it whatever the inputs are; a blank message is shown without any form."""
    return any(
        part.text.strip() if isinstance(part, Literally) else isinstance(part, Reference) for part in message
    )
