"""Both arms of the demo, as two processes, with a base that has learned nothing and two steps each."""

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from trainer.demo import SUITES, ArmFailed, run_arms

EXAMPLES = Path(__file__).parents[2] / "examples" / "live_shop"


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from trainer.tiny import model, tokenizer

    folder = tmp_path_factory.mktemp("demo")
    words = tokenizer.build()
    model.build(words, seed=0).save_pretrained(folder / "base")
    words.save_pretrained(folder / "base")
    path = folder / "run.yaml"
    path.write_text(
        f"harness: {EXAMPLES / 'shop_mini.harness'}\n"
        f"policy: {EXAMPLES / 'configs' / 'hsa.policy.yaml'}\n"
        "base: base\nout: out\nsteps: 2\nbatch_rows: 2\nturns: 2\nwarmup_steps: 1\nlog_steps: 1\n",
        encoding="utf-8",
    )
    return path


@pytest.mark.slow
def test_both_arms_are_trained_and_scored_side_by_side(config: Path, tmp_path: Path) -> None:
    said: list[tuple[str, str, int, int]] = []
    results = run_arms(config, tmp_path, n=4, report=lambda *progress: said.append(progress))
    shown = results.as_json()
    assert {arm: set(shown[arm]) for arm in ("fixed", "hsa")} == {"fixed": set(SUITES), "hsa": set(SUITES)}
    assert all(0 <= share <= 100 for arm in ("fixed", "hsa") for share in shown[arm].values())
    assert 100 < shown["prompt_tokens"] < 220 and shown["seconds"] > 0
    assert (results.fixed.manifest.hsa, results.hsa.manifest.hsa) == (False, True)
    assert results.fixed.manifest.rows == results.hsa.manifest.rows == 4
    assert [len(suite.items) for suite in results.hsa.suites] == [4, 4, 4]
    assert {("fixed", "train", 2, 2), ("hsa", "train", 2, 2), ("hsa", "evaluate own", 0, 3)} <= set(said)
    assert json.loads((tmp_path / "hsa" / "arm.json").read_text("utf-8"))["arm"] == "hsa"


@pytest.mark.slow
def test_an_arm_that_fails_says_why(config: Path, tmp_path: Path) -> None:
    broken = config.with_name("broken.yaml")
    broken.write_text(config.read_text("utf-8").replace("base: base", "base: nothing"), encoding="utf-8")
    with pytest.raises(ArmFailed, match="no tokenizer can be loaded"):
        run_arms(broken, tmp_path, n=1)
