"""Another markup of the prompt's sections.

    ## rules        →   <rules> … </rules>        →   no heading at all

No run can tell the two apart: headings set sections off and carry no instruction.
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
from harness_dsl.ir.surface import Markup as Form
from harness_dsl.ir.surface import Surface


class MarkupParameters(Parameters):
    """forms  which markups are drawn from"""

    forms: tuple[Form, ...] = Field(default=get_args(Form), min_length=1)


class Markup(Preserving):
    """Draws how sections are set off. Not where a section is fixed, since its heading would change."""

    name: ClassVar[str] = "markup"
    family: ClassVar[str] = "format"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.ALL
    refused: ClassVar[Mapping[Law, str]] = {
        "effective": "the markup that is shown already",
    }
    parameters_model: ClassVar[type[Parameters]] = MarkupParameters
    parameters: MarkupParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """The prompt, if it may be marked up in another way."""
        if any(section.fixed for section in core.prompt.sections):
            return ()
        return (core.prompt.id,) if self._others(surface) else ()

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` with another markup."""
        if not self.symbols(core, surface):
            return surface
        return with_changes(surface, markup=rng.choice(self._others(surface)))

    def _others(self, surface: Surface) -> list[Form]:
        return [form for form in self.parameters.forms if form != surface.markup]
