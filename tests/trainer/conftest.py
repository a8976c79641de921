"""The compact shop, opened once, and the tokenizer of the tiny model."""

from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "live_shop"


@pytest.fixture(scope="session")
def mini() -> Any:
    """`shop_mini.harness`, with its tools."""
    from trainer.harness import open_harness

    return open_harness(EXAMPLES / "shop_mini.harness")


@pytest.fixture(scope="session")
def tokenizer_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the tiny model's tokenizer, written from its vocabulary."""
    pytest.importorskip("transformers")
    from trainer.tiny import tokenizer

    folder = tmp_path_factory.mktemp("tokenizer")
    tokenizer.build().save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def tokenizer(tokenizer_dir: Path) -> Any:
    from harness_dsl.protocol import HFTokenizer

    return HFTokenizer.from_file(tokenizer_dir)
