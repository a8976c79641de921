"""Rows in which a hook runs another implementation are drawn and accepted where the contract suite agrees."""

import json
from pathlib import Path

import pytest

from augmentors.policy import Policy
from augmentors.variants import draw
from harness_dsl.cli.main import main
from tests.strategies import small_shop

HARNESS = '''harness shop "1.0.0"

tool get_quote(link_id: int(min: 1)) -> any {
  """Quote one product."""
}

hook quoted on before_reply {
  if reply contains "元"
  retry """Look the price up with {{ tool.get_quote }}.""" max 2
  same as python "shop:quoted"
  same as python "shop:asked"
  fail closed
}

prompt system {
  section tools catalog tools
}
'''
RIGHT = 'def quoted(facts):\n    return "元" in facts.reply\n'
WRONG = 'def asked(facts):\n    return "元" in facts.reply and bool(facts.calls)\n'


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "harness.toml").write_text('[runtime]\nallow = ["shop"]\n', "utf-8")
    (tmp_path / "shop.py").write_text(RIGHT + WRONG, "utf-8")
    policy = "operators:\n  hooks: {tested: {hook/quoted: [1, 2]}}\n"
    (tmp_path / "policy.yaml").write_text(policy, "utf-8")
    path = tmp_path / "shop.harness"
    path.write_text(HARNESS, "utf-8")
    return path


def test_rows_run_what_the_suite_vouches_for_and_nothing_else(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, policy = shop.with_name("rows.jsonl"), shop.with_name("policy.yaml")
    assert main(["augment", str(shop), "--policy", str(policy), "-n", "6", "-o", str(rows)]) == 0
    said = capsys.readouterr().err
    assert "error[HD510] `shop:asked` and the condition disagree" in said, "a policy is not taken at its word"
    chosen = {
        json.dumps(json.loads(line)["implementations"]) for line in rows.read_text("utf-8").splitlines()
    }
    assert chosen == {'{"hook/quoted": 1}'}
    assert main(["verify", str(rows), "--harness", str(shop), "--reproduce"]) == 0
    shop.with_name("shop.py").write_text(RIGHT.replace("元", "块") + WRONG, "utf-8")
    capsys.readouterr()
    assert main(["verify", str(rows), "--harness", str(shop)]) == 1
    assert "proof 2: `quoted`: `shop:quoted` and the condition disagree on" in capsys.readouterr().out


def test_nothing_is_drawn_that_was_not_tested() -> None:
    core, surface = small_shop()
    variant = draw(core, surface, Policy.of({"hooks": {}}), 0, 0)
    assert variant.is_original
    policy = Policy.of({"hooks": {}}).with_parameters("hooks", {"tested": {"hook/price_is_quoted": (1,)}})
    certificate = draw(core, surface, policy, 0, 0).certificate
    assert certificate.level == "tested"
    assert certificate.surface.implementations == {"hook/price_is_quoted": 1}
