"""The bodies of SGLang's `/generate`: our types to its JSON and back."""

from collections.abc import Sequence
from typing import Any, Literal

from runtime.engines.base import EngineError, Generation, Sampling

BOUNDARY = "sglang"


def request_body(ids: Sequence[int], sampling: Sampling, request_id: str) -> dict[str, Any]:
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
    return {
        "rid": request_id,
        "input_ids": list(ids),
        "sampling_params": parameters,
        "return_logprob": sampling.logprobs,
        "stream": False,
    }


def read_generation(answer: Any, sampling: Sampling, seconds: float) -> Generation:
    """The generation in `answer`.

    Raises `EngineError` when the ids, or log-probabilities that were asked for, are missing or the server
    aborted.
    """
    if not isinstance(answer, dict) or not isinstance(answer.get("meta_info"), dict):
        raise EngineError(BOUNDARY, "the answer has no meta_info")
    meta = answer["meta_info"]
    kind, matched = _finish(meta)
    ids, logprobs = _output(answer, meta)
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
    )


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
            message = str(reason.get("message") or f"finish reason {other}")
            raise EngineError(BOUNDARY, f"the server aborted the request: {message}", retryable=True)


def _output(answer: dict[str, Any], meta: dict[str, Any]) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Ids from `output_ids`, else from the log-probabilities: triples of log-probability, id, text."""
    try:
        triples = meta.get("output_token_logprobs") or []
        logprobs = tuple(float(triple[0]) for triple in triples)
        ids = answer.get("output_ids")
        if ids is None:
            if "output_token_logprobs" not in meta:
                raise EngineError(BOUNDARY, "the answer has neither output_ids nor output_token_logprobs")
            ids = [triple[1] for triple in triples]
        return tuple(int(id_) for id_ in ids), logprobs
    except (TypeError, ValueError, IndexError, KeyError) as error:
        raise EngineError(BOUNDARY, "the answer's ids cannot be read") from error


def _count(meta: dict[str, Any], key: str) -> int:
    value = meta.get(key, 0)
    return value if isinstance(value, int) else 0
