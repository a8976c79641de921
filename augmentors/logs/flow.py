"""Whether calls and results of a conversation find each other; results are put in the order of their calls.

A message that carries its event under `harness` was recorded by this tool: it stays where it is.
"""

from dataclasses import dataclass, field

from augmentors.logs.places import Pointer
from augmentors.logs.shapes import Found, Message, Told


@dataclass
class Flow:
    """The messages that `told` has, in order, and what is wrong with how they follow each other."""

    messages: list[Message] = field(default_factory=list)
    places: list[Pointer] = field(default_factory=list)
    wrong: list[Found] = field(default_factory=list)
    _waiting: dict[str, tuple[Pointer, tuple[Message, Pointer] | None]] = field(default_factory=dict)
    _calls: int = 0
    _is_ambiguous: bool = False
    _has_stray: bool = False

    def take(self, message: Message, at: Pointer) -> None:
        """The next message."""
        if message["role"] == "tool" and "event" not in message.get("harness", ()):
            self._result(message, at)
            return
        if message["role"] == "system" and self.messages:
            self.wrong.append(Found("misplaced-system", "a system message stands behind others", at))
            return
        if self._waiting:
            self._answered(is_end=False)
        self._add(message, at)
        for number, call in enumerate(message.get("tool_calls", ())):
            self._call(call, (*at, "tool_calls", number))

    def end(self) -> None:
        """No message follows. A conversation may end with calls that nothing has answered yet."""
        self._answered(is_end=True)

    def _add(self, message: Message, at: Pointer) -> None:
        self.messages.append(message)
        self.places.append(at)

    def _call(self, call: Message, at: Pointer) -> None:
        self._calls += 1
        if not isinstance(call.get("id"), str) or not call["id"]:
            call["id"] = f"call_{self._calls}"
        if call["id"] in self._waiting:
            said = f"two calls have the id `{call['id']}`"
            self.wrong.append(Found("repeated-call-id", said, (*at, "id")))
            self._is_ambiguous = True
            return
        self._waiting[call["id"]] = (at, None)

    def _result(self, message: Message, at: Pointer) -> None:
        given = message.get("tool_call_id")
        if given is None:
            given = next((id_ for id_, (_, result) in self._waiting.items() if result is None), None)
        if given not in self._waiting:
            if self._is_ambiguous:
                return
            self._has_stray = True
            said = "a result stands where no call waits" if given is None else f"no call has the id `{given}`"
            self.wrong.append(Found("result-without-call", said, at))
        elif self._waiting[given][1] is not None:
            if self._is_ambiguous:
                return
            self._has_stray = True
            said = f"the call `{given}` has two results"
            self.wrong.append(Found("result-without-call", said, at))
        else:
            self._waiting[given] = (self._waiting[given][0], ({**message, "tool_call_id": given}, at))

    def _answered(self, is_end: bool) -> None:
        """Puts the results of the last turn behind it, in the order of its calls."""
        for id_, (at, result) in self._waiting.items():
            if result is not None:
                self._add(*result)
            elif not (is_end or self._has_stray):
                self.wrong.append(Found("call-without-result", f"the call `{id_}` has no result", at))
        self._waiting, self._has_stray = {}, False


def flow(told: Told) -> Flow:
    """The messages of `told` with every result behind its call."""
    found = Flow()
    for message, at in zip(told.messages, told.places, strict=True):
        found.take(message, at)
    found.end()
    return found
