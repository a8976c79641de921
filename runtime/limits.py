"""The limits of a Core that the runtime enforces."""

from dataclasses import dataclass
from decimal import Decimal

from harness_dsl.ir.core import Core
from harness_dsl.ir.defaults import DEFAULT_TOOL_CALLS, DEFAULT_TURNS
from harness_dsl.ir.ids import leaf

# What a call may need beside the thinking: a reply limit says nothing about calls.
CALL_TOKENS = 256


@dataclass(frozen=True)
class Limits:
    """Limits of one user turn; None: no limit.

    turns         model outputs
    tool_calls    calls of tools, known and unknown
    reply_chars   Unicode code points of the published reply
    think_tokens  tokens of thinking in one model output
    reply_tokens  tokens of the reply
    wall_ms       time from the viewer's text to the reply
    """

    turns: int = DEFAULT_TURNS
    tool_calls: int = DEFAULT_TOOL_CALLS
    reply_chars: int | None = None
    think_tokens: int | None = None
    reply_tokens: int | None = None
    wall_ms: int | None = None

    @property
    def output_tokens(self) -> int | None:
        """The longest output that can keep all limits, or None."""
        if self.think_tokens is None or self.reply_tokens is None:
            return None
        return self.think_tokens + max(self.reply_tokens, CALL_TOKENS)


def read_limits(core: Core) -> Limits:
    """The limits that `core` declares under the names above; a fraction is cut off."""
    known: dict[str, int] = {}
    for limit in core.limits:
        name = leaf(limit.id)
        if name in Limits.__dataclass_fields__ and isinstance(limit.value, int | Decimal):
            known[name] = int(limit.value)
    return Limits(**known)
