"""The service over HTTP: replies, limits, errors as JSON, rooms apart, and swaps while it runs."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from harness_dsl.ir.canonical import core_digest, surface_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from runtime.engines.scripted import ScriptedEngine
from runtime.rooms import Rooms
from runtime.server import HARNESS_BYTES, MESSAGE_BYTES, create_app
from runtime.version import Versions
from tests.strategies.shop import ROOM

from .shop import PRICE, QUOTE, plain_tools, shop, tokenizer

TOKEN = "a-long-secret"
AUTH = {"Authorization": f"Bearer {TOKEN}"}


def compiled(core: Core, surface: Surface) -> dict[str, Any]:
    return {
        "schema_version": "1.0",
        "core": core.model_dump(mode="json"),
        "surface": surface.model_dump(mode="json"),
        "digests": {"core": core_digest(core), "surface": surface_digest(core, surface)},
    }


class Host:
    """A model that knows the shop under any names: it calls `get_quote` once, then says the price."""

    def __init__(self, versions: Versions, delay_s: float = 0.0) -> None:
        self.versions = versions
        self.rooms: Rooms | None = None
        self.engine = ScriptedEngine(self.answer, delay_s=delay_s)

    def answer(self, ids: Sequence[int]) -> Sequence[int]:
        text = tokenizer().decode(ids)
        turn = text[text.rindex("<|im_start|>user") :]
        if "砸了" in turn:
            raise RuntimeError("this model is broken")
        name = "query_price" if "query_price" in text.split("<|im_end|>")[0] else "get_quote"
        if "tool_response" in turn:
            return [*tokenizer().encode("亲，89元"), tokenizer().added_tokens["<|im_end|>"]]
        call = f'<tool_call>\n{{"name": "{name}", "arguments": {{"link_id": 3}}}}\n</tool_call>'
        return [*tokenizer().encode(call), tokenizer().added_tokens["<|im_end|>"]]


@asynccontextmanager
async def service(
    delay_s: float = 0.0, token: str | None = TOKEN, **limits: Any
) -> AsyncIterator[tuple[httpx.AsyncClient, Rooms]]:
    versions = Versions(tokenizer(), plain_tools())
    host = Host(versions, delay_s)
    rooms = Rooms(versions, host.engine, shop(), Surface(), {"room": ROOM}, **limits)
    transport = httpx.ASGITransport(create_app(rooms, admin_token=token), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client, rooms


def said(client: httpx.AsyncClient, text: str, room: str = "a") -> Any:
    return client.post(f"/v1/rooms/{room}/danmaku", json={"text": text})


def test_a_message_is_answered_with_its_calls_and_version(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with service() as (client, rooms):
            response = await said(client, "3号多少钱？")
            body = response.json()
            assert response.status_code == 200
            assert body["reply"] == "亲，89元"
            assert body["calls"] == [{"tool": QUOTE, "arguments": {"link_id": 3}, "value": PRICE}]
            assert body["core_digest"] == rooms.active.core_digest
            assert body["surface_digest"] == rooms.active.surface_digest
            assert body["counts"]["generations"] == 2

    run(case())


def test_a_room_reports_what_was_said_and_done(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with service() as (client, _):
            assert (await client.get("/v1/rooms/a")).status_code == 404
            await said(client, "3号多少钱？")
            body = (await client.get("/v1/rooms/a")).json()
            (turn,) = body["turns"]
            assert turn["text"] == "3号多少钱？"
            assert turn["reply"] == "亲，89元"
            assert turn["calls"] == [{"tool": QUOTE, "arguments": {"link_id": 3}}]
            assert turn["results"] == [{"tool": QUOTE, "value": PRICE}]

    run(case())


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"{", 400),
        (b"", 400),
        (b"\xff\xfe", 400),
        (b"[" * 10_000, 400),
        (b"[]", 400),
        (b'{"text": 3}', 400),
        (b'{"text": " "}', 400),
        (b'{"text": "x", "role": "system"}', 400),
        (json.dumps({"text": "x" * 2001}).encode(), 413),
        (b'{"text": "' + b"x" * MESSAGE_BYTES + b'"}', 413),
    ],
)
def test_a_bad_message_is_a_json_error(run: Callable[..., Any], content: bytes, status: int) -> None:
    async def case() -> None:
        async with service() as (client, rooms):
            response = await client.post("/v1/rooms/a/danmaku", content=content)
            assert response.status_code == status
            assert response.json()["error"]["status"] == status
            assert len(rooms) == 0

    run(case())


def test_unknown_paths_methods_and_rooms_are_json_errors(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with service() as (client, _):
            for response, status in (
                (await client.get("/nowhere"), 404),
                (await client.get("/v1/rooms/a/danmaku"), 405),
                (await said(client, "x", room="a%0Ab"), 400),
                (await said(client, "x", room="x" * 65), 400),
            ):
                assert response.status_code == status
                assert response.json()["error"]["status"] == status

    run(case())


def test_one_rooms_failure_never_disturbs_another(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with service(delay_s=0.01) as (client, rooms):
            first, second = await asyncio.gather(said(client, "砸了", "a"), said(client, "多少钱", "b"))
            assert (first.status_code, first.json()["outcome"]) == (502, "engine_error")
            assert second.json()["reply"] == "亲，89元"
            rooms.session("a").tokens = None  # type: ignore[assignment, union-attr]
            broken, fine = await asyncio.gather(said(client, "多少钱", "a"), said(client, "多少钱", "b"))
            assert (broken.status_code, fine.status_code) == (500, 200)
            assert broken.json() == {"error": {"status": 500, "message": "this request failed"}}

    run(case())


def test_too_many_messages_are_refused_and_not_lost_in_silence(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with service(delay_s=0.05, max_waiting=2) as (client, _):
            responses = await asyncio.gather(*(said(client, f"第{i}个") for i in range(4)))
            codes = sorted(response.status_code for response in responses)
            assert codes == [200, 200, 429, 429]
            assert all(r.headers.get("Retry-After") for r in responses if r.status_code == 429)
            assert (await said(client, "现在呢")).status_code == 200

    run(case())


def test_the_room_that_was_silent_for_longest_makes_place(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with service(max_rooms=2) as (client, rooms):
            for name in ("a", "b", "a", "c"):
                assert (await said(client, "多少钱", name)).status_code == 200
            assert len(rooms) == 2
            assert rooms.session("b") is None

    run(case())


@pytest.mark.parametrize(
    "headers",
    [{}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"}, {"Authorization": TOKEN}],
)
def test_activation_needs_the_bearer_token(run: Callable[..., Any], headers: dict[str, str]) -> None:
    async def case() -> None:
        async with service() as (client, _):
            body = compiled(shop(), Surface())
            response = await client.post("/admin/harness", json=body, headers=headers)
            assert response.status_code == 401

    run(case())


def test_a_token_with_letters_beyond_ascii_is_wrong_and_no_crash(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with service() as (client, _):
            headers = [(b"authorization", "Bearer 密码".encode())]
            response = await client.post("/admin/harness", json={}, headers=headers)
            assert response.status_code == 401

    run(case())


def test_without_a_token_nothing_can_be_activated(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with service(token=None) as (client, _):
            headers = {"Authorization": "Bearer "}
            assert (await client.post("/admin/harness", json={}, headers=headers)).status_code == 403

    run(case())


def test_an_activated_harness_answers_the_next_turn_of_every_room(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with service() as (client, rooms):
            before = (await said(client, "多少钱")).json()
            surface = Surface(names={QUOTE: "query_price"})
            activation = await client.post("/admin/harness", json=compiled(shop(), surface), headers=AUTH)
            assert activation.status_code == 200
            assert activation.json()["rooms"] == 1
            old, new = (await said(client, "再说一遍")).json(), (await said(client, "多少钱", "b")).json()
            assert old["surface_digest"] == new["surface_digest"] == surface_digest(shop(), surface)
            assert before["surface_digest"] != old["surface_digest"]
            assert old["counts"]["unknown_calls"] == new["counts"]["unknown_calls"] == 0
            assert (await client.get("/v1/rooms/a")).json()["segment"] == 1
            assert (await client.get("/readyz")).json()["surface_digest"] == rooms.active.surface_digest

    run(case())


def test_swaps_under_load_lose_and_mix_nothing(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with service(delay_s=0.002) as (client, _):
            surfaces = [Surface(), Surface(names={QUOTE: "query_price"})]
            known = {surface_digest(shop(), surface) for surface in surfaces}

            async def activate(surface: Surface) -> None:
                body = compiled(shop(), surface)
                assert (await client.post("/admin/harness", json=body, headers=AUTH)).status_code == 200

            async def talk(room: str) -> list[Any]:
                answers = []
                for i in range(6):
                    answer, _ = await asyncio.gather(
                        said(client, f"第{i}次", room), activate(surfaces[i % 2])
                    )
                    answers.append(answer.json())
                return answers

            answers = await asyncio.gather(*(talk(f"room{i}") for i in range(4)))
            for surface in surfaces:
                await activate(surface)
                answers.append([(await said(client, "多少钱", "room0")).json()])
            every = [answer for room in answers for answer in room]
            assert [answer["reply"] for answer in every] == ["亲，89元"] * 26
            assert {answer["surface_digest"] for answer in every} == known
            assert sum(answer["counts"]["unknown_calls"] for answer in every) == 0

    run(case())


def broken(**changes: Any) -> dict[str, Any]:
    return compiled(shop(), Surface()) | changes


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "no compiled harness"),
        ([], "no compiled harness"),
        (broken(schema_version="9.0"), "the body has schema version 9.0"),
        (broken(core={"name": "x"}), "no valid IR: version"),
        (broken(digests={"core": "sha256:0"}), "by another version of harnessc: its Core"),
        (broken(core=shop().model_dump(mode="json") | {"colour": "red"}), "no valid IR: colour"),
    ],
)
def test_a_bad_harness_is_refused_and_changes_nothing(
    run: Callable[..., Any], body: Any, message: str
) -> None:
    async def case() -> None:
        async with service() as (client, rooms):
            active = rooms.active
            response = await client.post("/admin/harness", json=body, headers=AUTH)
            assert response.status_code == 422
            assert message in response.json()["error"]["message"]
            assert rooms.active is active

    run(case())


def test_a_harness_that_needs_other_inputs_is_refused(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with service() as (client, rooms):
            core = shop()
            extra = core.inputs[1].model_copy(update={"id": "input/stage"})
            core = core.model_copy(update={"inputs": (*core.inputs, extra)})
            response = await client.post("/admin/harness", json=compiled(core, Surface()), headers=AUTH)
            assert response.status_code == 422
            assert "`stage` is missing" in response.json()["error"]["message"]
            assert rooms.active.core == shop()

    run(case())


def test_a_harness_has_a_size_limit(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with service() as (client, _):
            content = b"x" * (HARNESS_BYTES + 1)
            response = await client.post("/admin/harness", content=content, headers=AUTH)
            assert response.status_code == 413

    run(case())


def test_health_and_readiness(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with service() as (client, rooms):
            assert (await client.get("/healthz")).json() == {"status": "ok"}
            assert (await client.get("/readyz")).json()["ready"] is True

            async def down() -> bool:
                return False

            rooms.engine.healthy = down  # type: ignore[attr-defined]
            response = await client.get("/readyz")
            assert (response.status_code, response.json()["ready"]) == (503, False)

    run(case())


def test_closing_waits_for_the_turn_under_way(run: Callable[..., Any]) -> None:
    async def case() -> None:
        async with service(delay_s=0.05) as (client, rooms):
            task = asyncio.ensure_future(said(client, "多少钱"))
            await asyncio.sleep(0.02)
            await rooms.close()
            assert (await task).json()["reply"] == "亲，89元"

    run(case())
