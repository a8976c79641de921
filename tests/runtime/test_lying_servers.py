"""Dead, slow and lying servers: each a typed, bounded outcome, alone and within a turn of a room."""

import asyncio
import json
import re
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from harness_dsl.ir.surface import Surface
from runtime.engines import http_client
from runtime.engines.base import EngineError, Piece, Sampling
from runtime.engines.sglang import SGLangEngine
from runtime.loop import Versions, open_session, run_turn
from tests.strategies.shop import ROOM

from .lying import HANG, Liar, cut, events, generated, http
from .shop import plain_tools, shop, tokenizer

PROMPT = (3, 1, 4, 1, 5)
SAMPLING = Sampling(max_tokens=8)
VOCABULARY = 64


def whole(body: Any) -> bytes:
    return http(json.dumps(body, ensure_ascii=False).encode())


def pairs(*given: tuple[Any, Any]) -> list[list[Any]]:
    return [[logprob, id_, None] for logprob, id_ in given]


# What the server answers, what is said about it, and whether trying again may help.
LIES: dict[str, tuple[bytes, str, bool]] = {
    "no JSON": (http(b"<html>"), "did not answer with JSON", False),
    "half of its JSON": (http(b'{"output_ids": [1'), "did not answer with JSON", False),
    "nested for ever": (http(b"[" * 100_000), "did not answer with JSON", False),
    "not UTF-8": (http(b'{"text": "\xff\xfe"}'), "did not answer with JSON", False),
    "an empty body": (http(b""), "did not answer with JSON", False),
    "a list": (whole([1]), "no meta_info", False),
    "a cut body": (cut(whole(generated([1, 2])), 9), "broke off its answer, after 2 attempts", True),
    "no HTTP": (b"SSH-2.0-OpenSSH_9\r\n", "cannot be reached.*after 2 attempts", True),
    "a redirect": (
        http(b"", status="307 Temporary Redirect", more="Location: http://127.0.0.1:9/\r\n"),
        "307",
        False,
    ),
    "words for ids": (whole(generated(["x"])), "cannot be read", False),
    "fractions for ids": (whole(generated([1.5])), "cannot be read", False),
    "true for an id": (whole(generated([True])), "cannot be read", False),
    "a negative id": (whole(generated([-1])), "the id -1", False),
    "an id beyond the vocabulary": (whole(generated([VOCABULARY])), "the vocabulary ends at 63", False),
    "an id of a hundred digits": (whole(generated([10**100])), "the vocabulary ends at 63", False),
    "more ids than asked for": (whole(generated(list(range(9)))), "9 ids, 8 were asked for", False),
    "ids that differ from its log-probabilities": (
        whole(generated([1, 2], output_token_logprobs=pairs((-1, 1), (-1, 3)))),
        "not those of its log-probabilities",
        False,
    ),
    "log-probabilities above 0": (
        whole(generated([1, 2], output_token_logprobs=pairs((-1, 1), (3, 2)))),
        "log-probabilities that are none",
        False,
    ),
    "log-probabilities that are no numbers": (
        whole(generated([1], output_token_logprobs=pairs((float("nan"), 1)))),
        "log-probabilities that are none",
        False,
    ),
    "no end": (whole(generated([1], finish_reason=None)), "no finish_reason", False),
    "an abort": (whole(generated([1], finish_reason={"type": "abort"})), "aborted the request", True),
    "a long complaint": (http(b"x" * 100_000, status="422 No"), r"status 422: x{1,300}$", False),
}


async def generate(engine: SGLangEngine) -> Any:
    return await engine.generate(PROMPT, SAMPLING)


async def stream(engine: SGLangEngine) -> list[Piece]:
    return [piece async for piece in engine.stream(PROMPT, SAMPLING)]


def outcome(liar: Liar, ask: Callable[[SGLangEngine], Any], **options: Any) -> Any:
    """What `ask` comes to, within seconds."""

    async def case() -> Any:
        async with liar.listening():
            settings = {"attempts": 2, "backoff_s": 0.01, "timeout_s": 5, "vocabulary": VOCABULARY}
            engine = SGLangEngine(liar.url, **(settings | options))
            try:
                return await ask(engine)
            finally:
                await engine.close()

    started = time.monotonic()
    try:
        return asyncio.run(case())
    except EngineError as error:
        return error
    finally:
        assert time.monotonic() - started < 5


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_one_typed_error(lie: str) -> None:
    reply, message, retryable = LIES[lie]
    liar = Liar([reply])
    error = outcome(liar, generate)
    assert isinstance(error, EngineError)
    assert error.boundary == "sglang"
    assert error.retryable == retryable
    assert re.search(message, str(error)), str(error)
    assert len(str(error)) < 500
    assert liar.asked == (2 if "attempts" in message else 1)


def test_the_truth_after_a_broken_answer_is_taken() -> None:
    liar = Liar([cut(whole(generated([1, 2])), 5), whole(generated([1, 2]))])
    assert outcome(liar, generate).ids == (1, 2)
    assert liar.asked == 2


