"""Hooks: each action at each event, in order, and what a hook that fails means."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from harness_dsl.ir.core import Hook, HookAction, HookEvent, PythonImplementation
from harness_dsl.ir.evaluate import Facts
from harness_dsl.ir.expressions import (
    Affix,
    Argument,
    Binary,
    Called,
    Calling,
    Constant,
    Expression,
    Not,
    Reply,
)
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Text
from harness_dsl.ir.transcript import Generated, HookNote, Published, Result, SkillShown
from runtime.hooks import Decision, Hooks

from .shop import PRICE, QUOTE, SKILL, message, outputs_of, quote, reply, results, room, say, shop, tokenizer

ALWAYS = Constant(value=True)
NEVER = Constant(value=False)
BAD = Affix(where="inside", subject=Reply(), text=Constant(value="坏"))


def hook(
    event: HookEvent, action: HookAction, condition: Expression = ALWAYS, name: str = "h", **changes: Any
) -> Hook:
    given = {"message": message(name, f"话{name}"), **changes}
    return Hook(id=f"hook/{name}", event=event, condition=condition, action=action, **given)


def notes(turn: Any) -> list[HookNote]:
    return [event for event in turn.events if isinstance(event, HookNote)]


def test_deny_before_a_reply_publishes_the_message_instead() -> None:
    turn = say(room(shop(hooks=[hook("before_reply", "deny", BAD)]), [reply("坏话")]))
    assert (turn.published, turn.outcome, turn.by) == ("话h", "denied", "hook/h")
    assert turn.events[-1] == Published(text="话h", by="hook/h")
    good = say(room(shop(hooks=[hook("before_reply", "deny", BAD)]), [reply("好话")]))
    assert (good.published, good.outcome) == ("好话", "replied")


def test_deny_before_a_turn_publishes_without_asking_the_model() -> None:
    session = room(shop(hooks=[hook("before_turn", "deny")]), [])
    turn = say(session)
    assert (turn.published, turn.outcome) == ("话h", "denied")
    assert turn.counts.generations == 0


def test_deny_before_a_call_keeps_it_from_happening() -> None:
    ran = []
    condition = Binary(operator="==", left=Argument(name="link_id"), right=Constant(value=3))
    tools = {QUOTE: lambda link_id, quantity: ran.append(link_id) or PRICE}
    core = shop(hooks=[hook("before_call", "deny", condition)])
    session = room(core, [(quote(3), quote(5)), reply("好")], tools=tools)
    turn = say(session)
    assert ran == [5]
    assert [result.failure for result in results(turn)] == ["denied", None]
    assert notes(turn) == [HookNote(hook="hook/h", action="deny")]
    assert "话h" in tokenizer().decode(session.tokens.ids), "the model reads why"
    assert turn.published == "好"


@pytest.mark.parametrize("event", ["before_call", "after_call"])
def test_a_hook_can_guard_one_tool(event: HookEvent) -> None:
    this = Calling(tool=QUOTE)
    guarded = say(room(shop(hooks=[hook(event, "deny", this)]), [(quote(),), reply("好")]))
    assert [result.failure for result in results(guarded)] == ["denied"]
    other = say(room(shop(hooks=[hook(event, "deny", Not(operand=this))]), [(quote(),), reply("好")]))
    assert [result.failure for result in results(other)] == [None]


def test_deny_after_a_call_withholds_its_result() -> None:
    session = room(shop(hooks=[hook("after_call", "deny")]), [(quote(),), reply("好")])
    turn = say(session)
    assert results(turn) == [Result(tool=QUOTE, failure="denied")]
    assert turn.calls[0].result.failure == "denied"
    assert "89" not in tokenizer().decode(session.tokens.ids)


@pytest.mark.parametrize("event", ["before_turn", "before_call", "after_call", "before_reply"])
def test_replace_publishes_the_message_at_every_event(event: HookEvent) -> None:
    ran = []
    tools = {QUOTE: lambda link_id, quantity: ran.append(link_id) or PRICE}
    outputs = [(quote(),), reply("好")]
    session = room(shop(hooks=[hook(event, "replace")]), outputs, tools=tools)
    turn = say(session)
    assert (turn.published, turn.outcome, turn.by) == ("话h", "replaced", "hook/h")
    assert len(ran) == (event in ("after_call", "before_reply"))
    generated = {"before_turn": 0, "before_call": 1, "after_call": 1, "before_reply": 2}
    assert turn.counts.generations == generated[event]


def test_after_a_replaced_reply_the_models_own_ids_stay_and_the_note_is_not_trained_on() -> None:
    session = room(shop(hooks=[hook("before_reply", "replace", BAD)]), [reply("坏话"), reply("好")])
    first = say(session)
    say(session, "然后呢")
    (output,) = outputs_of(first)
    assert output == reply("坏话")
    mask = session.version.protocol.mask(session.tokens)
    produced = [i for i, segment in zip(session.tokens.ids, mask, strict=True) if segment]
    recorded = [i for e in session.transcript.events if isinstance(e, Generated) for i in e.ids]
    assert produced == recorded
    assert "话h" not in tokenizer().decode(produced)


def test_retry_before_a_reply_goes_back_to_the_model_at_most_max_times() -> None:
    core = shop(hooks=[hook("before_reply", "retry", BAD, max=2)])
    turn = say(room(core, [reply("坏一"), reply("坏二"), reply("好")]))
    assert turn.published == "好"
    assert notes(turn) == [HookNote(hook="hook/h", action="retry")] * 2
    turn = say(room(core, [reply("坏一"), reply("坏二"), reply("坏三"), reply("好")]))
    assert (turn.published, turn.outcome, turn.by) == ("", "silenced", "hook/h")
    assert turn.counts.generations == 3


def test_retry_before_a_call_refuses_it_and_at_last_ends_the_turn() -> None:
    ran = []
    tools = {QUOTE: lambda link_id, quantity: ran.append(link_id) or PRICE}
    core = shop(hooks=[hook("before_call", "retry")])
    session = room(core, [(quote(),), (quote(),), reply("好")], tools=tools)
    turn = say(session)
    assert ran == []
    assert (turn.outcome, turn.by) == ("silenced", "hook/h")
    assert [result.failure for result in results(turn)] == ["denied", "denied"]


def test_retry_after_a_call_adds_a_note_and_at_last_ends_the_turn() -> None:
    core = shop(hooks=[hook("after_call", "retry")])
    assert say(room(core, [(quote(),), reply("好")])).published == "好"
    assert say(room(core, [(quote(),), (quote(),), reply("好")])).outcome == "silenced"


@pytest.mark.parametrize("action", ["inject", "retry"])
def test_a_note_before_a_turn_is_read_with_the_viewers_text(action: HookAction) -> None:
    session = room(shop(hooks=[hook("before_turn", action)]), [reply("好")])
    turn = say(session)
    assert turn.events[1] == HookNote(hook="hook/h", action=action)
    prompt = tokenizer().decode(session.engine.prompts[0])  # type: ignore[attr-defined]
    assert "话h" in prompt
    assert turn.published == "好"


def test_inject_around_calls_adds_notes_after_the_results() -> None:
    hooks = [hook("before_call", "inject", name="a"), hook("after_call", "inject", name="b")]
    turn = say(room(shop(hooks=hooks), [(quote(),), reply("好")]))
    assert [type(event) for event in turn.events[2:5]] == [Result, HookNote, HookNote]
    assert [note.hook for note in notes(turn)] == ["hook/a", "hook/b"]


def test_inject_before_a_reply_lets_the_model_go_on_and_then_publishes() -> None:
    core = shop(hooks=[hook("before_reply", "inject")])
    turn = say(room(core, [reply("一"), reply("二")]))
    assert turn.published == "二"
    assert len(notes(turn)) == 1


def test_require_asks_for_a_tool_until_it_was_called() -> None:
    core = shop(hooks=[hook("before_reply", "require", BAD, target=QUOTE)])
    turn = say(room(core, [reply("坏"), (quote(),), reply("坏")]))
    assert turn.published == "坏", "once the tool was called the reply may say it"
    assert say(room(core, [reply("坏"), reply("坏")])).outcome == "silenced"
    assert say(room(core, [reply("好")])).published == "好"


def test_require_asks_for_a_skill_until_it_was_loaded() -> None:
    core = shop(skills=True, hooks=[hook("before_call", "require", target=SKILL.skill)])
    turn = say(room(core, [(quote(),), (SKILL,), (quote(),), reply("好")]))
    assert [result.failure for result in results(turn)] == ["denied", None]
    assert turn.published == "好"


@pytest.mark.parametrize("event", ["before_turn", "before_reply"])
def test_require_is_not_met_by_a_call_that_never_reached_the_tool(event: HookEvent) -> None:
    core = shop(hooks=[hook(event, "require", target=QUOTE)])
    misfit = quote(0)
    turn = say(room(core, [(misfit,), reply("查了"), (quote(),), reply("查了")]))
    assert [result.failure for result in results(turn)] == ["bad_arguments", None]
    assert turn.published == "查了"
    assert say(room(core, [(misfit,), reply("查了"), reply("查了")])).outcome == "silenced"


def test_require_before_a_turn_is_due_before_its_reply() -> None:
    core = shop(hooks=[hook("before_turn", "require", target=QUOTE)])
    turn = say(room(core, [reply("没查"), (quote(),), reply("查了")]))
    assert turn.published == "查了"
    assert len(notes(turn)) == 2
    assert say(room(core, [(quote(),), reply("查了")])).counts.generations == 2
    assert say(room(core, [reply("没查"), reply("没查")])).outcome == "silenced"


@pytest.mark.parametrize("event", ["before_turn", "before_call", "after_call", "before_reply"])
def test_log_records_and_changes_nothing(event: HookEvent) -> None:
    outputs = [(quote(),), reply("好")]
    turn = say(room(shop(hooks=[hook(event, "log")]), outputs))
    plain = say(room(shop(), outputs))
    assert turn.events == plain.events
    assert turn.decisions == (Decision("hook/h", event, "log", True, True),)


def test_hooks_act_in_declared_order_until_one_stops_the_reply() -> None:
    hooks = [
        hook("before_reply", "log", name="z"),
        hook("before_reply", "log", NEVER, name="y"),
        hook("before_reply", "replace", name="x"),
        hook("before_reply", "deny", name="a"),
    ]
    turn = say(room(shop(hooks=hooks), [reply("好")]))
    assert turn.published == "话x"
    assert [(d.hook, d.held, d.taken) for d in turn.decisions] == [
        ("hook/z", True, True),
        ("hook/y", False, False),
        ("hook/x", True, True),
    ]
    turned = say(room(shop(hooks=hooks[::-1]), [reply("好")]))
    assert turned.published == "话a"


def test_a_message_is_shown_in_the_wording_of_the_surface() -> None:
    text = message("h", "旧话").model_copy(update={"alternatives": ((Literally(text="新话"),),)})
    core = shop(hooks=[hook("before_reply", "replace", message=text)])
    surface = Surface(wordings={"hook/h/message": (Literally(text="新话"),)})
    assert say(room(core, [reply("好")], surface=surface)).published == "新话"


def test_a_hook_without_a_message_publishes_silence() -> None:
    turn = say(room(shop(hooks=[hook("before_reply", "deny", message=None)]), [reply("好")]))
    assert (turn.published, turn.outcome) == ("", "denied")


def same_as_python(function: Callable[..., Any], **changes: Any) -> Any:
    """A hook whose equivalent implementation runs, and the room that it runs in."""
    made = hook(
        "before_reply",
        changes.pop("action", "deny"),
        BAD,
        implementations=(PythonImplementation(target="shop.hooks:same"),),
        **changes,
    )
    surface = Surface(implementations={"hook/h": 1})
    outputs = [reply("坏话"), reply("好话")]
    return room(shop(hooks=[made]), outputs, surface=surface, hooks={"hook/h": (function,)})


def test_the_surface_chooses_an_equivalent_implementation() -> None:
    seen: list[Facts] = []

    def same(facts: Facts) -> bool:
        seen.append(facts)
        return "坏" in (facts.reply or "")

    turn = say(same_as_python(same))
    assert turn.outcome == "denied"
    assert turn.decisions[0].implementation == 1
    assert seen[0].reply == "坏话"

    async def same_async(facts: Facts) -> bool:
        return same(facts)

    assert say(same_as_python(same_async)).outcome == "denied"


def raising(facts: Facts) -> bool:
    raise RuntimeError("the list of words is gone")


def leaving(facts: Facts) -> bool:
    raise SystemExit


def wrong(facts: Facts) -> Any:
    return "no"


def missing_argument() -> bool:
    return True


@pytest.mark.parametrize("function", [raising, leaving, wrong, missing_argument])
@pytest.mark.parametrize(("fail", "outcome"), [("open", "replied"), ("closed", "denied")])
def test_a_crashing_hook_fails_open_or_closed_and_is_recorded(
    function: Callable[..., Any], fail: str, outcome: str
) -> None:
    turn = say(same_as_python(function, fail=fail))
    assert turn.outcome == outcome
    assert turn.decisions[0].error
    assert turn.decisions[0].held == (fail == "closed")


@pytest.mark.parametrize(("fail", "outcome"), [("open", "replied"), ("closed", "denied")])
def test_a_hanging_hook_fails_open_or_closed_in_bounded_time(
    fail: str, outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = threading.Event()

    def hang(facts: Facts) -> bool:
        return release.wait(5)

    session = same_as_python(hang, fail=fail)
    monkeypatch.setattr(session.version.hooks, "_timeout_s", 0.05)
    started = time.perf_counter()
    turn = say(session)
    release.set()
    assert turn.outcome == outcome
    assert "no result within" in turn.decisions[0].error
    assert time.perf_counter() - started < 1


def test_a_crashing_retry_hook_is_bounded() -> None:
    session = same_as_python(raising, action="retry", fail="closed")
    assert say(session).outcome == "silenced"


def test_a_crashing_log_hook_blocks_nothing() -> None:
    assert say(same_as_python(raising, action="log", fail="closed")).published == "坏话"


def test_a_missing_implementation_is_refused_before_any_turn() -> None:
    core = shop(hooks=[hook("before_reply", "log")])
    with pytest.raises(ValueError, match="hook/h has no implementation 2"):
        Hooks(core, Surface(implementations={"hook/h": 2}), {"hook/h": (raising,)})


def test_a_hook_sees_calls_skills_inputs_and_limits() -> None:
    seen: list[Facts] = []

    def look(facts: Facts) -> bool:
        seen.append(facts)
        return False

    made = hook("before_reply", "log", implementations=(PythonImplementation(target="shop.hooks:look"),))
    core = shop(hooks=[made], skills=True, limits={"tool_calls": 7})
    surface = Surface(implementations={"hook/h": 1})
    session = room(core, [(SKILL,), (quote(),), reply("好")], surface=surface, hooks={"hook/h": (look,)})
    turn = say(session, "多少钱")
    (facts,) = seen
    assert [(call.tool, call.value) for call in facts.calls] == [(QUOTE, PRICE)]
    assert facts.loaded == {SKILL.skill}
    assert facts.limits["limit/tool_calls"] == 7
    assert facts.inputs["danmaku"] == "多少钱", "an untrusted text that is not given is the viewer's"
    assert facts.inputs["room"]["shop_name"] == "小美的店"
    assert any(isinstance(event, SkillShown) for event in turn.events)


def test_the_shops_own_hook_sends_an_unquoted_price_back() -> None:
    from tests.strategies import small_shop

    core, _ = small_shop()
    core = core.model_copy(update={"hooks": core.hooks[:1]})
    turn = say(room(core, [(SKILL,), reply("亲，89元"), (quote(),), reply("亲，89元")]))
    assert turn.published == "亲，89元"
    assert notes(turn) == [HookNote(hook="hook/price_is_quoted", action="retry")]
    never = Not(operand=Called(tool=QUOTE))
    broken = core.model_copy(
        update={"hooks": (core.hooks[0].model_copy(update={"condition": Not(operand=never)}),)}
    )
    turn = say(room(broken, [(SKILL,), reply("亲，89元"), (quote(),), reply("亲，89元")]))
    assert turn.counts.generations == 2, "the broken twin lets it pass"


def test_an_empty_message_still_reaches_the_model_as_a_note() -> None:
    text = Text(id="hook/h/message", canonical=())
    turn = say(
        room(shop(hooks=[hook("before_reply", "retry", BAD, message=text)]), [reply("坏"), reply("好")])
    )
    assert turn.published == "好"
    assert len(notes(turn)) == 1
