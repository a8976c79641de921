"""A tool with a choice among words split into one tool for each word.

    read_issue(part: "comments", number: 7)  →  read_issue_comments(number: 7)

No run can tell the two apart: the adapter adds the word that the tool stands for before the one tool is
called, and what the harness says of that tool it says of all that it became. Only a choice that every call
makes is split, and only where the conditions of the harness can still be asked.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import ClassVar

from pydantic import Field

from augmentors import observations
from augmentors.adapters.refactorings import Refactored, fits
from augmentors.adapters.split_tool import SplitTool
from augmentors.base import Law, Parameters, Refactoring
from augmentors.identifiers import sanitised
from augmentors.levels import Level
from harness_dsl.ir.core import Core, Param, Tool
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.types import EnumType


class SplitToolParameters(Parameters):
    """most  most words of a choice that is split"""

    most: int = Field(default=6, ge=2)


class SplitToolOperator(Refactoring):
    """Splits one tool by one choice."""

    name: ClassVar[str] = "split-tool"
    family: ClassVar[str] = "composition"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.THROUGH_ADAPTER
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "two tools of one name",
        "accepted": "a choice of which a word is forgotten",
    }
    parameters_model: ClassVar[type[Parameters]] = SplitToolParameters
    parameters: SplitToolParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Tools with a required choice among words."""
        fitting = (made for made in self._conceivable(core) if fits(core, surface, made))
        return tuple(sorted({id_ for made in fitting for id_ in made.symbols}))

    def draw(self, core: Core, surface: Surface, rng: Random) -> Refactored | None:
        """One of their choices."""
        found = [*self._conceivable(core)]
        return next((made for made in rng.sample(found, len(found)) if fits(core, surface, made)), None)

    def _conceivable(self, core: Core) -> Iterator[SplitTool]:
        for tool in core.tools:
            for param in tool.params:
                if not isinstance(param.type, EnumType) or len(param.type.members) > self.parameters.most:
                    continue
                yield SplitTool(param=param.id, into=tuple(_names(core, tool, param, param.type)))


def _names(core: Core, tool: Tool, param: Param, words: EnumType) -> Iterator[tuple[str, str]]:
    """Each word with the name of the tool and the word in one, or a number where that is no name."""
    taken = {sanitised(leaf(other.id)).lower() for other in core.tools}
    for number, member in enumerate(words.members, 1):
        joined = f"{leaf(tool.id)}_{member.value}".replace("-", "_").replace(" ", "_")
        options = (joined, *(f"{leaf(tool.id)}_{leaf(param.id)}_{at}" for at in range(number, number + 99)))
        name = next(
            option for option in options if option.isidentifier() and sanitised(option).lower() not in taken
        )
        taken.add(sanitised(name).lower())
        yield member.value, name
