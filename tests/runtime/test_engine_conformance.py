"""The conformance suite on every engine that needs nothing but this process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from runtime.engines.base import EngineError, Sampling
from runtime.engines.embedded import EmbeddedEngine
from runtime.engines.recording import RecordingServer
from runtime.engines.scripted import ScriptedEngine
from runtime.engines.sglang import SGLangEngine
from trainer.tiny.tokenizer import build

from .conformance import Bench, Case, cases_for
from .conftest import CONTEXT, MODELS, VOCABULARY, arithmetic, attention_model
from .shop import tokenizer

HAS = {
    "scripted": (),
    "embedded_attention": ("longest", "vocabulary", "dead"),
    "embedded_hybrid": ("longest", "vocabulary", "dead"),
    "embedded_words": ("tokenizer",),
    "sglang": ("longest", "vocabulary", "dead"),
    "sglang_incremental": (),
    "sglang_words": ("tokenizer",),
}
WORDS = {"vocab_size": 3816, "max_position_embeddings": 256}


@pytest.fixture(scope="session")
def words_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with random weights over the vocabulary of the tiny tokenizer, which stands beside it."""
    path = tmp_path_factory.mktemp("words")
    attention_model(**WORDS).save_pretrained(path)
    build().save_pretrained(path)
    return path


@asynccontextmanager
async def opened(kind: str, words: Path) -> AsyncIterator[Bench]:
    """The engine called `kind`, ready to answer."""
    if kind == "scripted":
        yield Bench(ScriptedEngine(arithmetic))
    elif kind.startswith("sglang"):
        behind = EmbeddedEngine.load(words) if kind == "sglang_words" else ScriptedEngine(arithmetic)
        recording = RecordingServer(behind, incremental=kind == "sglang_incremental", context=CONTEXT)
        async with recording.listening() as server:
            engine = SGLangEngine(server.url, backoff_s=0.01, timeout_s=5, vocabulary=WORDS["vocab_size"])
            dead = SGLangEngine("http://127.0.0.1:9", attempts=1)
            try:
                yield Bench(
                    engine, dead, tokenizer=tokenizer(), longest=CONTEXT - 1, vocabulary=WORDS["vocab_size"]
                )
            finally:
                await engine.close()
                await dead.close()
        await behind.close()
    elif kind == "embedded_words":
        embedded = EmbeddedEngine.load(words, timeout_s=30)
        yield Bench(embedded, tokenizer=tokenizer())
        await embedded.close()
    else:
        model = MODELS[kind.removeprefix("embedded_")](0)
        embedded, dead = EmbeddedEngine(model, timeout_s=30), EmbeddedEngine(model)
        await dead.close()
        yield Bench(embedded, dead, longest=CONTEXT - 1, vocabulary=VOCABULARY)
        await embedded.close()


@pytest.mark.parametrize(
    ("kind", "case"),
    [
        pytest.param(kind, case, id=f"{kind}-{case.__name__}")
        for kind, has in HAS.items()
        for case in cases_for(has)
    ],
)
def test_conformance(kind: str, case: Case, words_directory: Path) -> None:
    async def tried() -> None:
        async with opened(kind, words_directory) as bench:
            await case(bench)

    asyncio.run(tried())


def test_a_closed_embedded_engine_refuses() -> None:
    async def case() -> None:
        engine = EmbeddedEngine(attention_model())
        await engine.generate((1, 2), Sampling(max_tokens=2))
        await engine.close()
        with pytest.raises(EngineError, match="closed"):
            await engine.generate((1, 2), Sampling(max_tokens=2))

    asyncio.run(case())
