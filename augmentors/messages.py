"""Whether the messages of a row are those of its Surface, and need no more than the row says."""

from collections.abc import Iterator
from typing import Any

from augmentors.certificates import Certificate
from augmentors.footprint import Footprint
from augmentors.proofs.claim import Claim, Finding
from augmentors.transport import lift, lower
from harness_dsl.ir.canonical import canonical_json
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import ForeignCall, Generated, Transcript


def check_messages(
    core: Core, baseline: Surface, certificate: Certificate, messages: list[dict[str, Any]]
) -> list[Finding]:
    """What does not hold of `messages`, given a certificate that `check` accepts.

    Proof 3: lifted and lowered again they are the same bytes, and no call uses a name that was renamed away.
    Proof 4: the tools and skills they use are in the footprint, and no call asks for a tool that was hidden.
    """
    claim = Claim.of(core, baseline, certificate)
    conversation = lift(messages, claim.core, claim.surface).transcript
    return [
        *(Finding(3, message) for message in _differing(claim, conversation, messages)),
        *(Finding(3, message) for message in _stale_calls(claim, conversation)),
        *(Finding(4, message) for message in _outside(claim, conversation)),
    ]


def _differing(claim: Claim, conversation: Transcript, messages: list[dict[str, Any]]) -> Iterator[str]:
    again = lower(conversation, claim.core, claim.surface)
    if canonical_json(again) == canonical_json(messages):
        return
    differing = [at for at, (a, b) in enumerate(zip(again, messages, strict=False)) if a != b]
    where = f"message {differing[0] + 1}" if differing else "their number"
    yield f"the messages are not those of this Surface: {where} differs"


def _stale_calls(claim: Claim, conversation: Transcript) -> Iterator[str]:
    ids = claim.known.callables
    gone = {claim.old_name(id_) for id_ in ids} - {claim.name(id_) for id_ in ids}
    for name in _foreign(conversation):
        if name in gone:
            yield f"a message calls `{name}`, which was renamed away"


def _foreign(conversation: Transcript) -> Iterator[str]:
    """The names of calls of what is no tool of the Surface."""
    for turn in conversation.events:
        for event in turn.events if isinstance(turn, Generated) else ():
            if isinstance(event, ForeignCall):
                yield event.name


def _outside(claim: Claim, conversation: Transcript) -> Iterator[str]:
    hidden = {name: id_ for id_ in claim.surface.hidden for name in (claim.name(id_), claim.old_name(id_))}
    shown = {tool.name for tool in claim.surface.distractors}
    for name in _foreign(conversation):
        if name in hidden and name not in shown:
            yield f"a message calls `{name}`, and `{hidden[name]}` is hidden"
    needed = frozenset(claim.footprint.symbols)
    for id_ in Footprint.used_by(conversation).symbols:
        if id_ not in needed:
            yield f"the messages use `{id_}`, which is not in the footprint"
