"""The engine that a plan asks for. Without one, each test has its oracle."""

from pathlib import Path

from harness_dsl.protocol import Tokenizer
from runtime.byte_tokenizer import byte_tokenizer
from runtime.engines.base import Engine
from runtime.model_files import load_tokenizer, vocabulary_size
from runtime.testing.events import Plan


def tokenizer_of(plan: Plan) -> Tokenizer:
    """The tokenizer of the plan's model, or one of bytes. Raises `EngineError`."""
    return byte_tokenizer() if plan.model is None else load_tokenizer(Path(plan.model))


def open_engine(plan: Plan) -> Engine | None:
    """The plan's engine; None for the oracle. Raises `EngineError` as `EmbeddedEngine.load` does."""
    if plan.engine == "sglang":
        from runtime.engines.sglang import SGLangEngine

        assert plan.url is not None
        vocabulary = None if plan.model is None else vocabulary_size(Path(plan.model))
        return SGLangEngine(plan.url, vocabulary=vocabulary)
    if plan.engine == "embedded":
        from runtime.engines.embedded import EmbeddedEngine
        from runtime.engines.embedded_model import quiet_loading

        assert plan.model is not None
        quiet_loading()
        return EmbeddedEngine.load(plan.model)
    return None
