"""Loading a causal language model from a local directory, with errors that say what is missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness_dsl.diagnostics.system import install
from runtime.engines.base import EngineError

if TYPE_CHECKING:
    from transformers import PreTrainedModel

BOUNDARY = "embedded"


def load_model(directory: str | Path, *, device: str = "auto", dtype: str = "auto") -> PreTrainedModel:
    """The model in `directory`, in evaluation mode. Only safetensors weights, no remote code, no network.

    `device` "auto" takes a GPU when there is one. Raises `EngineError` for a missing extra and for a
    directory that is not complete.
    """
    path = Path(directory)
    _check_directory(path)
    try:
        import torch
        from transformers import AutoModelForCausalLM
    except ImportError as error:
        raise EngineError(BOUNDARY, f"it needs torch and transformers: {install('train')}") from error
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        model: Any = AutoModelForCausalLM.from_pretrained(
            str(path), dtype=dtype, local_files_only=True, use_safetensors=True, trust_remote_code=False
        )
        model.to(device)
    except Exception as error:
        # Whatever the library raises for a damaged checkpoint, the user needs the directory and one sentence.
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise EngineError(BOUNDARY, f"cannot load the model in {path}: {reason}") from error
    loaded: PreTrainedModel = model.eval()
    return loaded


def _check_directory(path: Path) -> None:
    if not path.is_dir():
        raise EngineError(BOUNDARY, f"{path} is not a directory")
    if not (path / "config.json").is_file():
        raise EngineError(BOUNDARY, f"{path} is no model directory: it has no config.json")
    index = path / "model.safetensors.index.json"
    if not index.is_file():
        if not (path / "model.safetensors").is_file():
            raise EngineError(BOUNDARY, f"{path} is incomplete: it has no model.safetensors")
        return
    try:
        shards = set(json.loads(index.read_text("utf-8"))["weight_map"].values())
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise EngineError(BOUNDARY, f"{index} cannot be read") from error
    missing = sorted(name for name in shards if not (path / name).is_file())
    if missing:
        raise EngineError(BOUNDARY, f"{path} is incomplete: {missing[0]} is missing")


def quiet_loading() -> None:
    """Keep progress bars and advice of transformers off the terminal of a command that only runs a model."""
    try:
        from transformers import logging
    except ImportError as error:
        raise EngineError(BOUNDARY, f"it needs torch and transformers: {install('train')}") from error
    logging.set_verbosity_error()
    logging.disable_progress_bar()
