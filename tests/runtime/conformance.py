"""What callers of `Engine` may rely on: the same cases for every engine, also for a real server elsewhere."""

import asyncio
import json
import re
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from harness_dsl.protocol import HFTokenizer
from runtime.engines.base import Engine, EngineError, Generation, Grammar, Piece, Sampling

GREETING = "好的，宝贝，🎁有货"


@dataclass(frozen=True)
class Bench:
    """An engine to try. After `prompt` its model goes on for 90 tokens without an end token of its own.

    `tokenizer` is there where the engine honours grammars; `longest`, the longest prompt, after which `room`
    is left, and `vocabulary` where it knows them. `dead` is an engine of the kind that cannot answer.
    """

    engine: Engine
    dead: Engine | None = None
    prompt: tuple[int, ...] = (3, 1, 4, 1, 5, 9, 2, 6)
    tokenizer: HFTokenizer | None = None
    longest: int | None = None
    room: int = 1
    vocabulary: int | None = None


Case = Callable[[Bench], Coroutine[Any, Any, None]]
CASES: list[Case] = []
NEEDS: dict[str, str] = {}


def case(needs: str = "") -> Callable[[Case], Case]:
    """A case for every bench that has `needs`."""

    def add(function: Case) -> Case:
        CASES.append(function)
        NEEDS[function.__name__] = needs
        return function

    return add


def cases_for(has: Sequence[str]) -> list[Case]:
    return [one for one in CASES if NEEDS[one.__name__] in ("", *has)]


async def collected(engine: Engine, prompt: Sequence[int], sampling: Sampling) -> list[Piece]:
    return [piece async for piece in engine.stream(prompt, sampling)]


def whole(pieces: Sequence[Piece]) -> Generation:
    """The generation of a stream, which the last piece alone has and all pieces make up."""
    assert [piece.generation is None for piece in pieces] == [True] * (len(pieces) - 1) + [False]
    found = pieces[-1].generation
    assert found is not None
    assert sum((piece.ids for piece in pieces), ()) == found.ids
    assert sum((piece.logprobs for piece in pieces), ()) == found.logprobs
    return found


@case()
async def output_ends_with_a_stop_id_and_says_so(bench: Bench) -> None:
    free = await bench.engine.generate(bench.prompt, Sampling(max_tokens=12))
    stop = free.ids[5]
    stopped = await bench.engine.generate(bench.prompt, Sampling(max_tokens=12, stop_ids=(stop,)))
    assert free.stop_reason == "length"
    assert len(free.ids) == 12
    assert stopped.ids == free.ids[: free.ids.index(stop) + 1]
    assert stopped.stop_reason == "stop"


@case()
async def a_stop_id_at_the_token_limit_is_a_stop(bench: Bench) -> None:
    free = await bench.engine.generate(bench.prompt, Sampling(max_tokens=1))
    again = await bench.engine.generate(bench.prompt, Sampling(max_tokens=1, stop_ids=free.ids))
    assert again.ids == free.ids
    assert (free.stop_reason, again.stop_reason) == ("length", "stop")


@case()
async def greedy_output_is_the_same_twice_and_beside_others(bench: Bench) -> None:
    prompts = [bench.prompt[:length] for length in (8, 3, 5, 1)]
    sampling = Sampling(max_tokens=10)
    alone = [await bench.engine.generate(prompt, sampling) for prompt in prompts]
    together = await asyncio.gather(*(bench.engine.generate(prompt, sampling) for prompt in prompts))
    assert [g.ids for g in together] == [g.ids for g in alone]
    assert [g.prompt_tokens for g in together] == [8, 3, 5, 1]


@case()
async def logprobs_come_when_asked_for_only(bench: Bench) -> None:
    asked = await bench.engine.generate(bench.prompt, Sampling(max_tokens=6, logprobs=True))
    silent = await bench.engine.generate(bench.prompt, Sampling(max_tokens=6))
    assert len(asked.logprobs) == len(asked.ids)
    assert all(value <= 0 for value in asked.logprobs)
    assert silent.logprobs == ()


@case()
async def an_empty_prompt_is_a_value_error(bench: Bench) -> None:
    with pytest.raises(ValueError, match="empty"):
        await bench.engine.generate((), Sampling())
    with pytest.raises(ValueError, match="empty"):
        await collected(bench.engine, (), Sampling())


