"""The base of every IR node: frozen, closed, and serialised in one canonical way."""

from pydantic import BaseModel, ConfigDict


class Node(BaseModel):
    """An immutable IR value. Unknown keys are refused, so an IR of another version never loads half."""

    model_config = ConfigDict(frozen=True, extra="forbid")
