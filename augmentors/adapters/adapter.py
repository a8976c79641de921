"""A conversation under one Core as the same one under the refactored Core, and back."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from augmentors.adapters.reshaping import AdapterError, Reshaping
from augmentors.footprint import Footprint
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.quick_digest import quick_core_digest
from harness_dsl.ir.transcript import (
    Call,
    Event,
    Generated,
    Mention,
    ModelEvent,
    Prose,
    ReplyText,
    Result,
    Think,
    Transcript,
    User,
)


@dataclass(frozen=True)
class Adapter:
    """`base` is the Core before the first of `steps`, `core` the one after the last."""

    base: Core
    core: Core
    steps: tuple[Reshaping, ...]

    def forward(self, transcript: Transcript) -> Transcript:
        """`transcript`, which is under `base`, under `core`. Token ids, which are those of a Surface, are
        left out. Raises `AdapterError` for a call without a counterpart.
        """
        return _carried(transcript, quick_core_digest(self.core), self.call, self.prose)

    def back(self, transcript: Transcript) -> Transcript:
        """The inverse of `forward`."""
        return _carried(transcript, quick_core_digest(self.base), self.call_back, self.prose_back)

    def carries(self, transcript: Transcript) -> bool:
        """Whether every call of `transcript` has a counterpart, as one that fits its tool always has, and so
        has every symbol that its texts speak of: words in its place would be a name that nothing shows.
        """
        try:
            there = self.forward(transcript)
        except AdapterError:
            return False
        return _mentions(there) == _mentions(transcript)

    def call(self, call: Call) -> Call:
        """`call` of `base` as one of `core`. Raises `AdapterError`."""
        for step in self.steps:
            call = step.call(call)
        return call

    def call_back(self, call: Call) -> Call:
        """`call` of `core` as one of `base`. Raises `AdapterError`."""
        for step in reversed(self.steps):
            call = step.call_back(call)
        return call

    def prose(self, prose: Prose) -> Prose:
        """Free text with mentions of symbols of `base`, with those of `core`."""
        for step in self.steps:
            prose = step.prose(prose)
        return _joined(prose)

    def prose_back(self, prose: Prose) -> Prose:
        """The inverse of `prose`."""
        for step in reversed(self.steps):
            prose = step.prose_back(prose)
        return _joined(prose)

    def tools(self, tool: SemanticId) -> tuple[SemanticId, ...]:
        """The tools of `core` that do what `tool` of `base` does."""
        found: tuple[SemanticId, ...] = (tool,)
        for step in self.steps:
            found = tuple(new for id_ in found for new in step.tools(id_))
        return found

    def footprint(self, footprint: Footprint) -> Footprint:
        """What a task needs of `core` that needs `footprint` of `base`."""
        return Footprint.of(new for id_ in footprint.symbols for new in self.tools(id_))

    def before(self, core: Core) -> Core:
        """`base` with the limits of `core`, which is the refactored Core with some of them moved."""
        return self.base.model_copy(update={"limits": core.limits})


@dataclass
class _Pending:
    """The calls of the latest output that have no result yet: the tool before and after."""

    calls: list[tuple[SemanticId, SemanticId]] = field(default_factory=list)

    def answered(self, tool: SemanticId) -> SemanticId:
        """The tool of the new call that a result of `tool` belongs to: the first that has none."""
        for at, (before, after) in enumerate(self.calls):
            if before == tool:
                del self.calls[at]
                return after
        return tool


def _carried(
    transcript: Transcript, digest: str, call: Callable[[Call], Call], prose: Callable[[Prose], Prose]
) -> Transcript:
    pending = _Pending()

    def model_event(event: ModelEvent) -> ModelEvent:
        match event:
            case Call():
                new = call(event)
                pending.calls.append((event.tool, new.tool))
                return new
            case Think() | ReplyText():
                return event.model_copy(update={"text": prose(event.text)})
            case _:
                return event

    def events() -> Iterator[Event]:
        for event in transcript.events:
            match event:
                case Generated():
                    # A call that was left without a result has none further on.
                    pending.calls.clear()
                    yield Generated(events=tuple(map(model_event, event.events)))
                case Result(tool=str() as tool):
                    yield event.model_copy(update={"tool": pending.answered(tool)})
                case User():
                    pending.calls.clear()
                    yield event
                case _:
                    yield event

    return transcript.model_copy(update={"core_digest": digest, "events": tuple(events())})


def _mentions(transcript: Transcript) -> int:
    """How often the texts of a model speak of symbols."""
    outputs = [event.events for event in transcript.events if isinstance(event, Generated)]
    said = [event.text for events in outputs for event in events if isinstance(event, Think | ReplyText)]
    return sum(isinstance(part, Mention) for prose in said for part in prose)


def _joined(prose: Prose) -> Prose:
    """`prose` with no two literal pieces side by side."""
    joined: list[str | Mention] = []
    for part in prose:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return tuple(joined)
