"""Train the tiny base model from nothing on generated general rows, and write it with its tokenizer.

    python -m trainer.tiny.pretrain --out examples/tiny_base --seed 0

The first steps are bare copying of random tokens; the rest are general rows that grow. The run is a function
of its options and of the arithmetic of the machine.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from trainer.tiny import corpus, model, tokenizer

if TYPE_CHECKING:
    import torch
    from transformers import Lfm2ForCausalLM, PreTrainedTokenizerFast

POOL_STEPS = 16


def main() -> None:
    options = _options()
    import torch

    torch.set_num_threads(1)
    words = tokenizer.build()
    net = model.build(words, seed=options.seed)
    optimizers = _optimizers(net, options.muon_lr, options.adam_lr)
    started, seen = time.monotonic(), 0
    batches = _batches(words, options.seed, options.rows, options.steps)
    for step, (ids, labels) in enumerate(batches):
        _set_rates(optimizers, _schedule(step, options.steps))
        loss, hit = _forward(net, ids, labels)
        loss.backward()  # type: ignore[no-untyped-call]  # untyped in torch
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad()
        seen += ids.numel()
        if step % 25 == 0:
            clock = time.monotonic() - started
            print(
                f"step {step} loss {loss.item():.3f} hits {hit:.3f} tokens {seen} s {clock:.0f}", flush=True
            )
        if step and step % 100 == 0:
            print(_probe(net, words), flush=True)
            save(net, words, options.out)
    report = {
        "steps": options.steps,
        "tokens": seen,
        "seconds": round(time.monotonic() - started),
        "general": _probe(net, words),
    }
    print(json.dumps(report), flush=True)
    save(net, words, options.out)


def save(net: Lfm2ForCausalLM, words: PreTrainedTokenizerFast, out: Path) -> None:
    """Write the checkpoint in float16 beside its tokenizer."""
    import torch

    copy.deepcopy(net).to(torch.float16).save_pretrained(out)
    words.save_pretrained(out)


def collate(rows: list[corpus.Row], pad: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Right-padded ids and labels, both (rows, longest)."""
    import torch

    longest = max(len(row.input_ids) for row in rows)
    ids = torch.tensor([row.input_ids + [pad] * (longest - len(row.input_ids)) for row in rows])
    labels = torch.tensor([row.labels + [-100] * (longest - len(row.labels)) for row in rows])
    return ids, labels


def _batches(
    words: PreTrainedTokenizerFast, seed: int, rows: int, steps: int
) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    rng = random.Random(seed)
    for start in range(0, steps, POOL_STEPS):
        size = min(1.0, 2 * start / steps)
        if start < 32:
            pool = [corpus.echo_row(rng, len(words)) for _ in range(rows * POOL_STEPS)]
        else:
            pool = [corpus.general_row(rng, words, size=size) for _ in range(rows * POOL_STEPS)]
        pool.sort(key=lambda row: len(row.input_ids))
        chunks = [pool[at : at + rows] for at in range(0, len(pool), rows)]
        rng.shuffle(chunks)
        for chunk in chunks[: steps - start]:
            yield collate(chunk, words.pad_token_id)


def _forward(net: Lfm2ForCausalLM, ids: torch.Tensor, labels: torch.Tensor) -> tuple[torch.Tensor, float]:
    """Loss and accuracy over the learned tokens only, so that logits of the others are never made."""
    import torch

    hidden = net.model(ids).last_hidden_state[:, :-1]
    wanted = labels[:, 1:]
    learned = wanted >= 0
    logits, wanted = net.lm_head(hidden[learned]), wanted[learned]
    return torch.nn.functional.cross_entropy(logits, wanted), (
        logits.argmax(-1) == wanted
    ).float().mean().item()


def _probe(net: Lfm2ForCausalLM, words: PreTrainedTokenizerFast) -> str:
    """Share of learned spans that greedy decoding gets wholly right, on rows that training never draws."""
    import torch

    rng = random.Random(10**9)
    spans = right = 0
    for _ in range(8):
        rows = [corpus.general_row(rng, words) for _ in range(8)]
        ids, labels = collate(rows, words.pad_token_id)
        with torch.no_grad():
            guess = net(ids).logits[:, :-1].argmax(-1)
        for row, ok in zip(labels[:, 1:].tolist(), (guess == labels[:, 1:]).tolist(), strict=True):
            scores = span_scores(row, ok)
            spans, right = spans + len(scores), right + sum(scores)
    return f"spans exact {right / spans:.3f} of {spans}"


def span_scores(labels: list[int], hits: list[bool]) -> list[bool]:
    """For each run of learned positions, whether all of it was hit."""
    scores: list[bool] = []
    inside = False
    for label, hit in zip(labels, hits, strict=True):
        if label < 0:
            inside = False
            continue
        if not inside:
            scores.append(True)
        inside = True
        scores[-1] = scores[-1] and hit
    return scores


def _optimizers(net: Lfm2ForCausalLM, muon_lr: float, adam_lr: float) -> list[torch.optim.Optimizer]:
    import torch

    matrices = [p for name, p in net.named_parameters() if p.ndim == 2 and "embed" not in name]
    others = [p for name, p in net.named_parameters() if p.ndim != 2 or "embed" in name]
    return [
        torch.optim.Muon(matrices, lr=muon_lr, weight_decay=0.0, momentum=0.95, adjust_lr_fn="original"),
        torch.optim.AdamW(others, lr=adam_lr, weight_decay=0.0, betas=(0.9, 0.98)),
    ]


def _set_rates(optimizers: list[torch.optim.Optimizer], share: float) -> None:
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group.setdefault("peak", group["lr"])
            group["lr"] = group["peak"] * share


def _schedule(step: int, steps: int) -> float:
    """Warm up over 20 steps, hold, then fall linearly to a fiftieth over the last 40 %."""
    fall = 0.4 * steps
    return min(1.0, (step + 1) / 20, max(0.02, (steps - step) / fall))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m trainer.tiny.pretrain", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--out", type=Path, required=True, help="folder to write the checkpoint to")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--rows", type=int, default=8, help="conversations per step")
    parser.add_argument("--muon-lr", type=float, default=0.005)
    parser.add_argument("--adam-lr", type=float, default=0.004)
    return parser.parse_args()


if __name__ == "__main__":
    main()
