"""Rows whose conversation meets faults, or whose Core changed: what they show is what the loop does."""

from functools import cache
from pathlib import Path
from random import Random

import pytest

from augmentors.faulted import under_faults
from augmentors.policy import Policy
from augmentors.rightness import is_right_under
from augmentors.rows import drawn
from harness_dsl.cli.main import main
from harness_dsl.ir.core import Choice, Hook
from harness_dsl.ir.expressions import Calling
from harness_dsl.ir.fault_plan import (
    KINDS,
    LASTING,
    Fault,
    FaultPlan,
    applicable,
    drifting_fields,
    tried_again,
)
from harness_dsl.ir.index import index
from harness_dsl.ir.transcript import Call, Generated, Published, Result, Transcript
from runtime.byte_tokenizer import byte_tokenizer
from runtime.load import Loaded
from runtime.replay import play
from runtime.version import Versions
from tests.runtime.recorded import EXAMPLES, example, recipe, recorded, written_to

SHOP = "live_shop/shop.harness"
NAMES = (SHOP, "bank_desk/desk.harness", "course_tutor/tutor.harness")


@cache
def versions(name: str) -> Versions:
    harness = example(name)
    return Versions(byte_tokenizer(), harness.tools, harness.hooks, token_limits=False, patience=10)


def called(conversation: Transcript) -> list[str]:
    outputs = (event for event in conversation.events if isinstance(event, Generated))
    return [event.tool for output in outputs for event in output.events if isinstance(event, Call)]


def a_plan(harness: Loaded, tools: list[str], rng: Random) -> FaultPlan:
    """One fault of one call that is made."""
    tool = index(harness.core).tools[rng.choice(tools)]
    kind = rng.choice(applicable(harness.core, tool))
    again = kind not in LASTING and tried_again(tool, kind)
    fault = Fault(
        tool=tool.id,
        call=max(rng.randint(1, tools.count(tool.id)), 2 if kind == "stale" else 1),
        kind=kind,
        attempts=rng.choice([1, 2]) if again else 1,
        field=drifting_fields(harness.core, tool)[0] if kind == "schema_drift" else None,
    )
    return FaultPlan(faults=(fault,))


@pytest.mark.parametrize("name", NAMES)
def test_a_computed_conversation_is_what_the_loop_does_under_the_plan(name: str) -> None:
    harness, rng, ways = example(name), Random(name), 0
    for conversation in recorded(name):
        tools = called(conversation)
        for _ in range(1 if tools else 0):
            plan = a_plan(harness, tools, rng)
            changed = under_faults(harness.core, conversation, plan)
            if changed is None:
                continue
            ways += changed != conversation
            played = play(versions(name), harness.core, harness.surface, changed, plan)
            assert played.events == changed.events, plan
            before = play(versions(name), harness.core, harness.surface, conversation)
            assert played.state == before.state
    assert ways > 1


def quote() -> Transcript:
    return next(one for one in recorded(SHOP) if called(one) == ["tool/get_quote"])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "stale"])
def test_only_what_asking_once_more_mends_is_shown(kind: str) -> None:
    core = example(SHOP).core
    field = "amount" if kind == "schema_drift" else None
    attempts = 2 if kind in ("rate_limited", "unavailable", "timeout") else 1
    plan = FaultPlan(
        faults=(Fault(tool="tool/get_quote", call=1, kind=kind, attempts=attempts, field=field),)  # type: ignore[arg-type]
    )
    changed = under_faults(core, quote(), plan)
    assert (changed is None) == (kind in LASTING)
    if changed is not None:
        results = [event for event in changed.events if isinstance(event, Result)]
        assert [one.failure for one in results] == ["timeout" if kind == "timeout" else "crashed", None]
        assert called(changed) == ["tool/get_quote"] * 2


def test_a_second_call_that_would_be_over_a_limit_is_no_way_out() -> None:
    core = example(SHOP).core
    limits = tuple(
        limit.model_copy(update={"value": 1}) if limit.id == "limit/tool_calls" else limit
        for limit in core.limits
    )
    plan = FaultPlan(faults=(Fault(tool="tool/get_quote", call=1, kind="malformed"),))
    assert under_faults(core, quote(), plan) is not None
    assert under_faults(core.model_copy(update={"limits": limits}), quote(), plan) is None


