"""Author's prose as the Surface words it, each character with its source."""

from collections.abc import Mapping
from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.expressions import Constant, Expression, InputValue, LimitValue
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Interpolation, Literally, Reference, Text
from harness_dsl.protocol.json_text import dump
from harness_dsl.protocol.source_map import Writer


class ProseWriter:
    """Writes texts of one Core under one Surface."""

    def __init__(self, core: Core, surface: Surface, naming: Naming) -> None:
        self._wordings = surface.wordings
        self._naming = naming
        self._limits = {limit.id: limit.value for limit in core.limits}

    def write(self, writer: Writer, text: Text, inputs: Mapping[str, Any]) -> None:
        """Append the chosen wording of `text`; values of `inputs` are printed and never read again."""
        for part in self._wordings.get(text.id, text.canonical):
            match part:
                case Literally():
                    writer.add(part.text, text.id, "text")
                case Reference():
                    writer.add(self._reference(part), part.target, "symbol")
                case Interpolation():
                    writer.add(_shown(self._value(part.value, inputs)), text.id, "value")

    def _reference(self, part: Reference) -> str:
        if part.target in self._limits:
            return _shown(self._limits[part.target])
        return self._naming.name(part.target)

    def _value(self, expression: Expression, inputs: Mapping[str, Any]) -> Any:
        match expression:
            case Constant():
                return expression.value
            case LimitValue():
                return self._limits[expression.limit]
            case InputValue():
                value = inputs[leaf(expression.input)]
                for key in expression.path:
                    value = value[key]
                return value
        return None


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else dump(value)
