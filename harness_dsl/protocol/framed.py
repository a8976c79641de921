"""Turns as text: what a framing puts around a content."""

from collections.abc import Mapping
from typing import Any

from harness_dsl.protocol.framing import Framing, Role
from harness_dsl.protocol.source_map import Rendered, Writer
from harness_dsl.protocol.view import View


def system_turn(view: View, framing: Framing, inputs: Mapping[str, Any]) -> Rendered:
    """The system turn: all that stands before the first user turn."""
    return turn(framing, "system", view.renderer.system(inputs))


def turn(framing: Framing, role: Role, content: Rendered) -> Rendered:
    """A whole turn."""
    writer = Writer()
    writer.extend(opening(framing, role))
    writer.extend(content)
    writer.extend(ending(framing))
    return writer.rendered()


def opening(framing: Framing, role: Role) -> Rendered:
    """What stands before the content of a turn."""
    writer = Writer()
    writer.marker(framing.begin)
    writer.fixed(framing.headers[role])
    return writer.rendered()


def ending(framing: Framing) -> Rendered:
    """What stands behind the content of a turn."""
    writer = Writer()
    writer.marker(framing.end)
    writer.fixed(framing.after)
    return writer.rendered()
