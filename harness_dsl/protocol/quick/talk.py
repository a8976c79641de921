"""A conversation under many Surfaces: messages whose names are filled in, where that is all that differs.

A message is lowered once for each way in which its lists are ordered and its names are shaped, under names
that nobody gives; these become gaps. What could make another message of other names (a name that two symbols
share, that a text writes out, or that makes a failure of a result) is looked for under each Surface. Then, as
for conversations in which more depends on names, nothing is said here.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.naming import namespaces
from harness_dsl.ir.node import with_changes
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Transcript
from harness_dsl.protocol.mentions import stands_bare
from harness_dsl.protocol.quick.line import Line
from harness_dsl.protocol.quick.look import Look, Turn, looked_at
from harness_dsl.protocol.quick.page import Page, Sheet, page

Message = dict[str, Any]
Lower = Callable[[Surface], list[Message]]
"""The messages of the conversation under a Surface; what the system prompt says does not matter."""

_KEPT = 1_024
_TALKS = 64
_OFTEN = 2
_GAP = re.compile(r"zqx([a-j]{5})_?vkw")
_LETTERS = str.maketrans("0123456789", "abcdefghij")
_DIGITS = str.maketrans("abcdefghij", "0123456789")
_ERROR = "error"
"""A result with this key is read as a failure."""


class Talk:
    """The messages of one conversation, in which the system prompt is left to the page."""

    def __init__(self, page: Page, conversation: Transcript) -> None:
        self._page = page
        look = looked_at(page.core, conversation)
        slots = page.slots
        self.usable = look is not None and look.mentioned <= slots.keys()
        self._look = look or Look()
        if not self.usable:
            return
        turns = [Turn(), *self._look.turns]
        self._turns = [
            Asked(turn.lists, turn.mentions, tuple(slots[id_] for id_ in turn.mentions)) for turn in turns
        ]
        self._said = [page.said(turn) for turn in turns]
        self._unique = [slots[id_] for id_ in self._look.mentioned]
        self._words = [f"\n{word}\n" for word in sorted({*self._look.words, _ERROR})]
        self._spaces = [
            (len(ids), itemgetter(*(slots[id_] for id_ in ids)))
            for ids in namespaces(page.core).values()
            if len(ids) > 1 and not self._look.met.isdisjoint(ids)
        ]
        self._kept: dict[tuple[Any, ...], Any] = {}

    def messages(self, sheet: Sheet, lower: Lower) -> list[Message] | None:
        """All messages, the first without its prompt; None where names have to be looked at."""
        names = sheet.names
        if not self._look.used.isdisjoint(sheet.hidden) or not self._are_apart(names):
            return None
        orders = sheet.surface.orders.get
        keys = [turn.key(at, orders, names) for at, turn in enumerate(self._turns)]
        kept = self._kept
        if any(key not in kept for key in keys):
            self._lowered(keys, sheet.surface, lower)
        messages = [_filled(kept[key], names) for key in keys]
        for message, said in zip(messages, self._said, strict=True):
            if said is not None:
                message["content"] = sheet.text(said)
        return messages

    def _are_apart(self, names: Sequence[str]) -> bool:
        """Whether every name that counts here is that of one symbol, and no text writes one out."""
        if any(len({*pick(names)}) < count for count, pick in self._spaces):
            return False
        joined = "\n" + "\n\n".join(names) + "\n"
        return not any(word in joined for word in self._words) and all(
            joined.count(f"\n{names[slot]}\n") == 1 for slot in self._unique
        )

    def _lowered(self, keys: list[tuple[Any, ...]], surface: Surface, lower: Lower) -> None:
        """Take what `lower` writes under names of the same shapes that nobody gives."""
        bare = dict.fromkeys(self._page.slots, False)
        for key, turn in zip(keys, self._turns, strict=True):
            bare |= dict(zip(turn.mentions, key[1], strict=True))
        given = {
            id_: _gap(slot, bare[id_]) for id_, slot in self._page.slots.items() if id_ in self._page.named
        }
        if len(self._kept) > _KEPT:
            self._kept.clear()
        for key, message in zip(keys, lower(with_changes(surface, names=given)), strict=True):
            self._kept[key] = _gapped(message)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the shape of one message hangs on: orders of lists, and whether names stand without backticks."""

    lists: tuple[str, ...]
    mentions: tuple[SemanticId, ...]
    slots: tuple[int, ...]

    def key(self, at: int, orders: Callable[[str], Any], names: Sequence[str]) -> tuple[Any, ...]:
        if not self.mentions:
            return (at, (), *map(orders, self.lists))
        bare = map(stands_bare, self.mentions, [names[slot] for slot in self.slots])
        return (at, (*bare,), *map(orders, self.lists))


def _gap(slot: int, bare: bool) -> str:
    return f"zqx{f'{slot:05d}'.translate(_LETTERS)}{'_' if bare else ''}vkw"


def _gapped(value: Any) -> Any:
    """JSON data with each text that has gaps as a line."""
    if isinstance(value, str):
        literals = _GAP.split(value)
        if len(literals) == 1:
            return value
        slots = [int(letters.translate(_DIGITS)) for letters in literals[1::2]]
        return Line("%s".join(text.replace("%", "%%") for text in literals[::2]), itemgetter(*slots))
    if isinstance(value, dict):
        return {key: _gapped(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_gapped(item) for item in value]
    return value


def _filled(value: Any, names: Sequence[str]) -> Any:
    """The inverse of `_gapped`, with these names; lists and objects are new ones."""
    kind = type(value)
    if kind is Line:
        return value.filled(names)
    if kind is dict:
        return {key: item if type(item) is str else _filled(item, names) for key, item in value.items()}
    if kind is list:
        return [_filled(item, names) for item in value]
    return value


class _Talks:
    """The talks of conversations that are shown again and again, by identity."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int], tuple[Any, Talk]] = OrderedDict()
        self._seen: OrderedDict[tuple[int, int], tuple[Any, int]] = OrderedDict()

    def known(self, core: Core, conversation: Transcript) -> Talk | None:
        """The talk of a conversation; None for one that was not shown before, or cannot be told so."""
        on = page(core)
        key = (id(on), id(conversation))
        found = self._kept.get(key)
        if found is not None:
            return found[1] if found[1].usable else None
        _, times = self._seen.pop(key, (None, 0))
        if times < _OFTEN:
            # What is shown once costs more to read than to lower.
            self._seen[key] = ((on, conversation), times + 1)
            if len(self._seen) > _KEPT:
                self._seen.popitem(last=False)
            return None
        talk = Talk(on, conversation)
        self._kept[key] = ((on, conversation), talk)
        if len(self._kept) > _TALKS:
            self._kept.popitem(last=False)
        return talk if talk.usable else None


talks = _Talks()