@pytest.mark.parametrize("piece", [1, 3, 1 << 20])
def test_a_stream_is_read_however_its_bytes_are_cut(piece: int) -> None:
    steps = [generated([7], finish_reason=None), generated([7, 8], finish_reason=None), generated([7, 8, 9])]
    pieces = outcome(Liar([events(*steps)], piece=piece), stream)
    assert [p.ids for p in pieces] == [(7,), (8,), (9,)]
    assert pieces[-1].generation.ids == (7, 8, 9)


def test_a_stream_of_what_is_new_is_read_too() -> None:
    steps = [
        generated([7], finish_reason=None, completion_tokens=1),
        generated([8], finish_reason=None, completion_tokens=2),
        generated([], completion_tokens=2),
    ]
    pieces = outcome(Liar([events(*steps)]), stream)
    assert [p.ids for p in pieces] == [(7,), (8,), ()]
    assert pieces[-1].generation.ids == (7, 8)


STREAM_LIES: dict[str, tuple[bytes, str]] = {
    "it ends early": (events(generated([7], finish_reason=None), done=False), "ended before the output"),
    "it says that it is done and is not": (
        events(generated([7], finish_reason=None)),
        "ended before the output",
    ),
    "it breaks off": (
        cut(events(generated([7], finish_reason=None), generated([7, 8])), 30),
        "broke off its answer",
    ),
    "an event that is no JSON": (http(b"data: {\n\n"), "did not answer with JSON"),
    "it takes ids back": (
        events(generated([7], finish_reason=None), generated([8, 9], finish_reason=None)),
        "took back ids",
    ),
    "it never ends": (
        events(*(generated(list(range(count)), finish_reason=None) for count in range(1, 12))),
        "more than 8 ids",
    ),
    "an error instead of an output": (
        events({"error": {"message": "Failed to compile regex grammar", "code": 400}}),
        "the server refused: Failed to compile",
    ),
    "wrong ids at the end": (events(generated([7], finish_reason=None), generated([7, 999])), "the id 999"),
    "no stream at all": (whole(generated([7])), "ended before the output"),
    "a refusal": (http(b"{}", status="400 Bad Request"), "status 400"),
}


@pytest.mark.parametrize("lie", STREAM_LIES)
def test_a_lying_stream_is_one_typed_error(lie: str) -> None:
    reply, message = STREAM_LIES[lie]
    error = outcome(Liar([reply]), stream)
    assert isinstance(error, EngineError)
    assert message in str(error)


def test_an_answer_without_end_is_not_read_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "ANSWER_BYTES", 10_000)
    endless = b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n" + b" " * 200_000
    for ask in (generate, stream):
        error = outcome(Liar([endless]), ask)
        assert "more than 10000 bytes" in str(error)
        assert not error.retryable


@pytest.mark.parametrize(
    "liar",
    [
        Liar([HANG]),
        Liar([b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"], pause_s=60),
        Liar([events(generated([7], finish_reason=None))], piece=8, pause_s=0.1),
    ],
    ids=["says nothing", "stops in the middle", "drips"],
)
@pytest.mark.parametrize("ask", [generate, stream])
def test_a_server_that_hangs_is_left_and_told(liar: Liar, ask: Callable[[SGLangEngine], Any]) -> None:
    started = time.monotonic()
    liar.aborted.clear()
    error = outcome(liar, ask, timeout_s=0.4)
    assert "no answer within 0.4 s" in str(error)
    assert error.retryable
    assert time.monotonic() - started < 3
    assert len(liar.aborted) == 1


def test_each_attempt_has_an_id_of_its_own() -> None:
    """A server that still works on the first attempt refuses a second one of the same id."""
    liar = Liar([cut(whole(generated([1])), 3), HANG])
    outcome(liar, generate, timeout_s=0.4)
    assert len(set(liar.aborted)) == 2


def turn_with(replies: Sequence[bytes]) -> Any:
    """One turn of a room on a server with these answers."""

    async def case() -> Any:
        async with Liar(list(replies)).listening() as liar:
            engine = SGLangEngine(liar.url, attempts=2, backoff_s=0.01, timeout_s=1)
            versions = Versions(tokenizer(), plain_tools())
            room = open_session(versions, engine, shop(), Surface(), {"room": ROOM}, id="room")
            turn = await run_turn(room, "3号链接多少钱？")
            again = await run_turn(room, "在吗？")
            await engine.close()
            return turn, again, room

    return asyncio.run(case())


@pytest.mark.parametrize("lie", LIES)
def test_a_room_outlives_every_lie(lie: str) -> None:
    """The turn ends as `engine_error` or within its limits, silence is published, and the next turn runs."""
    turn, again, room = turn_with([LIES[lie][0]])
    for one in (turn, again):
        assert one.outcome in ("engine_error", "limit")
        assert one.published == ""
    if turn.outcome == "engine_error":
        assert turn.reason.startswith("sglang: ")
    assert [event.kind for event in room.transcript.events].count("published") == 2
