"""Another syntax for calls.

    {"name": "get_quote", "arguments": {"link_id": 3}}   →   [get_quote(link_id=3)]
    →   <function=get_quote> <parameter=link_id> 3 …     →   ```json [{"function": "get_quote", …}] ```

No run can tell the two apart: a call is stored as what it means, printed in the syntax of the Surface and
read back by the same one, and the prompt says how to call.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar, get_args

from pydantic import Field

from augmentors import observations
from augmentors.base import Law, Parameters, Preserving
from augmentors.index import has_fixed_tool, index
from augmentors.levels import Level
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import LOAD_SKILL, SemanticId
from harness_dsl.ir.node import with_changes
from harness_dsl.ir.surface import CallSyntax as Form
from harness_dsl.ir.surface import Surface


class CallSyntaxParameters(Parameters):
    """forms  which syntaxes are drawn from"""

    forms: tuple[Form, ...] = Field(default=get_args(Form), min_length=1)


class CallSyntax(Preserving):
    """Draws how calls are written. Not where a tool is fixed: a call of it would be written otherwise."""

    name: ClassVar[str] = "call-syntax"
    family: ClassVar[str] = "call syntax"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.ALL
    refused: ClassVar[Mapping[Law, str]] = {
        "accepted": "another syntax while a tool is `fixed`",
        "frozen": "another syntax while a tool is `fixed`",
        "effective": "the syntax that calls are written in already",
    }
    parameters_model: ClassVar[type[Parameters]] = CallSyntaxParameters
    parameters: CallSyntaxParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """The prompt, if something can be called, and be called in another way."""
        hidden = surface.hidden
        if hidden and not surface.distractors and {*index(core).callables} <= {*hidden, LOAD_SKILL}:
            return ()
        if not (core.tools or core.skills or surface.distractors):
            return ()
        if has_fixed_tool(core) or not self._others(surface):
            return ()
        return (core.prompt.id,)

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` with another call syntax."""
        if not self.symbols(core, surface):
            return surface
        return with_changes(surface, call_syntax=rng.choice(self._others(surface)))

    def _others(self, surface: Surface) -> list[Form]:
        return [form for form in self.parameters.forms if form != surface.call_syntax]
