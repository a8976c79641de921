"""Whatever a tool does, the model gets a result and the room goes on."""

import asyncio
import sys
import threading
import time
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from harness_dsl.ir.core import Core, PythonImplementation
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call, Result
from runtime.project import Project, ProjectError, find_project, load_function, tool_functions
from runtime.tools import RESULT_LIMIT, Ran, Toolbox, ToolFailure, TurnCalls
from runtime.values import NotJson, json_value
from tests.strategies import small_shop

QUOTE = "tool/get_quote"
HOLD = "tool/hold_item"
GOOD = {"amount": 89, "currency": "CNY", "coupon": None}


def shop(**changes: Any) -> Core:
    """The shop with changed fields of `get_quote`."""
    core, _ = small_shop()
    tools = tuple(t.model_copy(update=changes) if t.id == QUOTE else t for t in core.tools)
    return core.model_copy(update={"tools": tools})


def called(
    function: Callable[..., Any],
    run: Callable[..., Any],
    *,
    core: Core | None = None,
    arguments: dict[str, Any] | None = None,
    tool: str = QUOTE,
    surface: Surface | None = None,
    turn: TurnCalls | None = None,
    state: dict[str, Any] | None = None,
) -> Ran:
    core = core or shop()
    toolbox = Toolbox(core, {tool: function})
    call = Call(tool=tool, arguments={"link_id": 3} if arguments is None else arguments)
    naming = Naming(core, surface or Surface())
    ran: Ran = run(toolbox.call(call, state or {"room": {"x": 1}}, naming, turn or TurnCalls()))
    return ran


def test_arguments_and_declared_defaults_reach_the_function(run: Callable[..., Any]) -> None:
    seen: dict[str, Any] = {}

    def quote(link_id: int, quantity: int) -> dict[str, Any]:
        seen.update(link_id=link_id, quantity=quantity)
        return GOOD

    ran = called(quote, run)
    assert seen == {"link_id": 3, "quantity": 1}
    assert ran.result == Result(tool=QUOTE, value=GOOD)


def test_an_async_tool_runs_in_the_loop_and_a_sync_one_in_a_thread(run: Callable[..., Any]) -> None:
    threads = []

    async def beside(link_id: int, quantity: int) -> dict[str, Any]:
        threads.append(threading.current_thread())
        return GOOD

    def apart(link_id: int, quantity: int) -> dict[str, Any]:
        threads.append(threading.current_thread())
        return GOOD

    assert called(beside, run).result.value == GOOD
    assert called(apart, run).result.value == GOOD
    assert threads[0] is threading.main_thread()
    assert threads[1] is not threading.main_thread()


def test_a_keyword_only_parameter_named_like_an_input_gets_it(run: Callable[..., Any]) -> None:
    def quote(link_id: int, quantity: int, *, room: dict[str, Any]) -> dict[str, Any]:
        room["asked"] = link_id
        return GOOD

    state = {"room": {}}
    called(quote, run, state=state)
    assert state == {"room": {"asked": 3}}, "tools work on the session's own state"


@pytest.mark.parametrize(
    ("arguments", "detail"),
    [
        ({}, "parameter `link` is missing"),
        ({"link_id": "3"}, '`link`: expected an integer at least 1, got "3"'),
        ({"link_id": True}, "`link`: expected an integer at least 1, got true"),
        ({"link_id": 0}, "`link`: expected an integer at least 1, got 0"),
        ({"link_id": 3, "colour": "red"}, "unknown parameter `colour`, known: `link`, `quantity`"),
    ],
)
def test_bad_arguments_come_back_in_the_shown_names(
    run: Callable[..., Any], arguments: dict[str, Any], detail: str
) -> None:
    def quote(link_id: int, quantity: int) -> None:
        raise AssertionError("it must not run")

    _, surface = small_shop()
    ran = called(quote, run, arguments=arguments, surface=surface)
    assert ran.result == Result(tool=QUOTE, failure="bad_arguments", detail=detail)
    assert ran.attempts == 0


def fail_declared(link_id: int, quantity: int) -> None:
    raise ToolFailure("not_found", "no link 3")


def fail_undeclared(link_id: int, quantity: int) -> None:
    raise ToolFailure("on_fire")


