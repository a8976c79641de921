"""The embedded engine on an accelerator gives what it gives on the CPU."""

import asyncio
import random
from pathlib import Path

import pytest

from harness_dsl.protocol.tokenizer import HFTokenizer
from runtime.engines.base import Generation, Sampling
from runtime.engines.embedded import EmbeddedEngine

BASE = Path(__file__).resolve().parents[2] / "examples" / "tiny_base"
SAMPLING = Sampling(max_tokens=24, logprobs=True)


def prompts() -> list[list[int]]:
    tokenizer = HFTokenizer.from_file(BASE)
    rng = random.Random(0)
    return [
        tokenizer.encode(f"<|im_start|>user\n{rng.randint(1, 99)}号多少钱<|im_end|>\n<|im_start|>assistant\n")
        for _ in range(8)
    ]


def generations(device: str) -> list[Generation]:
    async def run() -> list[Generation]:
        engine = EmbeddedEngine.load(BASE, device=device, dtype="float32")
        try:
            return await engine.generate_batch(prompts(), SAMPLING)
        finally:
            await engine.close()

    return asyncio.run(run())


@pytest.mark.gpu
def test_the_accelerator_and_the_cpu_agree() -> None:
    import torch

    if not torch.cuda.is_available():
        pytest.skip("no CUDA device here")
    for here, there in zip(generations("cpu"), generations("cuda"), strict=True):
        assert here.ids == there.ids
        assert here.logprobs == pytest.approx(there.logprobs, abs=1e-3)
