"""Proof 5: a row's conversation, played in the loop that serves, goes as it is recorded.

It is played twice, under the row's Surface and under the one that the row was drawn from: calls, results,
replies and the final state are the same in both, and the same as in the row.
"""

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest
from typing import Any

from augmentors.adapters.reshaping import AdapterError
from augmentors.certificates import Certificate
from augmentors.dataset import Row
from augmentors.faulted import under_faults
from augmentors.proofs.claim import Claim, Finding
from augmentors.transport import lift
from augmentors.verifying import Proved
from harness_dsl.ir.decimals import exact
from harness_dsl.ir.evaluate import json_text
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.transcript import Call, Event, Generated, ModelEvent, Published, Result, Transcript, User
from harness_dsl.ir.values import is_number
from runtime.byte_tokenizer import byte_tokenizer
from runtime.load import Loaded
from runtime.replay import Played, play
from runtime.version import Versions

PATIENCE = 10.0
"""Limits in time are so much longer than declared: a replay is about what happens, on whatever machine."""
_KEPT = 256
_WRITTEN_BY_THE_LOOP = frozenset({"bad_arguments", "unknown_tool", "limit", "denied", "malformed"})
"""Failures whose detail the loop words in the names of the Surface."""


@dataclass(frozen=True)
class ReplayProof:
    """Proof 5 for rows of `harness`. A row without messages shows conversation N modulo their number."""

    harness: Loaded
    conversations: tuple[Transcript, ...] = ()
    _references: dict[str, Played] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def _versions(self) -> Versions:
        # A limit in tokens says nothing where no model's tokenizer counts them.
        return Versions(
            byte_tokenizer(), self.harness.tools, self.harness.hooks, token_limits=False, patience=PATIENCE
        )

    def prepare(self) -> None:
        """Loads the code of the harness, as the first row would."""
        # What may not run is said of the rows that need it.
        with contextlib.suppress(ValueError), contextlib.redirect_stdout(sys.stderr):
            self._versions.of(self.harness.core, self.harness.surface)

    def __call__(self, row: Row) -> Proved:
        """What does not hold of the conversation of `row`, or why nothing can be said about it."""
        claim = Claim.of(self.harness.core, self.harness.surface, row.certificate)
        if claim.certificate.refactorings:
            self._versions.adapt(claim.shape.adapter)
        conversation = self._conversation(row, claim)
        if conversation is None:
            return Proved(unproved="it shows no conversation that went on after the user's words")
        try:
            if missing := self._missing(claim, conversation):
                return Proved(unproved=f"`{missing}` has no implementation that can run here")
        except ValueError as error:
            return Proved(unproved=str(error))
        with contextlib.redirect_stdout(sys.stderr):
            findings = (*self._other(row, claim, conversation), *self._differences(claim, conversation))
        return Proved(tuple(str(Finding(5, message)) for message in findings))

    def _conversation(self, row: Row, claim: Claim) -> Transcript | None:
        """What the row shows, by semantic ids."""
        if row.messages is not None:
            found = lift(row.messages, claim.core, claim.surface).transcript
        elif self.conversations:
            found = self._told(row, claim)
        else:
            return None
        return None if all(isinstance(event, User) for event in found.events) else found

    def _recorded(self, certificate: Certificate) -> Transcript:
        return self.conversations[certificate.row % len(self.conversations)]

    def _told(self, row: Row, claim: Claim) -> Transcript:
        """The recorded conversation as the row's faults leave it."""
        recorded = self._recorded(row.certificate)
        if claim.certificate.refactorings:
            recorded = claim.shape.adapter.forward(recorded)
        if not claim.plan.faults:
            return recorded
        return under_faults(claim.core, recorded, claim.plan) or recorded

    def _missing(self, claim: Claim, conversation: Transcript) -> str | None:
        """A tool that the conversation calls and that cannot be carried out. Raises `ValueError`."""
        missing = self._versions.of(claim.core, claim.baseline).tools.missing
        called = {event.tool for event in _model_events(conversation) if isinstance(event, Call)}
        return next((id_ for id_ in missing if id_ in called), None)

    def _other(self, row: Row, claim: Claim, conversation: Transcript) -> Iterator[str]:
        """How the messages of a row differ from the conversation that it is said to show."""
        if row.messages is None or not self.conversations:
            return
        recorded = self._told(row, claim)
        if found := _first_difference(_untold(recorded.events), _untold(conversation.events)):
            yield f"the messages are not the recorded conversation: {found}"
        elif recorded.inputs != conversation.inputs:
            yield "the messages are not the recorded conversation: its inputs differ"

    def _differences(self, claim: Claim, conversation: Transcript) -> Iterator[str]:
        """What goes otherwise under the row's Surface than in the row, or than under the first Surface."""
        try:
            before = self._reference(claim, conversation)
            now = play(self._versions, claim.core, claim.surface, conversation, claim.plan)
        except (ValueError, KeyError, AdapterError) as error:
            yield f"the conversation cannot be played: {error}"
            return
        if found := _first_difference(_untold(conversation.events), _untold(now.events)):
            itself = _first_difference(_untold(conversation.events), _untold(before.events))
            yield found + ("; nor does it go so under the harness's own Surface" if itself else "")
            return
        if found := _first_difference(_untold(before.events), _untold(now.events)):
            yield f"under the harness's own Surface it goes otherwise: {found}"
        yield from _published(conversation, before, now)
        if before.state != now.state:
            changed = [name for name in before.state if before.state[name] != now.state.get(name)]
            yield f"the final state differs in the input `{changed[0]}`"

    def _reference(self, claim: Claim, conversation: Transcript) -> Played:
        """How the conversation goes under the Surface that rows are drawn from; rows share conversations."""
        digest = self._versions.of(claim.core, claim.baseline).core_digest
        key = f"{digest} {claim.plan.model_dump_json()} {conversation.model_dump_json()}"
        if key not in self._references:
            if len(self._references) >= _KEPT:
                self._references.clear()
            self._references[key] = self._first(claim, conversation)
        return self._references[key]

    def _first(self, claim: Claim, conversation: Transcript) -> Played:
        """`conversation` under the Surface that the row was drawn from. That of a refactored harness is
        played in the harness itself, where nothing but the shape of its calls is another.
        """
        adapter = claim.shape.adapter
        if not adapter.steps or claim.plan.faults:
            return play(self._versions, claim.core, claim.baseline, conversation, claim.plan)
        core, surface = adapter.before(claim.core), claim.shape.given
        played = play(self._versions, core, surface, adapter.back(conversation))
        told = adapter.forward(conversation.model_copy(update={"events": played.events}))
        return Played(told.events, played.state)