@case("vocabulary")
async def ids_outside_the_vocabulary_are_value_errors_and_harm_nobody(bench: Bench) -> None:
    assert bench.vocabulary is not None
    for wrong in (-1, bench.vocabulary, 1 << 40):
        with pytest.raises(ValueError, match="outside the vocabulary"):
            await bench.engine.generate((*bench.prompt, wrong), Sampling(max_tokens=2))
    assert (await bench.engine.generate(bench.prompt, Sampling(max_tokens=2))).stop_reason == "length"


@case("longest")
async def an_over_long_prompt_is_a_value_error_and_an_output_ends_with_the_context(bench: Bench) -> None:
    assert bench.longest is not None
    with pytest.raises(ValueError, match=f"the model takes {bench.longest}"):
        await bench.engine.generate((bench.prompt[0],) * (bench.longest + 1), Sampling())
    for short, room in ((0, bench.room), (2, bench.room + 2)):
        prompt = (bench.prompt * bench.longest)[: bench.longest - short]
        at_the_end = await bench.engine.generate(prompt, Sampling(max_tokens=50))
        assert len(at_the_end.ids) == room
        assert at_the_end.stop_reason == "length"


@case()
async def cancelling_one_request_leaves_the_engine_usable(bench: Bench) -> None:
    expected = await bench.engine.generate(bench.prompt, Sampling(max_tokens=5))
    for wait in (0.0, 0.03):
        task = asyncio.ensure_future(bench.engine.generate(bench.prompt, Sampling(max_tokens=80)))
        await asyncio.sleep(wait)
        if not task.cancel():
            # A model so quick has answered: then there was nothing to cancel.
            continue
        with pytest.raises(asyncio.CancelledError):
            await task
    after = await bench.engine.generate(bench.prompt, Sampling(max_tokens=5))
    assert after.ids == expected.ids


@case()
async def the_session_changes_nothing_in_the_output(bench: Bench) -> None:
    for session in (None, "room"):
        first = await bench.engine.generate(bench.prompt, Sampling(max_tokens=4), session=session)
        longer = (*bench.prompt, *first.ids, 7, 8)
        second = await bench.engine.generate(longer, Sampling(max_tokens=4), session=session)
        fresh = await bench.engine.generate(longer, Sampling(max_tokens=4))
        assert second.ids == fresh.ids


@case()
async def a_stream_brings_the_same_output_in_pieces(bench: Bench) -> None:
    for logprobs in (False, True):
        sampling = Sampling(max_tokens=12, logprobs=logprobs)
        at_once = await bench.engine.generate(bench.prompt, sampling)
        pieces = await collected(bench.engine, bench.prompt, sampling)
        streamed = whole(pieces)
        assert len(pieces) > 1
        assert streamed.ids == at_once.ids
        assert streamed.logprobs == pytest.approx(at_once.logprobs, abs=1e-4)
        assert streamed.stop_reason == at_once.stop_reason


@case()
async def a_stream_ends_with_the_stop_id(bench: Bench) -> None:
    free = await bench.engine.generate(bench.prompt, Sampling(max_tokens=12))
    streamed = whole(
        await collected(bench.engine, bench.prompt, Sampling(max_tokens=12, stop_ids=(free.ids[3],)))
    )
    assert streamed.ids == free.ids[: free.ids.index(free.ids[3]) + 1]
    assert streamed.stop_reason == "stop"


@case()
async def closing_a_stream_early_leaves_the_engine_usable(bench: Bench) -> None:
    expected = await bench.engine.generate(bench.prompt, Sampling(max_tokens=5))
    stream: Any = bench.engine.stream(bench.prompt, Sampling(max_tokens=80))
    first = await anext(stream)
    assert first.ids[0] == expected.ids[0]
    await stream.aclose()
    after = await bench.engine.generate(bench.prompt, Sampling(max_tokens=5))
    assert after.ids == expected.ids


