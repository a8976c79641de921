"""Planned faults: tools meet them where they are planned, and what the model reads is what is computed."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness_dsl.ir import fault_results
from harness_dsl.ir.core import Core, Tool
from harness_dsl.ir.fault_plan import (
    KINDS,
    LASTING,
    Fault,
    FaultPlan,
    applicable,
    drifting_fields,
    plan_problems,
    tried_again,
)
from harness_dsl.ir.fault_results import CRASHED, asked, seen
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call, Result
from runtime.faults import Faults
from runtime.testing.samples import sample
from runtime.tools import Toolbox, TurnCalls
from tests.strategies import cores, small_shop

few = settings(max_examples=max(8, settings().max_examples // 4))


def a_call(tool: Tool, core: Core) -> Call:
    arguments = {leaf(param.id): sample(param.type, core) for param in tool.params if param.required}
    return Call(tool=tool.id, arguments=arguments)


def functions(core: Core) -> dict[str, Callable[..., Any]]:
    """Every tool gives a value of its type, another one for each call where the type has room for it."""

    def function(tool: Tool) -> Callable[..., Any]:
        return lambda **arguments: sample(tool.returns, core)

    return {tool.id: function(tool) for tool in core.tools}


def results(core: Core, tool: Tool, plan: FaultPlan | None, calls: int) -> list[Result]:
    toolbox, naming = Toolbox(core, functions(core)), Naming(core, Surface())
    faults = None if plan is None else Faults(plan)

    async def run() -> list[Result]:
        return [
            (await toolbox.call(a_call(tool, core), {}, naming, TurnCalls(), faults=faults)).result
            for _ in range(calls)
        ]

    return asyncio.run(run())


def a_fault(core: Core, tool: Tool, kind: Any, call: int, attempts: Any) -> Fault:
    again = kind not in LASTING and tried_again(tool, kind)
    return Fault(
        tool=tool.id,
        call=max(call, 2) if kind == "stale" else call,
        kind=kind,
        attempts=attempts if again else 1,
        field=drifting_fields(core, tool)[0] if kind == "schema_drift" else None,
    )


@few
@given(data=st.data())
def test_what_the_loop_answers_is_what_is_computed(data: st.DataObject) -> None:
    core = data.draw(cores())
    if not core.tools:
        return
    tool = data.draw(st.sampled_from(core.tools)).model_copy(update={"effect": "read"})
    tool = tool.model_copy(update={"idempotent": data.draw(st.booleans())})
    core = core.model_copy(update={"tools": tuple(tool if t.id == tool.id else t for t in core.tools)})
    kind = data.draw(st.sampled_from(applicable(core, tool)))
    fault = a_fault(core, tool, kind, data.draw(st.integers(1, 3)), data.draw(st.sampled_from([1, 2])))
    plan = FaultPlan(faults=(fault,))
    assert list(plan_problems(core, plan)) == []
    assert FaultPlan.model_validate_json(plan.model_dump_json()) == plan
    true = results(core, tool, None, 4)
    met = [number >= fault.call if kind in LASTING else number == fault.call for number in range(1, 5)]
    previous = None
    expected = []
    for one, meets in zip(true, met, strict=True):
        expected.append(seen(core, tool, fault, one, previous) if meets else one)
        previous = one.value if fault_results.failed(tool, kind) is None or not meets else previous
    assert results(core, tool, plan, 4) == expected


def shop_tool(idempotent: bool, fails: tuple[str, ...] = ()) -> tuple[Core, Tool]:
    core, _ = small_shop()
    tool = next(tool for tool in core.tools if tool.id == "tool/get_quote")
    tool = tool.model_copy(update={"idempotent": idempotent, "fails": fails})
    return core.model_copy(update={"tools": (tool,)}), tool


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_shows_as_a_failure_or_another_value(kind: Any) -> None:
    core, tool = shop_tool(idempotent=False)
    plan = FaultPlan(faults=(a_fault(core, tool, kind, 1, 1),))
    first, second, third = results(core, tool, plan, 3)
    if kind == "stale":
        assert (first, second) == (third, third)
        return
    assert (first.failure, first.detail) == ("crashed", "it took too long" if kind == "timeout" else CRASHED)
    assert (second.failure is None) == (kind not in LASTING)


def test_only_what_an_equal_call_gave_is_ever_stale() -> None:
    core, tool = shop_tool(idempotent=False)
    faults = Faults(FaultPlan(faults=tuple(Fault(tool=tool.id, call=at, kind="stale") for at in (2, 3))))
    came = []
    for link, value in ((27, "a"), (26, "b"), (27.0, "c")):
        meeting = faults.next(tool, {"link_id": link})
        came.append(faults.arriving(core, tool, meeting, value))
    assert came == ["a", "b", "a"]


def test_of_equal_calls_side_by_side_the_later_one_is_remembered() -> None:
    core, tool = shop_tool(idempotent=False)
    faults = Faults(FaultPlan(faults=(Fault(tool=tool.id, call=3, kind="stale"),)))
    first, second = faults.next(tool, {}), faults.next(tool, {})
    faults.remember(second, "later")
    faults.remember(first, "earlier")
    assert faults.arriving(core, tool, faults.next(tool, {}), "fresh") == "later"


def test_what_is_left_out_is_asked_as_its_default() -> None:
    _, tool = shop_tool(idempotent=True)
    param = next(param for param in tool.params if param.has_default)
    given_ = {leaf(param.id): param.default}
    assert asked(tool, {}) == asked(tool, given_) != asked(tool, {leaf(param.id): "another"})


def test_a_declared_failure_is_what_a_refusal_shows_as() -> None:
    core, tool = shop_tool(idempotent=True, fails=("too_many_requests",))
    plan = FaultPlan(faults=(Fault(tool=tool.id, call=1, kind="rate_limited"),))
    first, second = results(core, tool, plan, 2)
    assert (first.failure, first.detail) == ("too_many_requests", "429 Too Many Requests")
    assert second.failure is None


def test_the_loop_makes_good_for_the_first_attempt_of_an_idempotent_tool() -> None:
    core, tool = shop_tool(idempotent=True)
    for attempts, failure in ((1, None), (2, "crashed")):
        plan = FaultPlan(faults=(Fault(tool=tool.id, call=1, kind="timeout", attempts=attempts),))
        assert [one.failure for one in results(core, tool, plan, 2)] == [failure, None]


WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({"tool": "tool/none", "kind": "timeout"}, "`tool/none` is no tool"),
    ({"kind": "schema_drift"}, "needs a field"),
    ({"kind": "timeout", "field": "amount"}, "has no field"),
    ({"kind": "schema_drift", "field": "colour"}, "is no field that every result"),
    ({"kind": "timeout", "attempts": 2}, "not tried again"),
    ({"kind": "forbidden", "attempts": 2}, "not tried again"),
    ({"kind": "stale"}, "nothing that could be stale"),
)


@pytest.mark.parametrize(("fields", "said"), WRONG)
def test_a_plan_that_cannot_be_carried_out_is_told(fields: dict[str, Any], said: str) -> None:
    core, tool = shop_tool(idempotent=False)
    fault = Fault(**{"tool": tool.id, "call": 1, **fields})
    assert any(said in problem for problem in plan_problems(core, FaultPlan(faults=(fault,))))


def test_a_plan_is_sorted_and_nothing_follows_what_lasts() -> None:
    core, tool = shop_tool(idempotent=False)
    one = Fault(tool=tool.id, call=2, kind="timeout")
    other = Fault(tool=tool.id, call=1, kind="forbidden")
    assert "its faults are not sorted by tool and call" in [
        *plan_problems(core, FaultPlan(faults=(one, other)))
    ]
    lasting = [*plan_problems(core, FaultPlan.of((one, other)))]
    assert lasting == ["a `forbidden` of `tool/get_quote` lasts, and another fault follows"]


def test_text_is_no_garbled_text_and_what_has_an_effect_is_never_stale() -> None:
    core, _ = small_shop()
    by_id = {tool.id: tool for tool in core.tools}
    assert "stale" not in applicable(core, by_id["tool/hold_item"])
    texts = [tool for tool in core.tools if tool.returns.kind in ("string", "any")]
    assert all("malformed" not in applicable(core, tool) for tool in texts)


@pytest.mark.parametrize("broken", ["distorted", "failed"])
def test_the_law_catches_a_broken_twin(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A computation that forgets a fault differs from what the loop does."""
    core, tool = shop_tool(idempotent=False)
    kind = "malformed" if broken == "distorted" else "timeout"
    fault = Fault(tool=tool.id, call=1, kind=kind)
    true = results(core, tool, None, 1)[0]
    real = results(core, tool, FaultPlan(faults=(fault,)), 1)[0]
    assert seen(core, tool, fault, true, None) == real
    forgets = {"distorted": lambda *args: args[3], "failed": lambda *args: None}[broken]
    monkeypatch.setattr(fault_results, broken, forgets)
    assert seen(core, tool, fault, true, None) != real
