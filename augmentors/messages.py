"""Whether the messages of a row are those of its Surface."""

from collections.abc import Iterator
from typing import Any

from augmentors.proofs.claim import Claim
from augmentors.transport import lift, lower
from harness_dsl.ir.canonical import canonical_json
from harness_dsl.ir.transcript import ForeignCall, Generated


def wrong_messages(claim: Claim, messages: list[dict[str, Any]]) -> Iterator[str]:
    """Lifted and lowered again they must be the same bytes, and no call may use a name renamed away."""
    core, surface = claim.core, claim.surface
    conversation = lift(messages, core, surface).transcript
    again = lower(conversation, core, surface)
    if canonical_json(again) != canonical_json(messages):
        differing = [at for at, (a, b) in enumerate(zip(again, messages, strict=False)) if a != b]
        where = f"message {differing[0] + 1}" if differing else "their number"
        yield f"the messages are not those of this Surface: {where} differs"
    gone = {claim.old_name(id_) for id_ in claim.known.callables} - {
        claim.name(id_) for id_ in claim.known.callables
    }
    for turn in conversation.events:
        for event in turn.events if isinstance(turn, Generated) else ():
            if isinstance(event, ForeignCall) and event.name in gone:
                yield f"a message calls `{event.name}`, which was renamed away"
