"""How much a server takes: what SGLang says of itself, or what any OpenAI-style server says of its model."""

from dataclasses import dataclass
from typing import Any

# Of its longest request SGLang keeps this many tokens for the output, and gives one less.
KEPT = 5
CLAMPED = 1


@dataclass(frozen=True)
class Limits:
    """The longest prompt, and the most tokens that prompt and output have together."""

    prompt: int = 1 << 31
    total: int = 1 << 31


def of_server_info(answer: Any) -> Limits | None:
    """From SGLang's `/server_info`: it refuses a prompt of `max_req_input_len` tokens."""
    longest = answer.get("max_req_input_len") if isinstance(answer, dict) else None
    if type(longest) is not int or longest < 2:
        return None
    return Limits(longest - 1, longest + KEPT - CLAMPED)


def of_models(answer: Any) -> Limits | None:
    """From `/v1/models`: the length of the first model's context."""
    try:
        length = answer["data"][0]["max_model_len"]
    except (LookupError, TypeError):
        return None
    return Limits(length - 1, length) if type(length) is int and length > 1 else None


ASKED = (("/server_info", of_server_info), ("/v1/models", of_models))
