"""Training draws from the banks that its policy names, and from no other."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from trainer.sft.config import ConfigError, SftConfig
from trainer.sft.rows import RowSource, open_rows

EXAMPLES = Path(__file__).parents[2] / "examples"
WORDING = "给出一个链接此刻的卖价"
BANK = f"""\
bank: 1
texts:
  tool/get_quote/description:
    canonical: "查一个链接的价格"
    wordings:
      - {{text: "{WORDING}", state: accepted, by: hand}}
"""


def rows(folder: Path, policy: str, bank: str = BANK) -> RowSource:
    (folder / "p.yaml").write_text(policy)
    (folder / "shop.wordings.yaml").write_text(bank, "utf-8")
    return open_rows(
        SftConfig(
            harness=EXAMPLES / "live_shop" / "shop_mini.harness",
            base=EXAMPLES / "tiny_base",
            out=folder / "out",
            policy=folder / "p.yaml",
            general_share=0.0,
            turns=1,
            steps=20,
        )
    )


def shows(source: RowSource, tokenizer: Any) -> bool:
    return any(WORDING in tokenizer.decode(source.row(at).row.ids) for at in range(4))


def test_a_named_bank_reaches_what_the_model_is_trained_on(tmp_path: Path, tokenizer: Any) -> None:
    policy = "operators: {wordings: {}}\n"
    assert shows(rows(tmp_path, policy + "banks: [shop.wordings.yaml]\n"), tokenizer)
    assert not shows(rows(tmp_path, policy), tokenizer)


def test_a_bank_with_a_finding_keeps_training_from_starting(tmp_path: Path) -> None:
    policy = "operators: {wordings: {}}\nbanks: [shop.wordings.yaml]\n"
    with pytest.raises(ConfigError, match="HD724"):
        rows(tmp_path, policy, BANK.replace(WORDING, "不查一个链接的价格"))
