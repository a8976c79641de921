"""Configuration files: mistakes are one line that names file and key."""

from pathlib import Path

import pytest

from trainer.sft.config import ConfigError, load_config

GOOD = "harness: shop.harness\nbase: ../base\nout: out\nsteps: 20\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "run.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    config = load_config(written(tmp_path, GOOD))
    assert config.harness == tmp_path / "shop.harness"
    assert config.base == tmp_path.parent / "base"


def test_options_of_the_command_win(tmp_path: Path) -> None:
    config = load_config(written(tmp_path, GOOD + "hsa: true\n"), hsa=False, steps=30, seed=None)
    assert (config.hsa, config.steps, config.seed) == (False, 30, 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD + "learnin_rate: 0.1\n", "unknown key `learnin_rate`, did you mean `learning_rate`?"),
        (GOOD + "zzz: 1\n", "unknown key `zzz`; known keys: harness"),
        (GOOD.replace("20", "0"), "steps: Input should be greater than 0"),
        (GOOD + "warmup_steps: 21\n", "warmup_steps 21 is more than steps 20"),
        (GOOD.replace("steps: 20\n", ""), "steps: Field required"),
        (GOOD + "steps: 21\n", "run.yaml:5: found duplicate key"),
        ("- a\n", "expected keys and values"),
        ("a: [1\n", "run.yaml:2:"),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(written(tmp_path, text))
    message = str(caught.value)
    assert said in message and "run.yaml" in message and "\n" not in message


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        load_config(tmp_path / "none.yaml")
