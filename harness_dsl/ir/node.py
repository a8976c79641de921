"""The base of every IR node: frozen, closed, and serialised in one canonical way."""

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict


class Node(BaseModel):
    """An immutable IR value. Unknown keys are refused, so an IR of another version never loads half."""

    model_config = ConfigDict(frozen=True, extra="forbid")


_Node = TypeVar("_Node", bound=Node)


def with_changes(node: _Node, **changes: Any) -> _Node:
    """`node.model_copy(update=changes)`, in a fifth of the time. Values are not validated there either."""
    made = object.__new__(type(node))
    put = object.__setattr__
    put(made, "__dict__", {**node.__dict__, **changes})
    put(made, "__pydantic_fields_set__", node.__pydantic_fields_set__ | changes.keys())
    put(made, "__pydantic_extra__", None)
    put(made, "__pydantic_private__", None)
    return made
