"""A stand-in for SGLang's kernel package, whose wheel is built for CUDA alone: the names that SGLang 0.5.23
imports on a CPU, in plain torch.

It registers no `torch.ops.sgl_kernel.*`, so SGLang finds no AMX kernels and takes its native-torch paths. The
functions follow what SGLang's callers expect of their output arguments; those that no test reaches raise.
"""

import ctypes
from typing import Any

import torch
from torch import Tensor

__version__ = "0.4.10+standin"


def assign_req_to_token_pool_cpu(
    requests: Tensor, table: Tensor, starts: Tensor, ends: Tensor, places: Tensor, _: int
) -> None:
    """Write where the new tokens of each request are kept into its row of `table`."""
    at = 0
    for request, start, end in zip(requests.tolist(), starts.tolist(), ends.tolist(), strict=True):
        table[request, start:end] = places[at : at + end - start].to(table.dtype)
        at += end - start


def assign_extend_cache_locs_cpu(
    requests: Tensor, table: Tensor, starts: Tensor, ends: Tensor, places: Tensor, _: int
) -> None:
    """The inverse: read the places of the new tokens from `table`."""
    at = 0
    for request, start, end in zip(requests.tolist(), starts.tolist(), ends.tolist(), strict=True):
        places[at : at + end - start] = table[request, start:end].to(places.dtype)
        at += end - start


def assign_draft_cache_locs_contiguous_cpu(
    requests: Tensor, table: Tensor, lengths: Tensor, places: Tensor, _: int, topk: int, steps: int
) -> None:
    """The places of the tokens that a draft model is about to write."""
    count = topk * steps
    for row, (request, length) in enumerate(zip(requests.tolist(), lengths.tolist(), strict=True)):
        places[row * count : (row + 1) * count] = table[request, length : length + count].to(places.dtype)


def fill_bonus_tokens_cpu(accepted: Tensor, lengths: Tensor, bonus: Tensor, stride: int) -> None:
    """The last accepted token of each request."""
    at = torch.arange(lengths.numel()) * stride + lengths.long() - 1
    bonus.copy_(accepted.reshape(-1)[at].to(bonus.dtype))


def fill_accept_out_cache_loc_cpu(accept_index: Tensor, places: Tensor, accepted_places: Tensor) -> None:
    """The places of the accepted tokens, without gaps."""
    at = accept_index.reshape(-1)
    kept = places[at[at > -1].long()]
    accepted_places[: kept.numel()] = kept.to(accepted_places.dtype)


def rotate_input_ids_cpu(
    ids: Tensor, starts: Tensor, lengths: Tensor, next_ids: Tensor, select: Tensor | None = None
) -> None:
    """Shift each request's ids by one and put its next id at the end."""
    for row, (start, length) in enumerate(zip(starts.tolist(), lengths.tolist(), strict=True)):
        if length == 0:
            continue
        ids[start : start + length - 1] = ids[start + 1 : start + length].clone()
        last = start + length - 1 if select is None else int(select[row])
        ids[last] = next_ids.reshape(-1)[row]


def build_tree_kernel_efficient_cpu(
    parents: Tensor,
    selected: Tensor,
    lengths: Tensor,
    mask: Tensor,
    positions: Tensor,
    retrieve: Tensor,
    following: Tensor,
    sibling: Tensor,
    topk: int,
    depth: int,
    count: int,
    mask_mode: int,
) -> None:
    """The tree of drafted tokens where it is a chain: `topk` 1."""
    if topk != 1 or int(mask_mode) not in (0, 1):
        raise NotImplementedError("the stand-in builds chains only: speculative-eagle-topk 1")
    chain = torch.ones(count, count, dtype=torch.bool).tril()
    after = torch.arange(1, count + 1)
    after[-1] = -1
    at = 0
    for row, length in enumerate(lengths.tolist()):
        positions[row * count : (row + 1) * count] = length + torch.arange(count)
        retrieve[row] = row * count + torch.arange(count)
        following[row] = after
        sibling[row] = -1
        if int(mask_mode) == 1:
            mask.view(-1)[row * count * count : (row + 1) * count * count] = chain.reshape(-1)
            continue
        size = count * (length + count)
        own = mask.view(-1)[at : at + size].view(count, length + count)
        own[:, :length] = True
        own[:, length:] = chain
        at += size


def verify_tree_greedy_cpu(
    predicts: Tensor,
    accept_index: Tensor,
    accept_token_num: Tensor,
    candidates: Tensor,
    retrieve: Tensor,
    following: Tensor,
    sibling: Tensor,
    target_predict: Tensor,
) -> None:
    """Accept drafted tokens as long as each is what the target model would have said."""
    target = target_predict.reshape(-1)
    for row in range(candidates.shape[0]):
        last = int(retrieve[row, 0])
        accept_index[row, 0] = last
        at = accepted = 0
        for _ in range(1, accept_index.shape[1]):
            at = int(following[row, at])
            while at != -1 and int(candidates[row, at]) != int(target[last]):
                at = int(sibling[row, at])
            if at == -1:
                break
            predicts[last] = target[last].to(predicts.dtype)
            accepted += 1
            last = int(retrieve[row, at])
            accept_index[row, accepted] = last
        accept_token_num[row] = accepted
        predicts[last] = target[last].to(predicts.dtype)


def copy_all_layer_kv_cache_cpu(addresses: Tensor, strides: Tensor, targets: Tensor, sources: Tensor) -> None:
    """Move keys and values of accepted tokens to their places, in every layer."""
    source, target = sources.tolist(), targets.tolist()
    for base, stride in zip(addresses.tolist(), strides.tolist(), strict=True):
        rows = [ctypes.string_at(base + at * stride, stride) for at in source]
        for at, row in zip(target, rows, strict=True):
            ctypes.memmove(base + at * stride, row, stride)


def build_draft_decode_metadata_cpu(*_: Any, **__: Any) -> None:
    """Needed by attention backends that are not used here."""
    raise NotImplementedError("the stand-in has no build_draft_decode_metadata_cpu")
