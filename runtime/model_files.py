"""The tokenizer that lies beside a model."""

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
