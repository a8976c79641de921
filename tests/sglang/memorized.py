"""A tiny Qwen3-style model that knows one conversation by heart: what the real server is to reproduce.

The rows come from the trainer's collator and the loss from its labels, as in any fine-tuning here. The
model is small enough to learn a conversation of 2,000 tokens in half a minute on one core.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness_dsl.protocol import HFTokenizer
from trainer.sft.collate import IGNORED, Row
from trainer.tiny.tokenizer import build

CONTEXT = 4096
STEPS = 300
SURE = 0.02


def model(tokenizer: HFTokenizer, *, seed: int, width: int = 96, layers: int = 2) -> Any:
    """Random weights. Shapes that SGLang's CPU paths and its interpreted kernels take."""
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(seed)
    config = Qwen3Config(
        vocab_size=len(build()),
        hidden_size=width,
        intermediate_size=2 * width,
        num_hidden_layers=layers,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=32,
        max_position_embeddings=CONTEXT,
        tie_word_embeddings=True,
        eos_token_id=tokenizer.eos_id,
        bos_token_id=None,
    )
    return Qwen3ForCausalLM(config)


def learn(net: Any, rows: Sequence[Row], *, sure: float = SURE) -> float:
    """Train `net` on `rows` until the loss of one is below `sure`; that loss."""
    import torch

    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.0)
    loss = float("inf")
    for step in range(STEPS):
        row = rows[step % len(rows)]
        ids, labels = torch.tensor([row.ids]), torch.tensor(row.labels)
        told = torch.nonzero(labels != IGNORED).flatten()
        hidden = net.model(input_ids=ids).last_hidden_state[0, told - 1]
        error = torch.nn.functional.cross_entropy(net.lm_head(hidden), labels[told])
        optimizer.zero_grad()
        error.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        loss = float(error.detach())
        if loss < sure and step >= len(rows):
            break
    return loss


def save(net: Any, folder: Path) -> None:
    """A model directory as SGLang, and any other engine, loads it."""
    net.eval().save_pretrained(folder)
    build().save_pretrained(folder)
