"""What SGLang's own argument check lets pass and its server then dies of, or quietly does otherwise."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

# Algorithms that draft with layers of the model itself, where it has them (multi-token prediction).
WITH_OWN_LAYERS = ("EAGLE", "NEXTN")
WITH_A_DRAFT_MODEL = ("EAGLE3", "STANDALONE")
OWN_LAYERS = ("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_layers")
SHAPE = ("speculative_num_steps", "speculative_eagle_topk", "speculative_num_draft_tokens")


def problems(values: Mapping[str, Any], gpus: int) -> list[str]:
    """A sentence for each mistake in `values`, SGLang's arguments by name; `gpus` are there on this
    machine.
    """
    return [*_numbers(values), *_parallel(values, gpus), *_promises(values), *_speculative(values)]


def flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _numbers(values: Mapping[str, Any]) -> Iterator[str]:
    for name in ("tp_size", "dp_size", "pp_size"):
        if values.get(name, 1) < 1:
            yield f"{flag(name)} must be at least 1"
    for name in ("context_length", "max_running_requests", "max_total_tokens", "max_prefill_tokens"):
        value = values.get(name)
        if value is not None and value < 1:
            yield f"{flag(name)} must be at least 1"
    share = values.get("mem_fraction_static")
    if share is not None and not 0 < share < 1:
        yield "--mem-fraction-static is a share between 0 and 1"
    if values.get("chunked_prefill_size") == 0:
        yield "--chunked-prefill-size 0 would never prefill; -1 turns chunks off"
    if not 1 <= values.get("port", 30000) <= 65535:
        yield "--port is from 1 to 65535"


def _parallel(values: Mapping[str, Any], gpus: int) -> Iterator[str]:
    tensor, data, pipeline = (values.get(f"{kind}_size", 1) for kind in ("tp", "dp", "pp"))
    if min(tensor, data, pipeline) < 1:
        return
    if values.get("enable_dp_attention"):
        if tensor % data:
            yield f"--tp-size {tensor} is no multiple of --dp-size {data}, as --enable-dp-attention needs"
        needed = tensor * pipeline
    else:
        needed = tensor * pipeline * data
    if values.get("device") == "cuda" and values.get("nnodes", 1) == 1 and needed > gpus:
        yield f"the flags ask for {needed} GPUs (tensor × pipeline × data), this machine has {gpus}"


def _promises(values: Mapping[str, Any]) -> Iterator[str]:
    if values.get("allow_auto_truncate"):
        yield "--allow-auto-truncate would cut prompts in silence: the model would not see what was sent"


def _speculative(values: Mapping[str, Any]) -> Iterator[str]:
    algorithm, draft = values.get("speculative_algorithm"), values.get("speculative_draft_model_path")
    if algorithm is None:
        idle = [name for name in (*SHAPE, "speculative_draft_model_path") if values.get(name) is not None]
        if idle:
            yield f"{flag(idle[0])} does nothing without --speculative-algorithm"
        return
    name = str(algorithm).upper()
    if draft is None and name in WITH_A_DRAFT_MODEL:
        yield f"--speculative-algorithm {name} needs --speculative-draft-model-path"
    if draft is None and name in WITH_OWN_LAYERS and not _has_own_layers(values):
        yield (
            f"the model has no layers for multi-token prediction, so --speculative-algorithm {name} needs "
            "--speculative-draft-model-path"
        )
    if draft is not None:
        yield from _draft_model(values, Path(draft), name)
    yield from _shape(values)


def _draft_model(values: Mapping[str, Any], draft: Path, algorithm: str) -> Iterator[str]:
    config = _config(draft)
    if config is None:
        yield f"--speculative-draft-model-path {draft} is no model directory: it has no config.json"
        return
    own = _config(Path(str(values.get("model_path", ""))))
    if algorithm == "STANDALONE" and own is not None:
        sizes = own.get("vocab_size"), config.get("vocab_size")
        if sizes[0] != sizes[1]:
            yield f"the draft model has a vocabulary of {sizes[1]}, the model one of {sizes[0]}"


def _shape(values: Mapping[str, Any]) -> Iterator[str]:
    """Steps, width and size of the drafted tree: none of them, or three that fit together."""
    given = [values.get(name) for name in SHAPE]
    steps, width, size = given
    if steps is None and width is None and size is None:
        return
    if steps is None or width is None or size is None:
        yield f"{flag(SHAPE[0])}, {flag(SHAPE[1])} and {flag(SHAPE[2])} go together"
        return
    if min(steps, width) < 1 or size < 2:
        yield f"{flag(SHAPE[0])} and {flag(SHAPE[1])} must be at least 1, {flag(SHAPE[2])} at least 2"
        return
    most = 1 + width + (steps - 1) * width * width
    if size > most:
        yield f"{flag(SHAPE[2])} {size} is more than a tree of {steps} steps and width {width} has: {most}"
    elif width == 1 and size < most:
        yield f"{flag(SHAPE[2])} {size} leaves drafted tokens out: a chain of {steps} steps has {most}"


def _has_own_layers(values: Mapping[str, Any]) -> bool:
    config = _config(Path(str(values.get("model_path", "")))) or {}
    parts = [config, config.get("text_config") or {}]
    return any(part.get(name) for part in parts for name in OWN_LAYERS)


def _config(directory: Path) -> dict[str, Any] | None:
    try:
        found = json.loads((directory / "config.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
