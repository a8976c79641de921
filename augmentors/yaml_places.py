"""Where in a YAML file a key stands, and the line there with a mark under it."""

from collections.abc import Sequence
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

from harness_dsl.diagnostics import Span
from harness_dsl.diagnostics.lines import Lines
from harness_dsl.diagnostics.render import excerpt


def place(path: Path, keys: Sequence[str | int]) -> Span | None:
    """The key that `keys` lead to, or the deepest of them that is there; of the file itself its beginning.

    None for a file that cannot be read as YAML.
    """
    try:
        node: Node | None = YAML(typ="safe", pure=True).compose(path)
    except (OSError, ValueError, YAMLError):
        return None
    span = Span(str(path), 0, 0)
    for key in keys:
        found = _step(node, key)
        if found is None:
            break
        at, node = found
        span = Span(str(path), at.start_mark.index, at.end_mark.index)
    return span


def _step(node: Node | None, wanted: str | int) -> tuple[Node, Node] | None:
    """What to point at for one key, and the value to go on from."""
    if isinstance(node, MappingNode):
        return next(((key, value) for key, value in node.value if key.value == str(wanted)), None)
    if isinstance(node, SequenceNode) and isinstance(wanted, int) and wanted < len(node.value):
        return node.value[wanted], node.value[wanted]
    return None


def shown(span: Span, text: str) -> tuple[str, str]:
    """`:LINE:COLUMN` of a place in `text`, and the line with a mark under the place."""
    lines = Lines(text)
    where = lines.place(span.start)
    return f":{where.line}:{where.column}", excerpt(span, lines, "^") if lines.text else ""
