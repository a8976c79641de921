"""Everything that follows from a Core and a Surface without a tokenizer, built once."""

from harness_dsl.ir.core import Core
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import Surface
from harness_dsl.protocol.mentions import Mentions
from harness_dsl.protocol.render import Renderer
from harness_dsl.protocol.syntax_hermes import HermesCalls
from harness_dsl.protocol.values import Values


class View:
    """One Core under one Surface: names, values, mentions, calls, prompts."""

    def __init__(self, core: Core, surface: Surface) -> None:
        self.core = core
        self.surface = surface
        self.naming = Naming(core, surface)
        self.values = Values(core, surface, self.naming)
        self.mentions = Mentions(core, self.naming)
        self.calls = HermesCalls(core, surface, self.naming, self.values)
        self.returns = {tool.id: tool.returns for tool in core.tools}
        self.renderer = Renderer(core, surface, self.naming, self.values)