def test_a_hook_that_would_act_in_between_is_no_way_out() -> None:
    core = example(SHOP).core
    hook = Hook(
        id="hook/once", event="before_call", condition=Calling(tool="tool/get_quote"), action="inject"
    )
    plan = FaultPlan(faults=(Fault(tool="tool/get_quote", call=1, kind="malformed"),))
    assert under_faults(core.model_copy(update={"hooks": (*core.hooks, hook)}), quote(), plan) is None


def test_what_must_not_be_called_twice_is_not() -> None:
    core = example(SHOP).core
    for tool in ("tool/hold_item", "tool/apply_coupon"):
        conversation = next(one for one in recorded(SHOP) if tool in called(one))
        plan = FaultPlan(faults=(Fault(tool=tool, call=1, kind="malformed"),))
        assert under_faults(core, conversation, plan) is None


def test_a_repeat_of_what_must_not_be_called_twice_is_not_computed() -> None:
    core = example(SHOP).core
    tool = "tool/hold_item"
    assert index(core).tools[tool].effect == "irreversible"
    conversation = next(one for one in recorded(SHOP) if tool in called(one))
    assert called(conversation).count(tool) == 1
    plan = FaultPlan(faults=(Fault(tool="tool/get_quote", call=9, kind="malformed"),))
    assert under_faults(core, conversation, plan) is not None
    at = max(
        number
        for number, one in enumerate(conversation.events)
        if isinstance(one, Result) and one.tool == tool
    )
    again = conversation.events[at - 1 : at + 1]
    events = (*conversation.events[: at + 1], *again, *conversation.events[at + 1 :])
    assert under_faults(core, conversation.model_copy(update={"events": events}), plan) is None


FAULTS = Policy.of({"rename": {"probability": 0.5}, "faults": {"latest": 2, "share": 0.5}})
LIMITS = Policy.of({"limits": {"share": 0.2}})


@pytest.mark.parametrize(("policy", "least"), [(FAULTS, 4), (LIMITS, 2)], ids=["faults", "limits"])
def test_rows_with_changes_hold_and_replay(
    policy: Policy, least: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = recipe(SHOP, policy, with_messages=True)
    path, count = written_to(tmp_path, rows, range(14))
    told = tmp_path / "talks.jsonl"
    told.write_text("".join(one.model_dump_json() + "\n" for one in recorded(SHOP)), "utf-8")
    command = ["verify", str(path), "--harness", str(EXAMPLES / SHOP), "--replay", "--reproduce"]
    assert main([*command, "--transcripts", str(told)]) == 0, capsys.readouterr().out
    certificates = [drawn(rows, row).certificate for row in range(count)]
    assert sum(bool(one.faults or one.limits) for one in certificates) >= least


def test_a_limit_does_not_move_below_what_the_conversation_of_the_row_needs() -> None:
    core = example(SHOP).core
    for chars, right in ((30, True), (3, False)):
        limits = tuple(
            limit.model_copy(update={"value": chars}) if limit.id == "limit/reply_chars" else limit
            for limit in core.limits
        )
        assert is_right_under(core, core.model_copy(update={"limits": limits}), quote()) == right


def test_a_limit_that_a_hook_has_published_does_not_move() -> None:
    """What went out would be worded otherwise."""
    name = "bank_desk/desk.harness"
    core, told = example(name).core, []
    for conversation in recorded(name):
        for limit in core.limits:
            if isinstance(limit.legal, Choice):
                other = next(word for word in limit.legal.values if word != limit.value)
                limits = tuple(
                    one.model_copy(update={"value": other}) if one is limit else one for one in core.limits
                )
                new = core.model_copy(update={"limits": limits})
                by_hook = any(isinstance(e, Published) and e.by for e in conversation.events)
                told.append((by_hook, is_right_under(core, new, conversation)))
    assert (True, False) in told


def test_another_opener_makes_every_recorded_reply_wrong() -> None:
    core = example(SHOP).core
    limits = tuple(
        limit.model_copy(update={"value": "宝子"}) if limit.id == "limit/opener" else limit
        for limit in core.limits
    )
    assert not is_right_under(core, core.model_copy(update={"limits": limits}), quote())
