"""Everything that follows from a Core and a Surface without a tokenizer, built once and when it is needed."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import Surface
from harness_dsl.protocol.call_syntaxes import calls_of
from harness_dsl.protocol.calls import Calls
from harness_dsl.protocol.mentions import Mentions
from harness_dsl.protocol.quick.page import Sheet, page
from harness_dsl.protocol.quick.prompt import QuickRenderer
from harness_dsl.protocol.render import Renderer, returned_types
from harness_dsl.protocol.values import Values


class View:
    """One Core under one Surface: names, values, mentions, calls, prompts.

    `quick` writes what `renderer` writes, for those who show many Surfaces of one Core.
    """

    def __init__(self, core: Core, surface: Surface) -> None:
        self.core = core
        self.surface = surface
        self.naming = Naming(core, surface)
        self.returns = returned_types(core)

    @cached_property
    def values(self) -> Values:
        return Values(self.core, self.surface, self.naming)

    @cached_property
    def mentions(self) -> Mentions:
        return Mentions(self.core, self.naming)

    @cached_property
    def calls(self) -> Calls:
        return calls_of(self.core, self.surface, self.naming, self.values)

    @cached_property
    def renderer(self) -> Renderer:
        return Renderer(self.core, self.surface, self.naming, self.values)

    def sheet(self, inputs: Mapping[str, Any]) -> Sheet | None:
        """This Surface on the page of its Core; None if `quick` has to look at its names."""
        on = page(self.core)
        names = on.names(self.surface)
        return None if names is None else Sheet(on, self.surface, inputs, names, lambda: self.quick)

    @cached_property
    def quick(self) -> QuickRenderer:
        return QuickRenderer(self.core, self.surface, self.naming, lambda: self.values)
