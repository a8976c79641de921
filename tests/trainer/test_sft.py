"""A fine-tuning run end to end: what it writes, that it can be loaded and scored, and that it goes on after
a kill.
"""

import json
import random
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from harness_dsl import __version__  # noqa: E402
from trainer.evaluate.run import evaluate  # noqa: E402
from trainer.sft.config import ConfigError, SftConfig  # noqa: E402
from trainer.sft.logs import RowLine  # noqa: E402
from trainer.sft.rows import open_rows  # noqa: E402
from trainer.sft.train import Run, _claim, last_checkpoint, train  # noqa: E402

EXAMPLES = Path(__file__).parents[2] / "examples" / "live_shop"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base checkpoint with fresh weights."""
    from trainer.tiny import model, tokenizer

    folder = tmp_path_factory.mktemp("base")
    words = tokenizer.build()
    model.build(words, seed=0).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def config(base: Path, out: Path, **settings: Any) -> SftConfig:
    return SftConfig(
        base=base,
        out=out,
        **{
            "harness": EXAMPLES / "shop_mini.harness",
            "policy": EXAMPLES / "configs" / "hsa.policy.yaml",
            "steps": 2,
            "batch_rows": 2,
            "turns": 2,
            "warmup_steps": 1,
            "log_steps": 1,
            **settings,
        },
    )


@pytest.fixture(scope="module")
def run(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return train(config(base, tmp_path_factory.mktemp("run")))


def weights(model: Path) -> dict[str, Any]:
    from safetensors.torch import load_file

    found: dict[str, Any] = load_file(model / "model.safetensors")
    return found


def test_the_directory_explains_the_run(run: Run) -> None:
    lines = [RowLine.model_validate_json(line) for line in (run.out / "rows.jsonl").read_text().splitlines()]
    manifest = json.loads((run.out / "manifest.json").read_text())
    settings = json.loads((run.out / "config.json").read_text())
    metrics = [json.loads(line) for line in (run.out / "metrics.jsonl").read_text().splitlines()]
    assert len(lines) == manifest["rows"] == 4
    assert manifest["tokens"] == sum(line.tokens for line in lines)
    assert manifest["trained_tokens"] == sum(line.trained for line in lines) > 0
    assert manifest["version"] == settings["version"] == __version__
    assert settings["seed"] == manifest["seed"] == 0
    assert set(manifest["operators"]) <= {"rename", "reorder", "limits"}
    assert manifest["operators"]["rename"] >= 3 and manifest["families"]["naming"] >= 3
    assert manifest["surfaces"] >= 3
    assert manifest["core_digest"].startswith("sha256:") and manifest["data_digest"].startswith("sha256:")
    assert [entry["step"] for entry in metrics if "loss" in entry] == [1, 2]


def test_training_moved_the_weights(run: Run, base: Path) -> None:
    before, after = weights(base), weights(run.model)
    assert before.keys() == after.keys()
    assert any(not torch.equal(before[name].float(), after[name].float()) for name in before)


@pytest.mark.parametrize("frozen", [True, False])
def test_only_frozen_embeddings_stay_as_the_base_has_them(base: Path, tmp_path: Path, frozen: bool) -> None:
    trained = weights(train(config(base, tmp_path / "run", freeze_embeddings=frozen)).model)
    same = {name for name, tensor in weights(base).items() if torch.equal(tensor, trained[name])}
    assert ("model.embed_tokens.weight" in same) is frozen
    assert len(same) < len(trained) / 2


def test_the_checkpoint_can_be_served_and_scored(run: Run) -> None:
    results = evaluate(EXAMPLES / "shop_mini.harness", run.model, ("own", "uptake"), n=3)
    assert [len(result.items) for result in results] == [3, 3]
    assert all(item.output for result in results for item in result.items)


def test_without_hsa_every_row_shows_the_file_as_it_is(base: Path, tmp_path: Path) -> None:
    manifest = train(config(base, tmp_path, hsa=False, steps=1)).manifest
    assert (manifest.operators, manifest.families, manifest.surfaces) == ({}, {}, 1)
    assert not manifest.hsa


def test_a_killed_run_goes_on_as_if_nothing_had_happened(base: Path, tmp_path: Path) -> None:
    class Killed(Exception):
        pass

    def kill(step: int, steps: int, metrics: dict[str, float]) -> None:
        if step == 3 and "loss" in metrics:
            raise Killed

    settings: dict[str, Any] = {"steps": 4, "save_steps": 2}
    whole = train(config(base, tmp_path / "whole", **settings))
    with pytest.raises(Killed):
        train(config(base, tmp_path / "killed", **settings), kill)
    # A checkpoint that was being written when the run died has no state yet, and is not taken.
    (tmp_path / "killed" / "checkpoint-3").mkdir()
    assert last_checkpoint(tmp_path / "killed") == tmp_path / "killed" / "checkpoint-2"
    resumed = train(config(base, tmp_path / "killed", **settings))
    assert resumed.manifest.data_digest == whole.manifest.data_digest
    one, other = weights(whole.model), weights(resumed.model)
    assert all(torch.equal(one[name], other[name]) for name in one)
    assert losses(resumed.out) == losses(whole.out)


def losses(out: Path) -> list[tuple[int, str]]:
    entries = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    return [(entry["step"], entry["loss"]) for entry in entries if "loss" in entry]


def test_a_finished_run_is_not_trained_again(run: Run, base: Path) -> None:
    def refuse(step: int, steps: int, metrics: dict[str, float]) -> None:
        raise AssertionError("it trains")

    assert train(config(base, run.out), refuse) == run


def test_another_configuration_does_not_go_on_with_this_run(run: Run, base: Path) -> None:
    with pytest.raises(ConfigError, match="another `learning_rate`"):
        train(config(base, run.out, learning_rate=0.1))


def test_a_harness_that_was_edited_does_not_go_on_with_this_run(base: Path, tmp_path: Path) -> None:
    harness = tmp_path / "talk.harness"
    text = 'harness talk "1.0.0"\n\nprompt system {\n  section persona """你是主播。"""\n}\n'
    settings = config(base, tmp_path / "out", harness=harness)
    harness.write_text(text, "utf-8")
    _claim(settings, open_rows(settings))
    _claim(settings, open_rows(settings))
    harness.write_text(text.replace("主播", "店主"), "utf-8")
    with pytest.raises(ConfigError, match="another `content`"):
        _claim(settings, open_rows(settings))


def test_a_base_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no tokenizer can be loaded"):
        train(config(tmp_path / "none", tmp_path / "out"))


@pytest.mark.parametrize("pool", ["held-out", "any"])
def test_an_evaluation_variant_in_the_training_data_stops_the_run(
    pool: str, base: Path, tmp_path: Path
) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(f"operators:\n  limits: {{ pool: {pool} }}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=f"pool `{pool}`, which evaluation holds out"):
        train(config(base, tmp_path / "out", policy=policy))


def test_rows_do_not_depend_on_the_process(run: Run, base: Path) -> None:
    random.seed(1)
    lines = [RowLine.model_validate_json(line) for line in (run.out / "rows.jsonl").read_text().splitlines()]
    rows = open_rows(config(base, run.out))
    assert [RowLine.of(rows.row(index)) for index in range(4)] == lines
