"""Odd values stop no room, and nobody changes what a transcript, a Core or another attempt holds."""

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.responses import JSONResponse

from harness_dsl.ir.core import Core, Hook, Input, Param, PythonImplementation
from harness_dsl.ir.expressions import Constant
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call, Generated, User
from harness_dsl.ir.types import AnyType, IntType, ListType, StringType
from runtime.loop import Versions, swap
from runtime.report import room_report, turn_report
from runtime.rooms import Rooms
from runtime.session import open_session
from runtime.tools import ToolFailure, TurnCalls
from tests.strategies.shop import ROOM

from .shop import QUOTE, STOCK, plain_tools, quote, reply, results, room, say, shop, tokenizer
from .test_tools import HOLD, called

HUGE = 10**25


def with_param(tool: str, param: Param, **changes: Any) -> Core:
    """The shop whose `tool` takes `param` alone."""
    core = shop()
    tools = tuple(
        t.model_copy(update={"params": (param,), "returns": AnyType(), **changes}) if t.id == tool else t
        for t in core.tools
    )
    return core.model_copy(update={"tools": tools})


def test_an_integer_that_canonical_json_has_not_reaches_the_tool() -> None:
    seen: list[int] = []
    core = with_param(QUOTE, Param(id=f"{QUOTE}/param/link_id", type=IntType()), effect="irreversible")
    tools = {**plain_tools(), QUOTE: lambda link_id: seen.append(link_id)}
    turn = say(room(core, [(quote(HUGE), quote(HUGE), quote(HUGE + 1)), reply("好")], tools=tools))
    assert turn.outcome == "replied"
    assert seen == [HUGE, HUGE + 1]


def test_an_irreversible_call_is_the_same_with_its_defaults_spelled_out(run: Callable[..., Any]) -> None:
    kind = Param(id=f"{HOLD}/param/kind", type=AnyType(), has_default=True, default={"days": 1, "by": "hand"})
    core = with_param(HOLD, kind, effect="irreversible")
    held: list[Any] = []
    turn = TurnCalls()
    same = ({}, {"kind": {"by": "hand", "days": 1}}, {"kind": {"by": "hand", "days": 1.0}})
    for arguments in (*same, {"kind": {"by": "hand", "days": True}}):
        called(lambda kind: held.append(kind), run, core=core, tool=HOLD, turn=turn, arguments=arguments)
    assert held == [{"days": 1, "by": "hand"}, {"by": "hand", "days": True}]


def test_a_tool_changes_neither_the_transcript_nor_the_core_nor_the_next_attempt() -> None:
    links = Param(id=f"{QUOTE}/param/links", type=ListType(item=IntType()), has_default=True, default=[1, 2])
    core = with_param(QUOTE, links, idempotent=True, effect="write")
    seen: list[list[int]] = []

    def emptying(links: list[int]) -> int:
        seen.append(list(links))
        links.clear()
        if len(seen) == 1:
            raise ConnectionError("reset")
        return 1

    asked = (Call(tool=QUOTE, arguments={"links": [7]}), Call(tool=QUOTE, arguments={}))
    session = room(core, [asked, reply("好")], tools={**plain_tools(), QUOTE: emptying})
    say(session)
    assert seen == [[7], [7], [1, 2]]
    assert links.default == [1, 2]
    output = next(event for event in session.transcript.events if isinstance(event, Generated))
    assert output.events == asked == (Call(tool=QUOTE, arguments={"links": [7]}), asked[1])


def test_a_hook_changes_nothing_that_it_looks_at() -> None:
    def meddling(facts: Any) -> bool:
        facts.call.arguments["link_id"] = 99
        facts.inputs["room"].clear()
        return False

    hook = Hook(
        id="hook/h",
        event="before_call",
        condition=Constant(value=False),
        action="deny",
        implementations=(PythonImplementation(target="shop.hooks:h"),),
    )
    seen: list[int] = []
    tools = {**plain_tools(), STOCK: lambda link_id: seen.append(link_id) or {"left": 1}}
    asked = (Call(tool=STOCK, arguments={"link_id": 3}),)
    session = room(
        shop(hooks=[hook]),
        [asked, reply("好")],
        surface=Surface(implementations={"hook/h": 1}),
        tools=tools,
        hooks={"hook/h": (meddling,)},
    )
    turn = say(session)
    assert (turn.outcome, seen) == ("replied", [3])
    assert turn.calls[0].call.arguments == {"link_id": 3}
    assert session.state["room"] == ROOM


def test_half_a_surrogate_pair_of_a_viewer_or_a_tool_spoils_no_report() -> None:
    def fails(link_id: int) -> None:
        raise ToolFailure("not_found", "a\ud800")

    core = with_param(STOCK, Param(id=f"{STOCK}/param/link_id", type=IntType()), fails=("not_found",))
    tools = {**plain_tools(), STOCK: fails, QUOTE: lambda link_id, quantity: {"\udfff": "b\ud800"}}
    tools_of_any = tuple(
        t.model_copy(update={"returns": AnyType()}) if t.id == QUOTE else t for t in core.tools
    )
    core = core.model_copy(update={"tools": tools_of_any})
    asked = (quote(3), Call(tool=STOCK, arguments={"link_id": 3}))
    session = room(core, [asked, reply("好")], tools=tools)
    turn = say(session, "3号\ud800链接")
    assert turn.events[0] == User(text="3号\ufffd链接")
    assert [result.value or result.detail for result in results(turn)] == [{"\ufffd": "b\ufffd"}, "a\ufffd"]
    assert JSONResponse(room_report(session)).body and JSONResponse(turn_report(turn)).body
    assert session.transcript.model_dump_json()


def without_viewer_text() -> Core:
    core = shop()
    return core.model_copy(update={"inputs": tuple(node for node in core.inputs if not node.untrusted)})


def test_a_harness_without_the_viewers_text_as_input_can_be_swapped_in_and_out() -> None:
    session = room(shop(), [reply("一"), reply("二"), reply("三")])
    say(session)
    assert session.transcript.inputs == {"room": ROOM, "danmaku": ""}
    swap(session, without_viewer_text(), Surface())
    assert say(session).outcome == "replied"
    assert session.transcript.inputs == {"room": ROOM}
    swap(session, shop(), Surface())
    assert say(session, "还有吗").outcome == "replied"
    assert session.transcript.inputs == {"room": ROOM, "danmaku": ""}


def test_activation_reaches_every_room_whatever_it_was_opened_under() -> None:
    first, second = shop(), without_viewer_text()
    more = Input(id="input/nick", type=StringType(), untrusted=True)
    third = second.model_copy(update={"inputs": (more, *second.inputs)})
    versions = Versions(tokenizer(), plain_tools())

    async def talk() -> list[str]:
        engine = room(first, [reply("好")] * 9).engine
        rooms = Rooms(versions, engine, first, Surface(), {"room": ROOM})
        outcomes = []
        for number, core in enumerate((first, second, third)):
            rooms.activate(core, Surface())
            for name in [f"room{place}" for place in range(number + 1)]:
                outcomes.append((await rooms.say(name, "在吗")).outcome)
        return outcomes

    assert asyncio.run(talk()) == ["replied"] * 6


def test_what_the_caller_does_to_the_inputs_later_does_not_reach_the_room() -> None:
    session = room(shop(), [reply("好")])
    given = {"room": {**ROOM}}
    opened = open_session(session.versions, session.engine, shop(), Surface(), given)
    given["room"].clear()
    assert opened.transcript.inputs["room"] == ROOM
