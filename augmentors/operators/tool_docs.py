"""Another documentation form of the tools.

    {"name": "get_quote", "parameters": …}   →   get_quote(link_id: int)   →   TypeScript, Markdown, XML

No run can tell the two apart: every form says the same names, types and descriptions.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from pydantic import Field

from augmentors import observations
from augmentors.base import Law, Parameters, Preserving
from augmentors.index import has_fixed_tool, tool_ids
from augmentors.levels import Level
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import with_changes
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.surface import ToolDocs as Form


class ToolDocsParameters(Parameters):
    """forms  which documentation forms are drawn from; the others are drawn where a policy names them"""

    # Another default would give other rows for every seed that was ever recorded.
    forms: tuple[Form, ...] = Field(default=("json_schema", "python", "markdown"), min_length=1)


class ToolDocs(Preserving):
    """Draws how tools are documented. Not where a tool is fixed, since its documentation would change."""

    name: ClassVar[str] = "tool-docs"
    family: ClassVar[str] = "format"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.ALL
    refused: ClassVar[Mapping[Law, str]] = {
        "accepted": "another form while a tool is `fixed`",
        "frozen": "another form while a tool is `fixed`",
    }
    parameters_model: ClassVar[type[Parameters]] = ToolDocsParameters
    parameters: ToolDocsParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """The tools, if they may be documented in another way."""
        return () if has_fixed_tool(core) or not self._others(surface) else tool_ids(core)

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` with another documentation form."""
        if not self.symbols(core, surface):
            return surface
        return with_changes(surface, tool_docs=rng.choice(self._others(surface)))

    def _others(self, surface: Surface) -> list[Form]:
        return [form for form in self.parameters.forms if form != surface.tool_docs]
