"""A conversation under ids that were moved: history follows what the new Core says of its past."""

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId, leaf, segment
from harness_dsl.ir.transcript import (
    Call,
    Event,
    Generated,
    HookNote,
    LoadSkill,
    Mention,
    ModelEvent,
    Prose,
    Published,
    ReplyText,
    Result,
    SkillShown,
    Think,
)


class Moves:
    """The moves that `core` declares: an id and all that lies under it."""

    def __init__(self, core: Core) -> None:
        self._moved = {move.old: move.new for move in core.moved}

    def __bool__(self) -> bool:
        return bool(self._moved)

    def id(self, symbol: SemanticId) -> SemanticId:
        """The id of `symbol` today."""
        for end in range(len(symbol), 0, -1):
            if end < len(symbol) and symbol[end] != "/":
                continue
            new = self._moved.get(symbol[:end])
            if new is not None:
                return new + symbol[end:]
        return symbol

    def event(self, event: Event) -> Event:
        """`event` with the ids of today; arguments of calls follow their parameters."""
        match event:
            case Generated():
                return event.model_copy(update={"events": tuple(map(self._model_event, event.events))})
            case Result():
                tool = None if event.tool is None else self.id(event.tool)
                return event.model_copy(update={"tool": tool})
            case SkillShown():
                return event.model_copy(update={"skill": self.id(event.skill)})
            case HookNote():
                return event.model_copy(update={"hook": self.id(event.hook)})
            case Published():
                return event.model_copy(update={"by": None if event.by is None else self.id(event.by)})
            case _:
                return event

    def _model_event(self, event: ModelEvent) -> ModelEvent:
        match event:
            case Call():
                arguments = {
                    leaf(self.id(f"{event.tool}/param/{segment(name)}")): value
                    for name, value in event.arguments.items()
                }
                return Call(tool=self.id(event.tool), arguments=arguments)
            case LoadSkill():
                return LoadSkill(skill=self.id(event.skill))
            case Think() | ReplyText():
                return event.model_copy(update={"text": self._prose(event.text)})
            case _:
                return event

    def _prose(self, prose: Prose) -> Prose:
        return tuple(
            Mention(symbol=self.id(part.symbol)) if isinstance(part, Mention) else part for part in prose
        )