def crash(link_id: int, quantity: int) -> None:
    raise KeyError("password=hunter2")


def leave(link_id: int, quantity: int) -> None:
    sys.exit(3)


async def leave_async(link_id: int, quantity: int) -> None:
    sys.exit(3)


def return_text(link_id: int, quantity: int) -> str:
    return "89"


def return_nothing(link_id: int, quantity: int) -> None:
    return None


def return_object(link_id: int, quantity: int) -> object:
    return {"amount": object(), "currency": "CNY"}


def return_nan(link_id: int, quantity: int) -> object:
    return {"amount": float("nan"), "currency": "CNY"}


def return_huge(link_id: int, quantity: int) -> object:
    return {"amount": 1, "currency": "CNY", "coupon": "x" * (RESULT_LIMIT + 1)}


def return_endless(link_id: int, quantity: int) -> object:
    endless: list[Any] = []
    endless.append(endless)
    return endless


@pytest.mark.parametrize(
    ("function", "failure", "error"),
    [
        (fail_declared, "not_found", ""),
        (fail_undeclared, "crashed", "undeclared on_fire"),
        (crash, "crashed", "KeyError"),
        (leave, "crashed", "SystemExit"),
        (leave_async, "crashed", "SystemExit"),
        (return_text, "crashed", "not of the declared type"),
        (return_nothing, "crashed", "not of the declared type"),
        (return_object, "crashed", "holds object"),
        (return_nan, "crashed", "holds float"),
        (return_huge, "crashed", "more than"),
        (return_endless, "crashed", "nested deeper"),
    ],
)
def test_every_bad_behaviour_is_a_recorded_failure(
    run: Callable[..., Any], function: Callable[..., Any], failure: str, error: str
) -> None:
    ran = called(function, run)
    assert ran.result.failure == failure
    assert error in ran.error
    assert "hunter2" not in ran.result.detail, "what a crash says stays with the operator"
    assert ran.attempts == 1, "get_quote is not declared idempotent"


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize(("fails", "failure"), [(("timeout",), "timeout"), ((), "crashed")])
def test_a_hanging_tool_times_out(
    run: Callable[..., Any], is_async: bool, fails: tuple[str, ...], failure: str
) -> None:
    release = threading.Event()

    def hang(link_id: int, quantity: int) -> None:
        release.wait(5)

    async def hang_async(link_id: int, quantity: int) -> None:
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            await asyncio.sleep(0.3)

    started = time.perf_counter()

    async def case() -> Ran:
        core = shop(timeout_ms=50, fails=fails)
        toolbox = Toolbox(core, {QUOTE: hang_async if is_async else hang})
        call = Call(tool=QUOTE, arguments={"link_id": 3})
        ran = await toolbox.call(call, {}, Naming(core, Surface()), TurnCalls())
        assert time.perf_counter() - started < 0.3
        return ran

    ran = run(case())
    release.set()
    assert ran.result.failure == failure
    assert "no result within 0.05 s" in ran.error


def test_only_idempotent_tools_are_tried_again(run: Callable[..., Any]) -> None:
    runs = []

    def flaky(link_id: int, quantity: int) -> dict[str, Any]:
        runs.append(link_id)
        if len(runs) == 1:
            raise ConnectionError("reset")
        return GOOD

    assert called(flaky, run, core=shop(idempotent=True)).result.value == GOOD
    assert len(runs) == 2
    runs.clear()
    assert called(flaky, run, core=shop(idempotent=False)).result.failure == "crashed"
    assert len(runs) == 1
    runs.clear()
    assert called(fail_declared, run, core=shop(idempotent=True)).attempts == 1


def test_an_irreversible_call_happens_once_a_turn(run: Callable[..., Any]) -> None:
    held = []

    def hold(link_id: int) -> dict[str, Any]:
        held.append(link_id)
        return {"left": 11}

    turn = TurnCalls()
    results = [called(hold, run, tool=HOLD, turn=turn).result for _ in range(2)]
    other = called(hold, run, tool=HOLD, turn=turn, arguments={"link_id": 5}).result
    assert results[0] == results[1] == other == Result(tool=HOLD, value={"left": 11})
    assert held == [3, 5]
    called(hold, run, tool=HOLD)
    assert held == [3, 5, 3], "another turn may do it again"