def _model_events(conversation: Transcript) -> Iterator[object]:
    return (event for turn in conversation.events if isinstance(turn, Generated) for event in turn.events)


def _untold(events: tuple[Event, ...]) -> list[Event]:
    """What the model produced and read, comparable between Surfaces."""
    return [_comparable(event) for event in events if not isinstance(event, Published)]


def _comparable(event: Event) -> Event:
    """`event` without what depends on the Surface or on who wrote a number."""
    if isinstance(event, Generated):
        return event.model_copy(update={"ids": (), "events": tuple(map(_exact_call, event.events))})
    if isinstance(event, Result):
        detail = "" if event.failure in _WRITTEN_BY_THE_LOOP else event.detail
        return event.model_copy(update={"detail": detail, "value": _exact(event.value)})
    return event


def _exact_call(event: ModelEvent) -> ModelEvent:
    if not isinstance(event, Call):
        return event
    return event.model_copy(update={"arguments": _exact(event.arguments)})


def _exact(value: Any) -> Any:
    """`value` with numbers that are equal when they stand for the same amount."""
    match value:
        case dict():
            return {key: _exact(entry) for key, entry in value.items()}
        case list() | tuple():
            return [_exact(entry) for entry in value]
        case _:
            return exact(value) if is_number(value) else value


def _published(conversation: Transcript, before: Played, now: Played) -> Iterator[str]:
    """Replies that went out otherwise than recorded, if anything is recorded about them."""
    recorded = [event for event in conversation.events if isinstance(event, Published)]
    played = [[e for e in one.events if isinstance(e, Published)] for one in (before, now)]
    for at, (first, second) in enumerate(zip_longest(*played), 1):
        if first is None or second is None or first.by != second.by:
            yield f"reply {at} goes out otherwise under the harness's own Surface"
            return
        if not recorded:
            continue
        told = recorded[at - 1] if at <= len(recorded) else None
        if told is None or told.by != second.by or told.text not in (first.text, second.text):
            said = "nothing" if told is None else repr(told.text)
            yield f"reply {at}: recorded {said}, published {second.text!r}"
            return


def _first_difference(recorded: list[Event], played: list[Event]) -> str | None:
    for at, (one, other) in enumerate(zip_longest(recorded, played), 1):
        if one != other:
            return f"event {at}: recorded {_shown(one)}, played {_shown(other)}"
    return None


def _shown(event: Event | None) -> str:
    """`event` in a few words for a person."""
    match event:
        case None:
            return "nothing"
        case Generated():
            return " and ".join(map(_said, event.events)) or "an empty output"
        case Result(failure=None):
            return f"result {_short(json_text(event.value))}"
        case Result():
            return f"failure {event.failure}" + (f" ({event.detail})" if event.detail else "")
        case _:
            said = event.model_dump(mode="json", exclude={"kind"})
            return f"{event.kind} {_short(json_text(said))}"


def _said(event: object) -> str:
    if isinstance(event, Call):
        return f"call {leaf(event.tool)}{_short(json_text(event.arguments))}"
    kind = getattr(event, "kind", "event")
    text = getattr(event, "text", getattr(event, "skill", ""))
    return f"{kind} {_short(text if isinstance(text, str) else ''.join(map(str, text)))}"


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
