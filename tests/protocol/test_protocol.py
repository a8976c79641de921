"""Turns and segments: what is fed back, what is closed, what opens anew."""

import pytest

from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import (
    Call,
    Generated,
    HookNote,
    Published,
    ReplyText,
    Result,
    SkillShown,
    Transcript,
    Truncated,
    User,
)
from harness_dsl.protocol import Framing, Protocol, Tokens, lift
from harness_dsl.protocol.framing import CHATML
from tests.protocol.tokenizers_made_here import all_tokenizers
from tests.strategies import small_shop
from tests.strategies.shop import ROOM

CORE, SURFACE = small_shop()
TOKENIZER = all_tokenizers()["byte_level"]
PROTOCOL = Protocol(CORE, SURFACE, TOKENIZER)
INPUTS = {"room": ROOM}
CALLS = (
    Call(tool="tool/check_stock", arguments={"link_id": 3}),
    Call(tool="tool/check_stock", arguments={"link_id": 5}),
)
RESULTS = (
    Result(tool="tool/check_stock", value={"left": 12}),
    Result(tool="tool/check_stock", value={"left": 0}),
)


def text_after(tokens: Tokens) -> str:
    """What stands behind the system turn."""
    return TOKENIZER.decode(tokens.ids[len(PROTOCOL.open(INPUTS).ids) :])


def test_bug_37_markers_are_kept_when_decoding() -> None:
    tokens = PROTOCOL.extend(PROTOCOL.open(INPUTS), User(text="hi"))
    assert text_after(tokens) == "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n"


def test_bug_39_results_that_stand_together_make_one_turn_with_its_line_feeds() -> None:
    tokens = PROTOCOL.extend(PROTOCOL.open(INPUTS), (User(text="?"), Generated(events=CALLS), *RESULTS))
    assert text_after(tokens) == (
        "<|im_start|>user\n?<|im_end|>\n<|im_start|>assistant\n"
        '<tool_call>\n{"name": "check_stock", "arguments": {"link_id": 3}}\n</tool_call>\n'
        '<tool_call>\n{"name": "check_stock", "arguments": {"link_id": 5}}\n</tool_call><|im_end|>\n'
        "<|im_start|>user\n"
        '<tool_response>\n{"left": 12}\n</tool_response>\n'
        '<tool_response>\n{"left": 0}\n</tool_response><|im_end|>\n<|im_start|>assistant\n'
    )


def test_bug_40_a_whole_conversation_is_its_turns_one_after_the_other() -> None:
    events = (User(text="?"), Generated(events=CALLS), *RESULTS, Generated(events=(ReplyText(text=("12",)),)))
    transcript = Transcript(core_digest="", inputs=INPUTS, events=events)
    tokens = PROTOCOL.open(INPUTS)
    for batch in (events[:1], events[1:2], events[2:4], events[4:]):
        tokens = PROTOCOL.extend(tokens, batch)
    assert PROTOCOL.replay(transcript) == tokens == PROTOCOL.extend(PROTOCOL.open(INPUTS), events)


@pytest.mark.parametrize(
    "event",
    [
        Result(tool="tool/check_stock", value=None),
        Result(tool="tool/check_stock", value=""),
        Result(tool=None, failure="unknown_tool"),
        SkillShown(skill="skill/item_qa"),
        SkillShown(skill="skill/gone"),
        HookNote(hook="hook/price_is_quoted", action="retry"),
        HookNote(hook="hook/gone", action="log"),
        User(text=""),
    ],
)
def test_bug_41_feedback_never_vanishes(event: Result | SkillShown | HookNote | User) -> None:
    tokens = PROTOCOL.open(INPUTS)
    longer = PROTOCOL.extend(tokens, event)
    empty = "<|im_start|>user\n<tool_response>\n\n</tool_response><|im_end|>\n<|im_start|>assistant\n"
    assert longer.ready and len(longer.ids) > len(tokens.ids)
    assert text_after(longer) != empty


def test_bug_41_extending_with_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to extend"):
        PROTOCOL.extend(PROTOCOL.open(INPUTS), ())


def test_what_is_published_is_not_shown() -> None:
    tokens = PROTOCOL.extend(PROTOCOL.open(INPUTS), User(text="?"))
    assert PROTOCOL.extend(tokens, Published(text="好")) == tokens


def test_a_turn_cut_by_length_is_closed_without_being_trained_to_end() -> None:
    tokens = PROTOCOL.extend(PROTOCOL.open(INPUTS), User(text="?"))
    ids = tuple(TOKENIZER.encode("the price"))
    events = PROTOCOL.parse(ids)
    assert events == (ReplyText(text=("the price",)), Truncated())
    longer = PROTOCOL.extend(tokens, Generated(events=events, ids=ids))
    added = PROTOCOL.mask(longer)[len(tokens.ids) :]
    assert added == ["reply"] * len(ids) + [""] * (len(added) - len(ids))
    assert longer.ids[len(tokens.ids) + len(ids)] == PROTOCOL.stop_ids[0]


def test_the_end_token_of_the_tokenizer_ends_a_turn_too() -> None:
    """The ids stay as produced; the framing's own end follows, untrained."""
    eos = TOKENIZER.added_tokens["<|endoftext|>"]
    other = all_tokenizers()["markers_spelled"]
    assert PROTOCOL.stop_ids == (TOKENIZER.added_tokens["<|im_end|>"],)
    assert other.eos_id is not None
    with_eos = Protocol(CORE, SURFACE, _Eos(TOKENIZER, eos))
    assert with_eos.stop_ids == (TOKENIZER.added_tokens["<|im_end|>"], eos)
    ids = (*TOKENIZER.encode("hi"), eos)
    tokens = with_eos.extend(with_eos.open(INPUTS), (User(text="?"), Generated(events=(), ids=ids)))
    assert TOKENIZER.decode(tokens.ids).endswith("hi<|endoftext|><|im_end|>\n")
    assert with_eos.mask(tokens)[-3:-1] == ["reply", ""]


