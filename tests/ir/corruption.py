"""Changing a Core at a path."""

from collections.abc import Callable
from typing import Any

from harness_dsl.ir.core import Core


def put(path: str, value: Any) -> Callable[[Core], Core]:
    """Sets what lies at `path` (`tools.get_quote.params.link_id.type`; a number is a position) to `value`."""

    def change(core: Core) -> Core:
        changed: Core = _put(core, path.split("."), value)
        return changed

    return change


def drop(path: str) -> Callable[[Core], Core]:
    """Leaves out the node at `path`."""

    def change(core: Core) -> Core:
        *owner, name = path.split(".")
        nodes: Any = core
        for key in owner:
            nodes = nodes[_index(nodes, key)] if isinstance(nodes, tuple) else getattr(nodes, key)
        at = _index(nodes, name)
        return put(".".join(owner), nodes[:at] + nodes[at + 1 :])(core)

    return change


def _put(node: Any, path: list[str], value: Any) -> Any:
    if not path:
        return value
    if isinstance(node, tuple):
        at = int(path[0]) if path[0].isdigit() else _index(node, path[0])
        return (*node[:at], _put(node[at], path[1:], value), *node[at + 1 :])
    return node.model_copy(update={path[0]: _put(getattr(node, path[0]), path[1:], value)})


def _index(nodes: tuple[Any, ...], name: str) -> int:
    return next(at for at, node in enumerate(nodes) if node.id.endswith(f"/{name}"))
