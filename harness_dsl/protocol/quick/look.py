"""What the messages of a conversation hang on, apart from the names that they print."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from harness_dsl.ir.core import Core, TypeDecl
from harness_dsl.ir.ids import LOAD_SKILL, LOAD_SKILL_PARAM, SemanticId, leaf
from harness_dsl.ir.index import index
from harness_dsl.ir.naming import symbols
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
    Transcript,
)
from harness_dsl.ir.types import EnumType, ListType, MapType, NamedType, NullableType, Type, UnionType
from harness_dsl.protocol.mentions import IDENTIFIER, is_no_ordinary_word

_TICKED = re.compile(r"`([^`\n]+)`")
_RANK: dict[type[ModelEvent], int] = {Think: 0, ReplyText: 1, Call: 2, LoadSkill: 2}


class TooMuch(Exception):
    """More than names and orders decides how a conversation is written."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message. `shown`: the skill or the hook whose text is its content."""

    mentions: tuple[SemanticId, ...] = ()
    lists: tuple[str, ...] = ()
    shown: SkillShown | HookNote | None = None


@dataclass
class Look:
    """A whole conversation.

    turns      one for each message behind the system prompt
    used       tools and skills that must not be hidden
    met        symbols whose names have to be told from those beside them
    mentioned  symbols whose names stand in free text
    words      what free text writes out and could be a name
    """

    turns: list[Turn] = field(default_factory=list)
    used: set[SemanticId] = field(default_factory=set)
    met: set[SemanticId] = field(default_factory=set)
    mentioned: set[SemanticId] = field(default_factory=set)
    words: set[str] = field(default_factory=set)


def looked_at(core: Core, conversation: Transcript) -> Look | None:
    """What the messages of `conversation` hang on; None: on more than that."""
    looking = _Looking(core)
    try:
        for event in conversation.events:
            if not isinstance(event, Published):
                looking.look.turns.append(looking.turn(event))
    except TooMuch:
        return None
    return looking.look


class _Looking:
    def __init__(self, core: Core) -> None:
        self.look = Look()
        self._known = index(core)
        self._symbols = frozenset(symbols(core))
        self._lists: list[str] = []

    def turn(self, event: Event) -> Turn:
        """What the message of `event` hangs on. Raises `TooMuch`."""
        self._lists = []
        match event:
            case Generated(events=events):
                return Turn(self._mentions(events), (*dict.fromkeys(self._lists),))
            case Result():
                self._result(event)
                return Turn(lists=(*dict.fromkeys(self._lists),))
            case SkillShown(skill=skill):
                self._use(skill)
                return Turn(shown=event)
            case HookNote():
                return Turn(shown=event)
            case _:
                return Turn()

    def _mentions(self, events: Iterable[ModelEvent]) -> tuple[SemanticId, ...]:
        found: list[SemanticId] = []
        last = -1
        for event in events:
            rank = _RANK.get(type(event))
            if rank is None or rank < last or (rank == last and rank < 2):
                raise TooMuch
            last = rank
            match event:
                case Think(text=prose) | ReplyText(text=prose):
                    found += self._prose(prose)
                case LoadSkill(skill=skill):
                    self._use(skill)
                    self.look.met |= {LOAD_SKILL, LOAD_SKILL_PARAM}
                case Call():
                    self._call(event)
        return tuple(dict.fromkeys(found))

    def _prose(self, prose: Prose) -> list[SemanticId]:
        found: list[SemanticId] = []
        between = True
        for part in prose:
            if isinstance(part, Mention):
                if not between:
                    raise TooMuch
                found.append(part.symbol)
            else:
                self.look.words.update(_TICKED.findall(part))
                self.look.words.update(filter(is_no_ordinary_word, IDENTIFIER.findall(part)))
            between = not isinstance(part, Mention)
        self.look.mentioned.update(found)
        return found

    def _call(self, event: Call) -> None:
        tool = self._known.tools.get(event.tool)
        if tool is None:
            raise TooMuch
        self._use(tool.id)
        types = {leaf(param.id): param.type for param in tool.params}
        if not event.arguments.keys() <= types.keys():
            raise TooMuch
        self._lists.append(tool.id)
        self.look.met.update(param.id for param in tool.params)
        for name, value in event.arguments.items():
            self._value(value, types[name])

    def _result(self, event: Result) -> None:
        tool = self._known.tools.get(event.tool or "")
        if tool is None:
            raise TooMuch
        if event.failure is None:
            self._value(event.value, tool.returns)

    def _use(self, id_: SemanticId) -> None:
        if id_ not in self._symbols:
            raise TooMuch
        self.look.used.add(id_)
        self.look.met.add(id_)

    def _value(self, value: Any, type_: Type) -> None:
        """Look at a value that fits its type so well that it is read as it is shown, whatever the names."""
        match type_:
            case UnionType():
                raise TooMuch
            case EnumType(members=members):
                if value not in [member.value for member in members]:
                    raise TooMuch
                self.look.met.update(member.id for member in members)
            case ListType(item=item):
                self._all(value, list | tuple, item)
            case MapType(value=item):
                self._all(value.values() if isinstance(value, dict) else None, Iterable, item)
            case NullableType(item=item):
                if value is not None:
                    self._value(value, item)
            case NamedType(type=name):
                self._named(value, self._known.types.get(name))

    def _all(self, values: Any, kind: Any, item: Type) -> None:
        if not isinstance(values, kind):
            raise TooMuch
        for value in values:
            self._value(value, item)

    def _named(self, value: Any, decl: TypeDecl | None) -> None:
        if decl is not None and decl.alias is not None:
            self._value(value, decl.alias)
            return
        types = {leaf(one.id): one.type for one in (decl.fields if decl else None) or ()}
        if decl is None or not isinstance(value, dict) or not value.keys() <= types.keys():
            raise TooMuch
        self._lists.append(decl.id)
        self.look.met.update(one.id for one in decl.fields or ())
        for name, item in value.items():
            self._value(item, types[name])
