"""Events that a hook met in recorded conversations, as far as their transcripts say.

What tools changed in the inputs is in no transcript: they count as they were when the conversation began.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from harness_dsl.ir.core import Core, Hook
from harness_dsl.ir.facts import CallFact, Facts, limit_values, spoken
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import (
    Call,
    Generated,
    LoadSkill,
    ModelEvent,
    ReplyText,
    Result,
    Transcript,
    User,
)
from runtime.facts import turn_inputs


def recorded(core: Core, hook: Hook, surface: Surface, transcripts: Iterable[Transcript]) -> Iterator[Facts]:
    """The events of `hook` in `transcripts`, in order."""
    for transcript in transcripts:
        yield from _Reading(core, surface, transcript).events(hook.event)


class _Reading:
    """One conversation: the facts of the turn so far, and the calls that wait for their results."""

    def __init__(self, core: Core, surface: Surface, transcript: Transcript) -> None:
        self._core = core
        self._naming = Naming(core, surface)
        self._transcript = transcript
        self._facts = Facts(limits=limit_values(core))
        self._open: list[CallFact] = []

    def events(self, wanted: str) -> Iterator[Facts]:
        given = self._transcript.inputs
        for event in self._transcript.events:
            match event:
                case User():
                    inputs = turn_inputs(self._core, given, given, event.text)
                    self._facts, self._open = Facts(inputs=inputs, limits=self._facts.limits), []
                    if wanted == "before_turn":
                        yield self._facts
                case Generated():
                    for part in event.events:
                        yield from self._of_model(part, wanted)
                case Result(tool=tool) if tool is not None:
                    looked_at = self._answered(event)
                    if looked_at is not None and wanted == "after_call":
                        yield replace(self._facts, call=looked_at)

    def _of_model(self, part: ModelEvent, wanted: str) -> Iterator[Facts]:
        facts = self._facts
        match part:
            case Call():
                call = CallFact(part.tool, part.arguments, returned=False)
                if wanted == "before_call":
                    yield replace(facts, call=call)
                self._open.append(call)
            case LoadSkill():
                self._facts = replace(facts, loaded=facts.loaded | {part.skill})
            case ReplyText() if wanted == "before_reply":
                names = {part: self._naming.name(part) for part in self._mentioned(part)}
                yield replace(facts, reply=spoken(part.text, names))

    def _mentioned(self, part: ReplyText) -> Iterator[str]:
        return (piece.symbol for piece in part.text if not isinstance(piece, str))

    def _answered(self, result: Result) -> CallFact | None:
        """The first call of the tool that waits for its result, which is this one; None: there is none."""
        for call in self._open:
            if call.tool == result.tool:
                self._open.remove(call)
                done = replace(call, value=result.value, failure=result.failure, returned=True)
                self._facts = replace(self._facts, calls=(*self._facts.calls, done))
                return done
        return None
