"""Training on recorded conversations: under fresh variants, as certified rows, never on what is held out."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from augmentors import parquet
from augmentors.policy import Policy
from augmentors.rows import Recipe, make
from harness_dsl.ir.transcript import Transcript, User
from trainer.sft.collate import IGNORED, DataFault
from trainer.sft.config import ConfigError, SftConfig, load_config
from trainer.sft.recorded import FromRows, FromTranscripts, RecordedRows, recorded
from trainer.simulator.conversation import solve
from trainer.simulator.tasks import draw_task, kinds_for

POLICY = Policy.of({"rename": {}, "reorder": {}, "markup": {"probability": 0.5}})
COUNT = 5


def general(rng: random.Random) -> tuple[Sequence[int], Sequence[int]]:
    return [rng.randint(300, 400), 5], [IGNORED, 5]


@pytest.fixture(scope="module")
def conversations(mini: Any) -> tuple[Transcript, ...]:
    tasks = [draw_task(seed, "train", kinds_for(mini.core), turns=2) for seed in range(COUNT)]
    return tuple(
        solve(mini.core, task, mini.run).model_copy(update={"lineage": {"task": task.id}}) for task in tasks
    )


def written(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("".join(line if line.endswith("\n") else f"{line}\n" for line in lines), "utf-8")
    return path


@pytest.fixture
def talks(tmp_path: Path, conversations: tuple[Transcript, ...]) -> Path:
    return written(tmp_path / "talks.jsonl", [one.model_dump_json() for one in conversations])


def rows_of(mini: Any, conversations: tuple[Transcript, ...], policy: Policy = POLICY) -> list[str]:
    recipe = Recipe(mini.core, mini.surface, policy, 0, conversations, with_messages=True)
    return [make(recipe, row).line for row in range(COUNT)]


def config(**settings: Any) -> SftConfig:
    here = Path("unused")
    return SftConfig(harness=here, base=here, out=here, steps=10, general_share=0.0, **settings)


def source(mini: Any, tokenizer: Any, settings: SftConfig) -> RecordedRows:
    found = recorded(settings, mini, POLICY, None)
    assert found is not None
    return RecordedRows(settings, mini, POLICY, tokenizer, general, found)


def test_each_epoch_shows_a_conversation_under_a_fresh_variant(
    mini: Any, tokenizer: Any, talks: Path
) -> None:
    rows = source(mini, tokenizer, config(transcripts=talks))
    first, again = rows.row(1), rows.row(1 + COUNT)
    assert first.origin is not None and again.origin is not None
    assert first.origin.surface_digest != again.origin.surface_digest
    assert first.row.ids != again.row.ids
    found = [
        FromTranscripts(config(transcripts=talks), mini, POLICY, None).shown(at) for at in (1, 1 + COUNT)
    ]
    users = [[event for event in one.transcript.events if isinstance(event, User)] for one in found]
    assert users[0] == users[1]
    assert rows.row(1).row == first.row, "a row is the same whoever asks for it, and when"


def test_without_variants_conversations_are_shown_as_the_file_says(
    mini: Any, tokenizer: Any, talks: Path
) -> None:
    rows = source(mini, tokenizer, config(transcripts=talks, hsa=False))
    assert {rows.row(at).origin.operators for at in range(COUNT)} == {()}  # type: ignore[union-attr]  # no chat
    assert rows.row(1).row.ids == rows.row(1 + COUNT).row.ids


@pytest.mark.parametrize("end", ["jsonl", "parquet"])
def test_rows_are_trained_as_they_were_drawn(
    end: str, mini: Any, tokenizer: Any, conversations: tuple[Transcript, ...], talks: Path, tmp_path: Path
) -> None:
    path = tmp_path / f"rows.{end}"
    lines = rows_of(mini, conversations)
    if end == "parquet":
        parquet.write(lines, path)
    else:
        written(path, lines)
    drawn = source(mini, tokenizer, config(rows=path))
    fresh = source(mini, tokenizer, config(transcripts=talks))
    for at in range(COUNT):
        assert drawn.row(at).row.ids == fresh.row(at).row.ids
        assert drawn.row(at).row.labels == fresh.row(at).row.labels
    assert drawn.row(COUNT).row.ids == drawn.row(0).row.ids
    assert drawn.prompt_tokens == fresh.prompt_tokens > 50


def test_a_row_that_must_not_be_trained_on_stops_the_run(
    mini: Any, conversations: tuple[Transcript, ...], tmp_path: Path
) -> None:
    lines = rows_of(mini, conversations)
    tampered = json.loads(lines[1])
    tampered["messages"][1]["content"] += "!"
    tampered["messages"][0]["content"] += "!"
    bare = {key: value for key, value in json.loads(lines[2]).items() if key != "messages"}
    held_out = rows_of(mini, conversations, POLICY.with_pool("held-out"))[3]
    path = written(
        tmp_path / "rows.jsonl", [lines[0], json.dumps(tampered), json.dumps(bare), held_out, "{}"]
    )
    rows = FromRows(config(rows=path), mini, None)
    assert rows.shown(0).certificate.row == 0
    for at, said in ((1, "proof 3"), (2, "--messages"), (3, "held-out"), (4, "schema version")):
        with pytest.raises(DataFault, match=said) as caught:
            rows.shown(at)
        assert f"rows.jsonl:{at + 1}: " in str(caught.value)


def test_what_is_held_out_is_not_trained_on(
    mini: Any, conversations: tuple[Transcript, ...], talks: Path, tmp_path: Path
) -> None:
    other = solve(mini.core, draw_task(9, "test", kinds_for(mini.core), turns=2), mini.run)
    apart = written(tmp_path / "eval.jsonl", [other.model_dump_json()])
    assert recorded(config(transcripts=talks, held_out=apart), mini, POLICY, None) is not None
    shared = written(tmp_path / "shared.jsonl", [other.model_dump_json(), conversations[3].model_dump_json()])
    with pytest.raises(ConfigError, match="lines 4 and 2: lineage: task `train-3-2`"):
        recorded(config(transcripts=talks, held_out=shared), mini, POLICY, None)
    rows = written(tmp_path / "rows.jsonl", rows_of(mini, conversations))
    with pytest.raises(ConfigError, match="line 1: family: `order` is held out"):
        recorded(config(rows=rows, hold_out_families=("order",)), mini, POLICY, None)
    with pytest.raises(ConfigError, match="no family `ordre`"):
        recorded(config(rows=rows, hold_out_families=("ordre",)), mini, POLICY, None)


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "no transcript in it"), ("{}\n", "no transcript"), ("x\n", "no transcript")],
)
def test_a_file_that_holds_no_transcripts_is_said(text: str, said: str, mini: Any, tmp_path: Path) -> None:
    path = tmp_path / "talks.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=said):
        recorded(config(transcripts=path), mini, POLICY, None)


def test_two_sources_or_none_for_what_is_held_out_are_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "sft.yaml"
    base = "harness: a\nbase: b\nout: c\nsteps: 30\n"
    for more, said in (
        ("transcripts: t\nrows: r\n", "two sources"),
        ("held_out: h\n", "about transcripts or rows"),
    ):
        path.write_text(base + more, "utf-8")
        with pytest.raises(ConfigError, match=said):
            load_config(path)
    path.write_text(base + "rows: r.parquet\nheld_out: e.jsonl\n", "utf-8")
    assert load_config(path).rows == tmp_path / "r.parquet"
