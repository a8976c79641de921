"""`harnessc train` and `harnessc eval`: mistakes are a sentence and an exit status, never a traceback."""

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from harness_dsl.cli import eval as eval_command
from harness_dsl.cli import train as train_command

MINI = Path(__file__).parents[2] / "examples" / "live_shop" / "shop_mini.harness"


def call(command: Any, *words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    status: int = command.run(parser.parse_args(words))
    return status


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from trainer.tiny import model, tokenizer

    folder = tmp_path_factory.mktemp("base")
    words = tokenizer.build()
    model.build(words, seed=0).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def settings(base: Path, out: Path, harness: Path = MINI, more: str = "") -> str:
    return f"harness: {harness}\nbase: {base}\nout: {out}\nsteps: 1\nbatch_rows: 1\nwarmup_steps: 0\n{more}"


def test_train_then_eval(base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "run.yaml"
    config.write_text(settings(base, tmp_path / "out"), encoding="utf-8")
    assert call(train_command, "sft", str(config), "--hsa", "off") == 0
    assert "1 rows" in capsys.readouterr().out
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["hsa"] is False
    model, found = tmp_path / "out" / "model", tmp_path / "result.json"
    words = (str(MINI), "--model", str(model), "--suite", "own", "--n", "2", "--json", str(found))
    assert call(eval_command, *words) == 0
    assert "of 2" in capsys.readouterr().out
    assert len(json.loads(found.read_text("utf-8"))[0]["items"]) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("steps: 1\n", "harness: Field required"),
        ("harness: none.harness\nbase: b\nout: o\nsteps: 1\nwarmup_steps: 0\n", "none.harness"),
        ("stepz: 1\n", "did you mean `steps`?"),
    ],
)
def test_a_mistake_in_the_configuration_is_said(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run.yaml").write_text(text, encoding="utf-8")
    assert call(train_command, "sft", str(tmp_path / "run.yaml")) == 1
    shown = capsys.readouterr()
    assert said in shown.err and "Traceback" not in shown.err


def test_a_mistake_in_the_harness_is_a_diagnostic(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    harness = tmp_path / "bad.harness"
    harness.write_text(
        'harness bad "1.0.0"\nprompt system { section rules catalog toolz }\n', encoding="utf-8"
    )
    (tmp_path / "run.yaml").write_text(settings(base, tmp_path / "out", harness), encoding="utf-8")
    assert call(train_command, "sft", str(tmp_path / "run.yaml")) == 1
    assert "bad.harness:2:" in capsys.readouterr().err


def test_eval_names_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(eval_command, str(MINI), "--model", str(tmp_path / "none")) == 2
    assert "no tokenizer" in capsys.readouterr().err
    assert call(eval_command, str(MINI), "--model", str(tmp_path), "--n", "0") == 2
