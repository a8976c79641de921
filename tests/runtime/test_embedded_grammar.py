"""Grammars of the embedded engine: compiled once, kept apart, and clear where they cannot be had."""

import asyncio
import builtins
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from runtime.engines.base import EngineError, Grammar, Sampling
from runtime.engines.embedded import EmbeddedEngine
from trainer.tiny.tokenizer import build

from .conftest import attention_model
from .shop import tokenizer

PROMPT = (300, 307, 314, 321)
END = tokenizer().added_tokens["<|im_end|>"]


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("words")
    attention_model(vocab_size=3816, max_position_embeddings=256).save_pretrained(path)
    build().save_pretrained(path)
    return path


def on(words: Path, case: Callable[[EmbeddedEngine], Coroutine[Any, Any, Any]]) -> Any:
    async def run() -> Any:
        engine = EmbeddedEngine.load(words, device="cpu")
        try:
            return await case(engine)
        finally:
            await engine.close()

    return asyncio.run(run())


def asking(text: str, **more: Any) -> Sampling:
    return Sampling(max_tokens=30, stop_ids=(END,), grammar=Grammar("regex", text), **more)


def test_a_grammar_is_compiled_once_for_all_requests_and_rooms(words: Path) -> None:
    """Equal text is one grammar: whoever renders one Surface twice does not pay twice."""

    async def case(engine: EmbeddedEngine) -> None:
        assert engine.grammars is not None
        for number in range(4):
            await engine.generate(PROMPT, asking("[ab]{4}"), session=f"room {number}")
        await asyncio.gather(*(engine.generate(PROMPT, asking("".join(["[ab]", "{4}"]))) for _ in range(4)))
        assert engine.grammars.compiled == 1
        await engine.generate(PROMPT, asking("[cd]{4}"))
        assert engine.grammars.compiled == 2

    on(words, case)


def test_the_grammar_alone_makes_the_difference(words: Path) -> None:
    """Broken twin: without it the model says something else; with it the likeliest of what is allowed."""

    async def case(engine: EmbeddedEngine) -> None:
        free = await engine.generate(PROMPT, Sampling(max_tokens=4))
        bound = await engine.generate(PROMPT, asking("[ab]{4}"))
        assert tokenizer().decode(bound.ids).strip("ab") == "<|im_end|>"
        assert tokenizer().decode(free.ids).strip("ab") != ""

    on(words, case)


def test_an_output_ends_where_the_grammar_does_without_a_stop_id(words: Path) -> None:
    async def case(engine: EmbeddedEngine) -> None:
        sampling = Sampling(max_tokens=30, grammar=Grammar("regex", "a{3}"))
        found = await engine.generate(PROMPT, sampling)
        assert found.stop_reason == "stop"
        assert tokenizer().decode(found.ids) == "aaa<|im_end|>"

    on(words, case)


def test_a_cache_that_another_grammar_left_is_as_good_as_new(words: Path) -> None:
    async def case(engine: EmbeddedEngine) -> None:
        first = await engine.generate(PROMPT, asking("[ab]{4}"), session="a")
        longer = (*PROMPT, *first.ids, 310)
        second = await engine.generate(longer, asking("[cd]{4}"), session="a")
        assert second.cached_tokens == len(PROMPT) + len(first.ids) - 1
        assert second.ids == (await engine.generate(longer, asking("[cd]{4}"))).ids

    on(words, case)


def test_a_model_without_a_tokenizer_and_a_machine_without_xgrammar_say_so(
    words: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def bare() -> None:
        engine = EmbeddedEngine(attention_model())
        with pytest.raises(EngineError, match="needs the model's tokenizer"):
            await engine.generate((1, 2), asking("a"))
        await engine.close()

    asyncio.run(bare())

    async def no_tokenizer(engine: EmbeddedEngine) -> None:
        with pytest.raises(EngineError, match="has no tokenizer for grammars"):
            await engine.generate((1, 2), asking("a"))

    attention_model().save_pretrained(tmp_path)
    on(tmp_path, no_tokenizer)
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "xgrammar":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    async def missing(engine: EmbeddedEngine) -> None:
        with pytest.raises(EngineError, match=r"needs xgrammar: .*\.\[grammar\]"):
            await engine.generate((1, 2), asking("a"))
        assert (await engine.generate((1, 2), Sampling(max_tokens=2))).stop_reason == "length"

    monkeypatch.setattr(builtins, "__import__", without)
    on(words, missing)