def test_an_irreversible_call_that_crashed_is_not_repeated(run: Callable[..., Any]) -> None:
    held = []

    def hold(link_id: int) -> dict[str, Any]:
        held.append(link_id)
        raise ConnectionError("after the order was placed")

    core, _ = small_shop()
    once = tuple(t.model_copy(update={"idempotent": False}) if t.id == HOLD else t for t in core.tools)
    core = core.model_copy(update={"tools": once})
    turn = TurnCalls()
    failures = [called(hold, run, core=core, tool=HOLD, turn=turn).result.failure for _ in range(3)]
    assert failures == ["crashed", "denied", "denied"]
    assert held == [3]


def test_a_function_that_does_not_fit_its_tool_is_refused_before_it_runs() -> None:
    core = shop()
    with pytest.raises(ValueError, match=r"does not take `quantity` of tool/get_quote"):
        Toolbox(core, {QUOTE: lambda link_id: GOOD})
    with pytest.raises(ValueError, match=r"needs `database`, which is neither"):
        Toolbox(core, {QUOTE: lambda link_id, quantity, *, database: GOOD})
    assert QUOTE not in Toolbox(core, {"get_quote": lambda **any_: GOOD}).missing


def test_a_tool_without_a_function_is_a_crashed_result(run: Callable[..., Any]) -> None:
    core = shop()
    toolbox = Toolbox(core, {})
    call = Call(tool=QUOTE, arguments={"link_id": 3})
    ran = run(toolbox.call(call, {}, Naming(core, Surface()), TurnCalls()))
    assert ran.result.failure == "crashed"
    assert QUOTE in toolbox.missing


def test_results_become_json_values() -> None:
    assert json_value({"a": Decimal("89.90"), "b": Decimal("3"), "c": (1, None), "d": date(2026, 1, 2)}) == {
        "a": 89.9,
        "b": 3,
        "c": [1, None],
        "d": "2026-01-02",
    }
    for value in (float("inf"), {1: 2}, {1}, b"x", Decimal("NaN")):
        with pytest.raises(NotJson):
            json_value(value)


def project(tmp_path: Path, settings: str) -> Project:
    (tmp_path / "harness.toml").write_text(settings)
    (tmp_path / "a.harness").write_text("")
    return find_project(tmp_path / "a.harness")


def test_tools_are_imported_from_the_allow_list_only(tmp_path: Path) -> None:
    folder = tmp_path / "listed_project"
    folder.mkdir()
    (folder / "tools.py").write_text("def get_quote(link_id, quantity):\n    return 1\nnumber = 3\n")
    (folder / "other.py").write_text("raise SystemError('imported')\n")
    found = project(tmp_path, '[runtime]\nallow = ["listed_project.tools", "listed_project.missing"]\n')
    implemented = shop(implementation=PythonImplementation(target="listed_project.tools:get_quote"))
    core = implemented.model_copy(update={"tools": tuple(t for t in implemented.tools if t.id == QUOTE)})
    assert tool_functions(core, found)[QUOTE](1, 2) == 1
    with pytest.raises(ProjectError, match=r"may not run: add 'listed_project\.other'"):
        load_function("listed_project.other:get_quote", found)
    with pytest.raises(ProjectError, match="may not run"):
        load_function("os:system", found)
    with pytest.raises(ProjectError, match="has no function 'number'"):
        load_function("listed_project.tools:number", found)
    with pytest.raises(ProjectError, match="cannot be imported"):
        load_function("listed_project.missing:x", found)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("[runtime", "harness.toml"),
        ("[runtime]\nallow = 3", "list of module names"),
        ('[runtime]\npath = ".."', "leaves the project"),
    ],
)
def test_a_bad_project_file_is_one_sentence(tmp_path: Path, settings: str, message: str) -> None:
    with pytest.raises(ProjectError, match=message):
        project(tmp_path, settings)


def test_a_harness_without_a_project_file_allows_nothing(tmp_path: Path) -> None:
    assert find_project(tmp_path / "a.harness").allow == ()
