"""Choosing the next token of each row of a batch, independently of the other rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.engines.base import Sampling

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from runtime.engines.embedded_grammar import Matcher


def generator(sampling: Sampling) -> Generator | None:
    """The random numbers of one request (None: greedy). They live on the CPU, so a seed means the same
    anywhere.
    """
    import torch

    if sampling.temperature <= 0:
        return None
    source = torch.Generator()
    if sampling.seed is None:
        source.seed()
    else:
        source.manual_seed(sampling.seed)
    return source


def choose(
    logits: Tensor, sampling: Sampling, source: Generator | None, matcher: Matcher | None = None
) -> tuple[int, float]:
    """One id from `logits` (vocabulary) and its log-probability at the sampling temperature, before `top_p`.

    `matcher` bars ids and is told of the choice. Raises `ValueError` when the logits are not numbers.
    """
    import torch

    scaled = logits.float() if matcher is None else matcher.masked(logits)
    if source is not None:
        scaled = scaled / sampling.temperature
    if not bool(torch.isfinite(scaled.max())):
        raise ValueError("the model's logits are not finite")
    if source is None:
        chosen = int(scaled.argmax())
    else:
        kept = _nucleus(torch.softmax(scaled, dim=-1).cpu(), sampling.top_p)
        chosen = int(torch.multinomial(kept, 1, generator=source))
    if matcher is not None:
        matcher.accept(chosen)
    logprob = float(torch.log_softmax(scaled, dim=-1)[chosen]) if sampling.logprobs else 0.0
    return chosen, logprob


def _nucleus(probabilities: Tensor, top_p: float) -> Tensor:
    """`probabilities` with everything outside the smallest set of mass `top_p` set to 0; the likeliest id
    stays.
    """
    if top_p >= 1.0:
        return probabilities
    ordered, order = probabilities.sort(descending=True)
    before = ordered.cumsum(dim=-1) - ordered
    ordered[before >= top_p] = 0.0
    ordered[0] = ordered[0].clamp(min=1e-12)
    return probabilities.new_zeros(probabilities.shape).scatter(0, order, ordered)
