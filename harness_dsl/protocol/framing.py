"""How turns are delimited, as one small table per model family."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Framing:
    """A turn is `begin`, `header` of its role, the content, `end`, `after`.

    `begin` and `end` are added tokens of the tokenizer. `end` is what the model produces to end its turn.
    """

    name: str
    begin: str
    end: str
    after: str
    headers: Mapping[Role, str]


CHATML = Framing(
    name="chatml",
    begin="<|im_start|>",
    end="<|im_end|>",
    after="\n",
    headers={"system": "system\n", "user": "user\n", "assistant": "assistant\n"},
)

FRAMINGS = {framing.name: framing for framing in (CHATML,)}