@case()
async def cancelling_a_stream_leaves_the_engine_usable(bench: Bench) -> None:
    expected = await bench.engine.generate(bench.prompt, Sampling(max_tokens=5))
    task = asyncio.ensure_future(collected(bench.engine, bench.prompt, Sampling(max_tokens=80)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    after = await bench.engine.generate(bench.prompt, Sampling(max_tokens=5))
    assert after.ids == expected.ids


def say(bench: Bench, grammar: Grammar, **more: Any) -> Sampling:
    assert bench.tokenizer is not None
    return Sampling(
        max_tokens=90, grammar=grammar, stop_ids=(bench.tokenizer.added_tokens["<|im_end|>"],), **more
    )


def text(bench: Bench, generation: Generation) -> str:
    assert bench.tokenizer is not None
    assert generation.stop_reason == "stop"
    return bench.tokenizer.decode(generation.ids).removesuffix("<|im_end|>")


@case("tokenizer")
async def an_output_keeps_its_grammar(bench: Bench) -> None:
    schema = {
        "type": "object",
        "properties": {"link": {"enum": ["一号", "二号"]}, "sold": {"type": "boolean"}},
        "required": ["link", "sold"],
        "additionalProperties": False,
    }
    wanted: list[tuple[Grammar, str]] = [
        (Grammar("regex", "[ab]{3}-[0-9]{2}"), "[ab]{3}-[0-9]{2}"),
        (Grammar("ebnf", 'root ::= "亲，" ("有" | "没有") "货"'), "亲，(有|没有)货"),
    ]
    for grammar, pattern in wanted:
        for temperature in (0.0, 1.0):
            sampling = say(bench, grammar, temperature=temperature)
            said = text(bench, await bench.engine.generate(bench.prompt, sampling))
            assert re.fullmatch(pattern, said), (grammar, said)
    # White space between the parts of JSON is free, and a model that knows nothing writes it for ever.
    tight = Grammar("json_schema", json.dumps({"enum": ["一号", "二号"]}))
    said = text(bench, await bench.engine.generate(bench.prompt, say(bench, tight)))
    assert json.loads(said) in ("一号", "二号")
    begun = await bench.engine.generate(bench.prompt, say(bench, Grammar("json_schema", json.dumps(schema))))
    assert bench.tokenizer is not None
    assert bench.tokenizer.decode(begun.ids).startswith("{")


@case("tokenizer")
async def grammars_of_requests_side_by_side_are_kept_apart(bench: Bench) -> None:
    wanted = [Grammar("regex", f"{letter}{{5}}") for letter in "abcd"]
    answers = await asyncio.gather(
        *(bench.engine.generate(bench.prompt, say(bench, grammar)) for grammar in wanted)
    )
    assert [text(bench, answer) for answer in answers] == ["aaaaa", "bbbbb", "ccccc", "ddddd"]


@case("tokenizer")
async def logprobs_are_those_among_what_the_grammar_allows(bench: Bench) -> None:
    # No token of the vocabulary has several of this letter, so each step has one way to go on.
    forced = await bench.engine.generate(bench.prompt, say(bench, Grammar("regex", "Q{4}"), logprobs=True))
    assert text(bench, forced) == "QQQQ"
    assert forced.logprobs == pytest.approx([0.0] * len(forced.ids), abs=1e-3)


@case("tokenizer")
async def a_character_that_is_cut_between_pieces_comes_whole(bench: Bench) -> None:
    assert bench.tokenizer is not None
    sampling = say(bench, Grammar("ebnf", f'root ::= "{GREETING}"'), temperature=1.0)
    pieces = await collected(bench.engine, bench.prompt, sampling)
    assert text(bench, whole(pieces)) == GREETING
    alone = [bench.tokenizer.decode([id_]) for piece in pieces for id_ in piece.ids]
    assert any("\ufffd" in part for part in alone), "some character was spelled in bytes"


@case("tokenizer")
async def a_grammar_that_is_none_is_a_typed_error_and_harms_nobody(bench: Bench) -> None:
    for broken in (
        Grammar("regex", "(("),
        Grammar("json_schema", '{"type": 3'),
        Grammar("ebnf", "root := x"),
    ):
        with pytest.raises(EngineError) as caught:
            await bench.engine.generate(bench.prompt, Sampling(max_tokens=4, grammar=broken))
        assert not caught.value.retryable
        with pytest.raises(EngineError):
            await collected(bench.engine, bench.prompt, Sampling(max_tokens=4, grammar=broken))
    assert (await bench.engine.generate(bench.prompt, Sampling(max_tokens=2))).stop_reason == "length"


@case("dead")
async def an_engine_that_is_dead_is_a_typed_error(bench: Bench) -> None:
    assert bench.dead is not None
    with pytest.raises(EngineError) as caught:
        await bench.dead.generate(bench.prompt, Sampling(max_tokens=2))
    assert caught.value.boundary == bench.dead.name
    with pytest.raises(EngineError):
        await collected(bench.dead, bench.prompt, Sampling(max_tokens=2))


@case()
async def closing_twice_is_fine(bench: Bench) -> None:
    await bench.engine.generate(bench.prompt, Sampling(max_tokens=2))
    await bench.engine.close()
    await bench.engine.close()