class _Eos:
    """A tokenizer that ends sequences with another token than turns."""

    def __init__(self, inner: object, eos: int) -> None:
        self._inner = inner
        self.eos_id = eos

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)


def test_a_hook_note_before_the_turn_joins_the_user_turn() -> None:
    note = HookNote(hook="hook/price_is_quoted", action="inject")
    tokens = PROTOCOL.extend(PROTOCOL.open(INPUTS), (User(text="?"), note))
    assert text_after(tokens).count("<|im_start|>user") == 1


def test_feedback_to_an_open_model_turn_closes_it() -> None:
    tokens = PROTOCOL.extend(PROTOCOL.open(INPUTS), User(text="a"))
    longer = PROTOCOL.extend(tokens, User(text="b"))
    assert longer.ids[: len(tokens.ids)] == tokens.ids
    assert text_after(longer).count("<|im_start|>") == text_after(longer).count("<|im_end|>") + 1


def test_a_swapped_harness_opens_a_new_segment_under_its_own_names() -> None:
    events = (User(text="?"), Generated(events=CALLS, ids=PROTOCOL.encode(CALLS)), *RESULTS)
    transcript = Transcript(core_digest="", inputs=INPUTS, events=events)
    old = PROTOCOL.replay(transcript)
    swapped = Protocol(CORE, Surface(names={"tool/check_stock": "pieces_left"}), TOKENIZER)
    new = swapped.rebase(old, transcript)
    assert (old.segment, new.segment, swapped.rebase(new, transcript).segment) == (0, 1, 2)
    assert new.ready and not any(swapped.mask(new))
    text = TOKENIZER.decode(new.ids)
    assert "pieces_left" in text and '"check_stock"' not in text


def test_a_harness_without_a_tool_or_skill_that_was_used_still_opens() -> None:
    smaller = CORE.model_copy(update={"tools": CORE.tools[:1], "skills": (), "hooks": ()})
    events = (
        User(text="?"),
        Generated(events=CALLS),
        *RESULTS,
        SkillShown(skill="skill/item_qa"),
        HookNote(hook="hook/price_is_quoted", action="retry"),
    )
    transcript = Transcript(core_digest="", inputs=INPUTS, events=events)
    prompt = CORE.prompt.model_copy(update={"sections": ()})
    other = Protocol(smaller.model_copy(update={"prompt": prompt}), Surface(), TOKENIZER)
    assert "check_stock" in TOKENIZER.decode(other.rebase(Tokens(), transcript).ids)


def test_a_tokenizer_without_the_framing_is_refused_in_a_sentence() -> None:
    framing = Framing("other", "<start>", "<end>", "\n", CHATML.headers)
    with pytest.raises(ValueError, match="no token `<start>`"):
        Protocol(CORE, SURFACE, TOKENIZER, framing)


def test_the_prompt_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    protocol = Protocol(CORE, SURFACE, TOKENIZER)
    first = protocol.open(INPUTS)
    monkeypatch.setattr(type(TOKENIZER), "encode_untrusted", None)
    assert protocol.open({**INPUTS, "danmaku": "something else"}).ids == first.ids


def test_the_cache_of_prompts_is_bounded() -> None:
    protocol = Protocol(CORE, SURFACE, TOKENIZER)
    for number in range(200):
        inputs = {"room": {**ROOM, "shop_name": f"店{number}"}}
        assert f"店{number}." in protocol.render(inputs).text
    assert len(protocol._prompts) <= 64


# Messages of other programs


def test_bug_46_arguments_come_as_text_or_as_an_object() -> None:
    def message(arguments: object) -> dict[str, object]:
        function = {"name": "query_price", "arguments": arguments}
        return {"role": "assistant", "content": None, "tool_calls": [{"id": "x", "function": function}]}

    expected = (Call(tool="tool/get_quote", arguments={"link_id": 3}),)
    for arguments in ('{"link": 3}', {"link": 3}):
        event = lift([message(arguments)], CORE, SURFACE).transcript.events[0]
        assert isinstance(event, Generated) and event.events == expected
    for arguments in ('"{\\"link\\": 3}"', "{", None, [3]):
        event = lift([message(arguments)], CORE, SURFACE).transcript.events[0]
        assert isinstance(event, Generated) and event.events[0].kind == "malformed"


def test_messages_of_any_form_are_taken_as_far_as_they_go() -> None:
    lifted = lift(
        [
            {"role": "developer", "content": "x"},
            {"role": "user", "content": [{"type": "text", "text": "3号"}, {"type": "image_url"}]},
            {"role": "assistant", "content": "<think>\nx\n</think>\n\n用 `get_quote` 查"},
            {"role": "tool", "tool_call_id": "nobody", "content": "89"},
            {"role": "user", "content": 7, "harness": {"event": {"kind": "nonsense"}}},
            {},
        ],
        CORE,
        SURFACE,
    )
    kinds = [event.kind for event in lifted.transcript.events]
    assert kinds == ["user", "generated", "result"]
    assert lifted.report.unresolved == ("get_quote",)
    assert lifted.report.unresolved_share == 1.0
    assert len(lifted.report.notes) == 5
