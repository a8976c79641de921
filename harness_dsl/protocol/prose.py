"""Author's prose as the Surface words it, each character with its source."""

from collections.abc import Iterable, Mapping
from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.expressions import Expression, InputValue
from harness_dsl.ir.facts import limit_values
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.templates import render_template
from harness_dsl.ir.texts import For, If, Interpolation, Text
from harness_dsl.ir.walk import parts, subexpressions
from harness_dsl.protocol.source_map import Writer


class ProseWriter:
    """Writes texts of one Core under one Surface."""

    def __init__(self, core: Core, surface: Surface, naming: Naming) -> None:
        self._wordings = surface.wordings
        self._naming = naming
        self._limits = limit_values(core)

    def write(self, writer: Writer, text: Text, inputs: Mapping[str, Any]) -> None:
        """Append the chosen wording of `text`; what a value of `inputs` prints is never parsed again."""
        template = self._wordings.get(text.id, text.canonical)
        for piece in render_template(template, self._naming, inputs, self._limits):
            writer.add(piece.text, piece.source or text.id, piece.kind)

    def inputs_of(self, texts: Iterable[Text]) -> tuple[str, ...]:
        """Identifiers of the inputs that the chosen wordings of `texts` name, sorted."""
        found: set[str] = set()
        for text in texts:
            for part in parts(self._wordings.get(text.id, text.canonical)):
                for expression in _expressions(part):
                    inner = subexpressions(expression)
                    found |= {leaf(value.input) for value in inner if isinstance(value, InputValue)}
        return tuple(sorted(found))


def _expressions(part: object) -> list[Expression]:
    match part:
        case Interpolation():
            return [part.value]
        case If():
            return [part.condition]
        case For():
            return [part.values]
        case _:
            return []
