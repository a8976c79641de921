"""The bodies of SGLang's `/generate`: our types to its JSON and back."""

import math
from collections.abc import Sequence
from typing import Any, Literal

from runtime.engines.base import EngineError, Generation, Sampling

BOUNDARY = "sglang"
# What rounding may add to the logarithm of a probability of 1.
ROUNDING = 0.01


def request_body(
    ids: Sequence[int], sampling: Sampling, request_id: str, *, stream: bool = False
) -> dict[str, Any]:
    """The request for one continuation of `ids`. Nothing is stripped from the output, and nothing is sent as
    null.
    """
    parameters: dict[str, Any] = {
        "max_new_tokens": sampling.max_tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "stop_token_ids": list(sampling.stop_ids),
        "skip_special_tokens": False,
        "spaces_between_special_tokens": False,
        "no_stop_trim": True,
    }
    if sampling.seed is not None:
        parameters["sampling_seed"] = sampling.seed
    if sampling.grammar is not None:
        parameters[sampling.grammar.kind] = sampling.grammar.text
    return {
        "rid": request_id,
        "input_ids": list(ids),
        "sampling_params": parameters,
        "return_logprob": sampling.logprobs,
        "stream": stream,
    }


def read_generation(
    answer: Any, sampling: Sampling, seconds: float, vocabulary: int | None = None
) -> Generation:
    """The generation in `answer`.

    Raises `EngineError` when the ids, or log-probabilities that were asked for, are missing or cannot be
    true, or the server aborted.
    """
    meta = meta_of(answer)
    kind, matched = _finish(meta)
    ids, logprobs = output_of(answer)
    _check_ids(ids, sampling, vocabulary)
    if sampling.logprobs and len(logprobs) != len(ids):
        raise EngineError(BOUNDARY, f"the answer has {len(logprobs)} log-probabilities for {len(ids)} ids")
    # A server also stops at the end tokens of the model's own configuration.
    if kind == "stop" and not (ids and (ids[-1] == matched or ids[-1] in sampling.stop_ids)):
        # The end token was sampled; a server that trims it would leave the turn open. Its log-probability is
        # lost.
        if matched not in sampling.stop_ids or sampling.logprobs:
            raise EngineError(BOUNDARY, "the answer stopped without the id it stopped at")
        ids = (*ids, matched)
    return Generation(
        ids=ids,
        stop_reason=kind,
        logprobs=logprobs if sampling.logprobs else (),
        prompt_tokens=_count(meta, "prompt_tokens"),
        cached_tokens=_count(meta, "cached_tokens"),
        seconds=seconds,
        draft_acceptance=_share(meta, "spec_accept_rate"),
    )


def meta_of(answer: Any) -> dict[str, Any]:
    """The facts about an answer, or a part of one. Raises `EngineError` where there are none."""
    if not isinstance(answer, dict):
        raise EngineError(BOUNDARY, "the answer has no meta_info")
    if "meta_info" not in answer and isinstance(answer.get("error"), dict):
        # A stream has status 200 before its request is looked at.
        raise EngineError(BOUNDARY, f"the server refused: {str(answer['error'].get('message'))[:300]}")
    meta = answer.get("meta_info")
    if not isinstance(meta, dict):
        raise EngineError(BOUNDARY, "the answer has no meta_info")
    return meta


def output_of(answer: dict[str, Any]) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Ids from `output_ids`, else from the log-probabilities: triples of log-probability, id, text."""
    meta = answer["meta_info"]
    try:
        triples = meta.get("output_token_logprobs") or []
        logprobs = tuple(float(triple[0]) for triple in triples)
        told = [triple[1] for triple in triples]
        ids = answer.get("output_ids")
        if ids is None:
            if "output_token_logprobs" not in meta:
                raise EngineError(BOUNDARY, "the answer has neither output_ids nor output_token_logprobs")
            ids = told
        if not all(type(id_) is int for id_ in ids):
            raise TypeError
    except (TypeError, ValueError, IndexError, KeyError) as error:
        raise EngineError(BOUNDARY, "the answer's ids cannot be read") from error
    if told and len(told) == len(ids) and told != list(ids):
        raise EngineError(BOUNDARY, "the answer's ids are not those of its log-probabilities")
    if any(math.isnan(value) or value > ROUNDING for value in logprobs):
        raise EngineError(BOUNDARY, "the answer has log-probabilities that are none")
    return tuple(ids), logprobs


def _check_ids(ids: tuple[int, ...], sampling: Sampling, vocabulary: int | None) -> None:
    if len(ids) > sampling.max_tokens:
        raise EngineError(BOUNDARY, f"the answer has {len(ids)} ids, {sampling.max_tokens} were asked for")
    limit = vocabulary or 1 << 31
    wrong = next((id_ for id_ in ids if not 0 <= id_ < limit), None)
    if wrong is not None:
        raise EngineError(BOUNDARY, f"the answer has the id {wrong}, the vocabulary ends at {limit - 1}")


def _finish(meta: dict[str, Any]) -> tuple[Literal["stop", "length"], Any]:
    reason = meta.get("finish_reason")
    if not isinstance(reason, dict):
        raise EngineError(BOUNDARY, "the answer has no finish_reason")
    match reason.get("type"):
        case "stop":
            return "stop", reason.get("matched")
        case "length":
            return "length", None
        case other:
            message = str(reason.get("message") or f"finish reason {other}")[:300]
            raise EngineError(BOUNDARY, f"the server aborted the request: {message}", retryable=True)


def _count(meta: dict[str, Any], key: str) -> int:
    value = meta.get(key, 0)
    return value if type(value) is int and value >= 0 else 0


def _share(meta: dict[str, Any], key: str) -> float | None:
    value = meta.get(key)
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else None
