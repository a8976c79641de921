"""The definition that training and serving share: a conversation as tokens, both ways, under one Surface.

Where text boundaries are token boundaries: before and after every marker (`<|im_start|>`, `<|im_end|>`,
`<tool_call>`, `<think>`, … where the tokenizer has it as an added token) and between the header of a model
turn and what the model writes. Text between two boundaries is encoded as one piece. Ids that the model
produced are never decoded and encoded again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.node import Node
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import (
    Event,
    Generated,
    HookNote,
    ModelEvent,
    Published,
    Result,
    SkillShown,
    Transcript,
    Truncated,
    User,
)
from harness_dsl.protocol.encoding import Encoded, encode_rendered, with_neutral_values
from harness_dsl.protocol.framed import ending, opening, system_turn, turn
from harness_dsl.protocol.framing import CHATML, Framing
from harness_dsl.protocol.json_text import dump
from harness_dsl.protocol.lifting import Message
from harness_dsl.protocol.markers import MARKERS, RESULT_CLOSE, RESULT_OPEN
from harness_dsl.protocol.source_map import MODEL, USER, Rendered, Writer
from harness_dsl.protocol.stream import TurnStream
from harness_dsl.protocol.tokenizer import Tokenizer
from harness_dsl.protocol.tokens import Draft, Segment, Tokens, runs
from harness_dsl.protocol.transport import lower_view
from harness_dsl.protocol.turn_grammar import turn_grammar
from harness_dsl.protocol.turns import Turns
from harness_dsl.protocol.view import View

Feedback = User | Result | SkillShown | HookNote
_CACHED_PROMPTS = 64


class Protocol:
    """One Core under one Surface in the tokens of one tokenizer. Has no state but caches; safe to share."""

    def __init__(self, core: Core, surface: Surface, tokenizer: Tokenizer, framing: Framing = CHATML) -> None:
        """Raises `ValueError` if the tokenizer lacks a token of the framing."""
        added = tokenizer.added_tokens
        if missing := [text for text in (framing.begin, framing.end) if text not in added]:
            raise ValueError(f"the tokenizer has no token `{missing[0]}`, which {framing.name} framing needs")
        self.core = core
        self.surface = surface
        self.tokenizer = tokenizer
        self.framing = framing
        self.view = View(core, surface)
        self._spelled = tuple(marker for marker in MARKERS if marker not in added)
        self._end = added[framing.end]
        eos = tokenizer.eos_id
        self.stop_ids: tuple[int, ...] = (self._end,) if eos in (None, self._end) else (self._end, eos or 0)
        self._turns = Turns(
            self.view.calls, self.view.mentions, tokenizer, (framing.begin, framing.end), self.stop_ids
        )
        self._prompts: dict[str, tuple[Rendered, Tokens]] = {}
        self._header = self._encoded(opening(framing, "assistant"))
        self._closing = self._encoded(ending(framing))
        after = Writer()
        after.fixed(framing.after)
        self._after = self._encoded(after.rendered())

    def open(self, inputs: Mapping[str, Any]) -> Tokens:
        """The system turn. `inputs` are JSON values by input identifier.

        Raises `ValueError` for a missing one that the prompt names: a prompt must not show a hole.
        """
        return replace(self._prompt(inputs)[1], inputs=dict(inputs))

    def render(self, inputs: Mapping[str, Any]) -> Rendered:
        """The text of `open(inputs)` with the source of every character."""
        return self._prompt(inputs)[0]

    def extend(self, tokens: Tokens, events: Event | Iterable[Event]) -> Tokens:
        """Append events; then the tokens are ready for the model, unless the last shown event is its own.

        Results, skills and hook notes that stand together make one turn; a user event begins a new one,
        which hook notes after it join. So give what the model shall read at once in one call, as `replay`
        does. A `Published` is not shown. Raises `ValueError` for no events: feedback must not vanish.
        """
        sequence = (events,) if isinstance(events, Node) else tuple(events)
        if not sequence:
            raise ValueError("there is nothing to extend the conversation with")
        return self._extend(tokens, sequence, trained=True)

    def encode(self, events: Sequence[ModelEvent]) -> tuple[int, ...]:
        """Model events as ids, with the end token unless the last event is `Truncated`."""
        ids = self._encoded(self._turns.print(events)).ids
        return ids if events and isinstance(events[-1], Truncated) else (*ids, self._end)

    def parse(self, ids: Sequence[int]) -> tuple[ModelEvent, ...]:
        """What the model said; never raises. Output that is no event is `Malformed`."""
        return self._turns.read(ids).events

    def grammar(self) -> str:
        """What a model turn may be, as a structural tag of xgrammar (JSON).

        Raises `ValueError` where the call syntax or the tokenizer admits none.
        """
        return turn_grammar(self.view, self.tokenizer, (self.framing.begin, self.framing.end))

    def stream(self) -> TurnStream:
        """A reader of one model turn that takes its ids in pieces: together it gives what `parse` gives."""
        return TurnStream(self._turns)

    def mask(self, tokens: Tokens) -> list[Segment]:
        """Per id "", or its part of a model turn: "think", "call", "reply" (the last has the end token)."""
        mask: list[Segment] = []
        for span in tokens.spans:
            mask += [span.segment] * (span.end - span.start)
        return mask

    def replay(self, transcript: Transcript) -> Tokens:
        """Open and extend over a whole transcript. Model turns keep their recorded ids, if any."""
        return self._extend(self.open(transcript.inputs), transcript.events, trained=True)

    def messages(self, transcript: Transcript) -> list[Message]:
        """`transcript` as OpenAI-style messages; see `transport`."""
        return lower_view(transcript, self.view)

    def rebase(self, tokens: Tokens, transcript: Transcript) -> Tokens:
        """The conversation so far, opened anew under this protocol: a new segment, which `tokens` counts.

        Model turns are printed under this Surface. The model did not produce these ids: their mask is "".
        """
        opened = replace(self.open(transcript.inputs), segment=tokens.segment + 1)
        return self._extend(opened, transcript.events, trained=False)

    def _extend(self, tokens: Tokens, events: Sequence[Event], *, trained: bool) -> Tokens:
        draft = Draft(tokens)
        waiting: list[Feedback] = []
        for event in events:
            match event:
                case Published():
                    continue
                case Generated():
                    self._feedback(draft, waiting)
                    self._generated(draft, event, trained=trained)
                    waiting = []
                case _:
                    waiting.append(event)
        self._feedback(draft, waiting)
        return draft.finished()

    def _generated(self, draft: Draft, event: Generated, *, trained: bool) -> None:
        if not draft.ready:
            draft.add(*self._header)
        ids = event.ids if event.ids and trained else self.encode(event.events)
        segments: Sequence[Segment] = self._turns.read(ids).segments if trained else [""] * len(ids)
        draft.add(ids, runs((segment, MODEL) for segment in segments))
        draft.add(*(self._after if ids and ids[-1] == self._end else self._closing))

    def _feedback(self, draft: Draft, events: Sequence[Feedback]) -> None:
        if not events:
            return
        if draft.ready:
            draft.add(*self._closing)
        turns: list[list[Feedback]] = []
        for event in events:
            if isinstance(event, User) or not turns:
                turns.append([])
            turns[-1].append(event)
        for content in turns:
            writer = Writer()
            for index, event in enumerate(content):
                writer.fixed("\n" if index else "")
                self._show(writer, event, draft.inputs)
            draft.add(*self._encoded(turn(self.framing, "user", writer.rendered())))
        draft.add(*self._header, ready=True)

    def _show(self, writer: Writer, event: Feedback, inputs: Mapping[str, Any]) -> None:
        match event:
            case User():
                writer.add(event.text, USER, "value")
                return
            case Result():
                shown = self.view.renderer.result(event)
            case SkillShown():
                shown = self.view.renderer.skill(event, inputs)
            case HookNote():
                shown = self.view.renderer.hook(event, inputs)
        writer.marker(RESULT_OPEN)
        writer.fixed("\n")
        writer.extend(shown)
        writer.fixed("\n")
        writer.marker(RESULT_CLOSE)

    def _prompt(self, inputs: Mapping[str, Any]) -> tuple[Rendered, Tokens]:
        """The system turn, rendered and encoded once for equal values of the inputs that the prompt names."""
        named = self.view.renderer.inputs_of_prompt
        if missing := [name for name in named if name not in inputs]:
            raise ValueError(f"the prompt needs the input `{missing[0]}`")
        key = dump({name: inputs[name] for name in named})
        if (known := self._prompts.get(key)) is not None:
            return known
        rendered = system_turn(self.view, self.framing, inputs)
        draft = Draft(Tokens())
        draft.add(*self._encoded(rendered))
        if len(self._prompts) >= _CACHED_PROMPTS:
            self._prompts.clear()
        self._prompts[key] = made = (rendered, draft.finished())
        return made

    def _encoded(self, rendered: Rendered) -> Encoded:
        return encode_rendered(with_neutral_values(rendered, self._spelled), self.tokenizer)
