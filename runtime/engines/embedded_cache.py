"""Key-value caches of conversations: continued, cropped, joined into a batch and taken out of it again.

Rows of different length are joined by padding keys and values on the left, where the attention mask hides
them. States of convolutions and recurrences have no length, so they are stacked. Prompts are never padded: a
padded prompt would run through the convolutions, and a row's result would depend on its neighbours.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from transformers import PreTrainedModel
    from transformers.cache_utils import Cache


@dataclass(frozen=True)
class State:
    """What a model holds after `ids`: one sequence, batch size 1."""

    ids: tuple[int, ...]
    cache: Cache


class StateStore:
    """The states of the `limit` most recently used sessions. Used by the worker thread alone."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._states: OrderedDict[str, State] = OrderedDict()

    def __len__(self) -> int:
        return len(self._states)

    def take(self, session: str | None) -> State | None:
        """The state of `session`; it leaves the store, because its holder changes it."""
        return None if session is None else self._states.pop(session, None)

    def put(self, session: str | None, state: State) -> None:
        """Keep `state`, and forget the session that was not used for longest when there are too many."""
        if session is None or self._limit == 0:
            return
        self._states[session] = state
        self._states.move_to_end(session)
        while len(self._states) > self._limit:
            self._states.popitem(last=False)

    def clear(self) -> None:
        self._states.clear()


def fresh(model: PreTrainedModel) -> Cache:
    """An empty cache of the shape that `model` needs."""
    from transformers import DynamicCache

    return DynamicCache(config=model.config)


def reusable(state: State | None, ids: tuple[int, ...]) -> tuple[Cache, int] | None:
    """The cache of `state` cut back to a prefix of `ids`, and the length of that prefix; None: start afresh.

    At least the last id is left to feed, because its logits are wanted. Only plain attention can be cut back.
    """
    if state is None:
        return None
    common = common_prefix(state.ids, ids[:-1])
    surplus = len(state.ids) - common
    if common == 0:
        return None
    if surplus == 0:
        return state.cache, common
    if not all(_is_plain_attention(layer) for layer in state.cache.layers):
        return None
    state.cache.crop(-surplus)
    return state.cache, common


def common_prefix(left: tuple[int, ...], right: tuple[int, ...]) -> int:
    """How many ids `left` and `right` begin with in common."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        # Only what is not known to be equal is compared, so all comparisons together pass once over the ids.
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def joinable(cache: Cache) -> bool:
    """Whether every layer is one that `join` knows to batch (sliding windows, for example, are not)."""
    return all(_is_plain_attention(layer) or _is_recurrent(layer) for layer in cache.layers)


def join(caches: Sequence[Cache], lengths: Sequence[int]) -> Cache:
    """One cache whose rows are those of `caches` in order; row i has its last `lengths[i]` positions
    filled.
    """
    longest = max(lengths)
    joined = copy.copy(caches[0])
    joined.layers = [
        _join_layer([cache.layers[at] for cache in caches], longest) for at in range(len(caches[0].layers))
    ]
    return joined


def select(cache: Cache, rows: Sequence[int], drop: int) -> Cache:
    """A cache of the given `rows`, without their first `drop` positions; it shares no memory with `cache`."""
    selected = copy.copy(cache)
    selected.layers = [_select_layer(layer, list(rows), drop) for layer in cache.layers]
    return selected


def _is_plain_attention(layer: Any) -> bool:
    from transformers.cache_utils import DynamicLayer

    return type(layer) is DynamicLayer


def _is_recurrent(layer: Any) -> bool:
    from transformers.cache_utils import LinearAttentionLayer

    return type(layer) is LinearAttentionLayer


def _join_layer(layers: list[Any], longest: int) -> Any:
    import torch
    from torch.nn.functional import pad

    joined = copy.copy(layers[0])
    if _is_plain_attention(joined):
        for name in ("keys", "values"):
            tensors = [getattr(layer, name) for layer in layers]
            padded = [pad(tensor, (0, 0, longest - tensor.shape[-2], 0)) for tensor in tensors]
            setattr(joined, name, torch.cat(padded, dim=0))
        return joined
    for name in ("conv_states", "recurrent_states"):
        states = getattr(joined, name)
        parts = {at: [getattr(layer, name)[at] for layer in layers] for at in states}
        setattr(joined, name, {at: None if states[at] is None else torch.cat(parts[at]) for at in states})
    return joined


def _select_layer(layer: Any, rows: list[int], drop: int) -> Any:
    selected = copy.copy(layer)
    if _is_plain_attention(layer):
        selected.keys = layer.keys[rows, :, drop:].clone()
        selected.values = layer.values[rows, :, drop:].clone()
        return selected
    for name in ("conv_states", "recurrent_states"):
        states = getattr(layer, name)
        setattr(selected, name, {at: None if s is None else s[rows].clone() for at, s in states.items()})
    return selected
