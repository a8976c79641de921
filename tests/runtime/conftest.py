"""Engines and models shared by the tests of the runtime."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

VOCABULARY = 64
CONTEXT = 96


def attention_model(seed: int = 0, **changes: Any) -> Any:
    """A tiny model of plain attention with random weights that are far from uniform; `changes` to its
    shape.
    """
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(seed)
    shape: dict[str, Any] = {
        "vocab_size": VOCABULARY,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "head_dim": 16,
        "max_position_embeddings": CONTEXT,
        "initializer_range": 0.4,
        "eos_token_id": None,
    }
    return Qwen3ForCausalLM(Qwen3Config(**(shape | changes))).eval()


def hybrid_model(seed: int = 0) -> Any:
    """A tiny model that mixes convolutions, with a bias that makes padded prompts visible, and attention."""
    import torch
    from transformers import Lfm2Config, Lfm2ForCausalLM

    torch.manual_seed(seed)
    config = Lfm2Config(
        vocab_size=VOCABULARY,
        hidden_size=32,
        intermediate_size=64,
        block_auto_adjust_ff_dim=False,
        num_hidden_layers=3,
        layer_types=["conv", "full_attention", "conv"],
        num_attention_heads=2,
        num_key_value_heads=2,
        conv_bias=True,
        conv_L_cache=4,
        max_position_embeddings=CONTEXT,
        initializer_range=0.4,
        eos_token_id=None,
    )
    model = Lfm2ForCausalLM(config).eval()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if name.endswith("bias"):
                weight.normal_(std=0.5)
    return model


MODELS: dict[str, Callable[[int], Any]] = {"attention": attention_model, "hybrid": hybrid_model}


@pytest.fixture(scope="session", params=sorted(MODELS))
def model(request: pytest.FixtureRequest) -> Any:
    return MODELS[request.param](0)


@pytest.fixture(scope="session")
def model_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved hybrid model, as a user has one on disk."""
    path = tmp_path_factory.mktemp("model")
    hybrid_model().save_pretrained(path)
    return path


def arithmetic(ids: Any) -> list[int]:
    """A policy that depends on the whole prompt: what a pure function of the ids must give twice."""
    state = sum(at * id_ for at, id_ in enumerate(ids, 1))
    return [(state * step + step * step) % VOCABULARY for step in range(1, 200)]


@pytest.fixture
def run() -> Callable[[Coroutine[Any, Any, Any]], Any]:
    """Run a coroutine in a fresh event loop."""
    import asyncio

    return asyncio.run
