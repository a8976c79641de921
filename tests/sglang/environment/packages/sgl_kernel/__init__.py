"""A stand-in for SGLang's kernel package, whose wheel is built for CUDA alone: the names that SGLang 0.5.23
imports on a CPU, in plain torch.

It registers no `torch.ops.sgl_kernel.*`, so SGLang finds no AMX kernels and takes its native-torch paths. The
functions follow what SGLang's callers expect of their output arguments, and take the keywords that they use.
"""

import ctypes
from typing import Any

import torch
from torch import Tensor

__version__ = "0.4.10+standin"


def assign_req_to_token_pool_cpu(
    req_pool_indices: Tensor,
    req_to_token: Tensor,
    start_offset: Tensor,
    end_offset: Tensor,
    out_cache_loc: Tensor,
    pool_len: int,
) -> None:
    """Write where the new tokens of each request are kept into its row of `req_to_token`."""
    at = 0
    for request, start, end in zip(
        req_pool_indices.tolist(), start_offset.tolist(), end_offset.tolist(), strict=True
    ):
        req_to_token[request, start:end] = out_cache_loc[at : at + end - start].to(req_to_token.dtype)
        at += end - start


def assign_extend_cache_locs_cpu(
    req_pool_indices: Tensor,
    req_to_token: Tensor,
    start_offset: Tensor,
    end_offset: Tensor,
    out_cache_loc: Tensor,
    pool_len: int,
) -> None:
    """The inverse: read the places of the new tokens from `req_to_token`."""
    at = 0
    for request, start, end in zip(
        req_pool_indices.tolist(), start_offset.tolist(), end_offset.tolist(), strict=True
    ):
        out_cache_loc[at : at + end - start] = req_to_token[request, start:end].to(out_cache_loc.dtype)
        at += end - start


def assign_draft_cache_locs_contiguous_cpu(
    req_pool_indices: Tensor,
    req_to_token: Tensor,
    seq_lens: Tensor,
    out_cache_loc: Tensor,
    pool_len: int,
    topk: int,
    num_steps: int,
) -> None:
    """The places of the tokens that a draft model is about to write."""
    count = topk * num_steps
    for row, (request, length) in enumerate(zip(req_pool_indices.tolist(), seq_lens.tolist(), strict=True)):
        out_cache_loc[row * count : (row + 1) * count] = req_to_token[request, length : length + count].to(
            out_cache_loc.dtype
        )


def fill_bonus_tokens_cpu(
    accept_tokens: Tensor, accept_lens: Tensor, bonus_tokens: Tensor, stride: int
) -> None:
    """The last accepted token of each request."""
    at = torch.arange(accept_lens.numel()) * stride + accept_lens.long() - 1
    bonus_tokens.copy_(accept_tokens.reshape(-1)[at].to(bonus_tokens.dtype))


def fill_accept_out_cache_loc_cpu(
    accept_index: Tensor, out_cache_loc: Tensor, accept_out_cache_loc: Tensor
) -> None:
    """The places of the accepted tokens, without gaps."""
    at = accept_index.reshape(-1)
    kept = out_cache_loc[at[at > -1].long()]
    accept_out_cache_loc[: kept.numel()] = kept.to(accept_out_cache_loc.dtype)


def rotate_input_ids_cpu(
    input_ids: Tensor, start: Tensor, lens: Tensor, topk_index: Tensor, select_index: Tensor | None = None
) -> None:
    """Shift each request's ids by one and put its next id at the end."""
    for row, (first, length) in enumerate(zip(start.tolist(), lens.tolist(), strict=True)):
        if length == 0:
            continue
        input_ids[first : first + length - 1] = input_ids[first + 1 : first + length].clone()
        last = first + length - 1 if select_index is None else int(select_index[row])
        input_ids[last] = topk_index.reshape(-1)[row]


def build_tree_kernel_efficient_cpu(
    parent_list: Tensor,
    selected_index: Tensor,
    seq_lens: Tensor,
    tree_mask: Tensor,
    positions: Tensor,
    retrieve_index: Tensor,
    retrieve_next_token: Tensor,
    retrieve_next_sibling: Tensor,
    topk: int,
    depth: int,
    n: int,
    mask_mode: int,
) -> None:
    """The tree of drafted tokens where it is a chain: `topk` 1."""
    if topk != 1 or int(mask_mode) not in (0, 1):
        raise NotImplementedError("the stand-in builds chains only: speculative-eagle-topk 1")
    chain = torch.ones(n, n, dtype=torch.bool).tril()
    after = torch.arange(1, n + 1)
    after[-1] = -1
    at = 0
    for row, length in enumerate(seq_lens.tolist()):
        positions[row * n : (row + 1) * n] = length + torch.arange(n)
        retrieve_index[row] = row * n + torch.arange(n)
        retrieve_next_token[row] = after
        retrieve_next_sibling[row] = -1
        if int(mask_mode) == 1:
            tree_mask.view(-1)[row * n * n : (row + 1) * n * n] = chain.reshape(-1)
            continue
        size = n * (length + n)
        own = tree_mask.view(-1)[at : at + size].view(n, length + n)
        own[:, :length] = True
        own[:, length:] = chain
        at += size


def verify_tree_greedy_cpu(
    predicts: Tensor,
    accept_index: Tensor,
    accept_token_num: Tensor,
    candidates: Tensor,
    retrive_index: Tensor,
    retrive_next_token: Tensor,
    retrive_next_sibling: Tensor,
    target_predict: Tensor,
) -> None:
    """Accept drafted tokens as long as each is what the target model would have said."""
    target = target_predict.reshape(-1)
    for row in range(candidates.shape[0]):
        last = int(retrive_index[row, 0])
        accept_index[row, 0] = last
        at = accepted = 0
        for _ in range(1, accept_index.shape[1]):
            at = int(retrive_next_token[row, at])
            while at != -1 and int(candidates[row, at]) != int(target[last]):
                at = int(retrive_next_sibling[row, at])
            if at == -1:
                break
            predicts[last] = target[last].to(predicts.dtype)
            accepted += 1
            last = int(retrive_index[row, at])
            accept_index[row, accepted] = last
        accept_token_num[row] = accepted
        predicts[last] = target[last].to(predicts.dtype)


def copy_all_layer_kv_cache_cpu(data_ptrs: Tensor, strides: Tensor, tgt_loc: Tensor, src_loc: Tensor) -> None:
    """Move keys and values of accepted tokens to their places, in every layer."""
    source, target = src_loc.tolist(), tgt_loc.tolist()
    for base, stride in zip(data_ptrs.tolist(), strides.tolist(), strict=True):
        rows = [ctypes.string_at(base + at * stride, stride) for at in source]
        for at, row in zip(target, rows, strict=True):
            ctypes.memmove(base + at * stride, row, stride)


def build_draft_decode_metadata_cpu(*_: Any, **__: Any) -> None:
    """Needed by attention backends that are not used here."""
    raise NotImplementedError("the stand-in has no build_draft_decode_metadata_cpu")
