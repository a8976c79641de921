"""The tools of a harness as a Surface shows them, in JSON data whose property names know their symbol."""

from dataclasses import dataclass
from typing import Any

from harness_dsl.ir.core import Core, Tool
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Text
from harness_dsl.protocol.json_schema import JsonSchemas, Schema
from harness_dsl.protocol.prose import ProseWriter
from harness_dsl.protocol.source_map import Rendered, Sourced, Writer
from harness_dsl.protocol.values import ordered
from harness_dsl.protocol.view import View


class Unsupported(Exception):
    """A target cannot express `symbol`; the message is one phrase about it."""

    def __init__(self, symbol: str, reason: str) -> None:
        super().__init__(reason)
        self.symbol = symbol
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ShownTool:
    """`parameters` and `returns` are JSON Schemas; names in them are `Sourced`."""

    tool: Tool
    name: str
    description: str
    parameters: Schema
    returns: Schema


class ShownTools:
    """Shows the tools of one Core under one Surface."""

    def __init__(self, core: Core, surface: Surface) -> None:
        view = View(core, surface)
        self._core = core
        self._surface = surface
        self._naming = view.naming
        self._prose = ProseWriter(core, surface, view.naming)
        self._schemas = JsonSchemas(core, surface, view.naming, view.values, self._describe)

    def tools(self) -> list[Tool]:
        """The tools that are shown, in shown order."""
        by_id = {tool.id: tool for tool in self._core.tools if tool.id not in self._surface.hidden}
        return [by_id[id_] for id_ in ordered(self._surface, "tools", tuple(by_id))]

    def order(self, key: str, ids: tuple[SemanticId, ...]) -> tuple[SemanticId, ...]:
        """`ids` in the order that the Surface shows for the list `key`."""
        return ordered(self._surface, key, ids)

    def show(self, tool: Tool) -> ShownTool:
        """One tool. Raises `Unsupported` where a description needs values that exist only at run time."""
        return ShownTool(
            tool,
            self._naming.name(tool.id),
            self.text(tool.description),
            plain(self._schemas.parameters(tool)),
            plain(self._schemas.type(tool.returns)),
        )

    def text(self, text: Text) -> str:
        """What `text` says in this Surface. Raises `Unsupported`."""
        return self._describe(text).text

    def name(self, symbol: str) -> str:
        """The shown name of `symbol`."""
        return self._naming.name(symbol)

    def _describe(self, text: Text) -> Rendered:
        inputs = self._prose.inputs_of([text])
        if inputs:
            names = ", ".join(f"`{name}`" for name in inputs)
            raise Unsupported(text.id, f"it prints {names}, which has a value only at run time")
        writer = Writer()
        self._prose.write(writer, text, {})
        return writer.rendered()


def plain(value: Any) -> Any:
    """`value` with prose as plain text; names stay `Sourced`, which JSON takes for text."""
    match value:
        case Sourced():
            return value
        case str():
            return str(value)
        case dict():
            return {plain(key): plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case _:
            return value


def symbol_of(name: str, otherwise: str) -> str:
    """The symbol that a name in a schema shows."""
    return name.source if isinstance(name, Sourced) else otherwise
