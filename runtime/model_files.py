"""What lies in a model's directory beside its weights."""

import json
from pathlib import Path

from harness_dsl.diagnostics.system import reason
from harness_dsl.protocol import HFTokenizer
from runtime.engines.base import EngineError


def load_tokenizer(directory: Path) -> HFTokenizer:
    """The tokenizer in a model's directory. Raises `EngineError` when there is none that can be used."""
    try:
        return HFTokenizer.from_file(directory)
    except (OSError, ValueError) as error:
        raise EngineError(
            "tokenizer", f"{directory} has no tokenizer.json that can be used: {reason(error)}"
        ) from error


def vocabulary_size(directory: Path) -> int | None:
    """How many ids the model in `directory` has; None where it has no configuration that says so."""
    try:
        config = json.loads((directory / "config.json").read_text("utf-8"))
        size = config.get("vocab_size", config.get("text_config", {}).get("vocab_size"))
    except (OSError, ValueError, AttributeError):
        return None
    return size if type(size) is int and size > 0 else None
