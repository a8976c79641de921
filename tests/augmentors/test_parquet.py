"""Datasets as Parquet: the same rows as in JSON lines, resumable, and a sentence for what cannot be read."""

import builtins
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from augmentors import parquet
from augmentors.dataset import numbered
from harness_dsl.cli.main import main
from harness_dsl.syntax.artefact import dump_ir
from tests.strategies import small_shop
from tests.strategies.shop import ROOM

pyarrow_parquet = pytest.importorskip("pyarrow.parquet")

CORE, SURFACE = small_shop()


@pytest.fixture
def harness(tmp_path: Path) -> str:
    path = tmp_path / "shop.json"
    path.write_bytes(dump_ir(CORE, SURFACE, "sha256:0"))
    return str(path)


@pytest.fixture
def talks(tmp_path: Path) -> str:
    from augmentors.samples import sample_talks

    path = tmp_path / "talks.jsonl"
    lines = [
        talk.model_copy(update={"lineage": {"task": f"t{number}"}, "inputs": {"danmaku": "", "room": ROOM}})
        for number, talk in enumerate(sample_talks(CORE))
    ]
    path.write_text("".join(one.model_dump_json() + "\n" for one in lines), "utf-8")
    return str(path)


def drawn(harness: str, out: Path, *words: str) -> Path:
    assert main(["augment", harness, "-n", "20", "-o", str(out), *words]) == 0
    return out


def test_rows_are_those_of_json_lines_and_are_verified(
    harness: str, talks: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--transcripts", talks, "--messages"]
    lines, columns = (drawn(harness, tmp_path / f"rows.{end}", *words) for end in ("jsonl", "parquet"))
    assert [*numbered(lines)] == [(number, f"{line}\n") for number, line in numbered(columns)]
    capsys.readouterr()
    said = []
    for path in (lines, columns):
        command = ["verify", str(path), "--harness", harness]
        assert main([*command, "--coverage", str(tmp_path / "coverage.json")]) == 0
        said.append(capsys.readouterr().err)
    assert said[0] == said[1] and "20 of 20 rows hold" in said[0]
    assert main(["variants", harness, "--from", str(columns), "-n", "2"]) == 0
    table = pyarrow_parquet.read_table(columns)
    assert table.column("row").to_pylist() == [*range(20)]
    assert table.column("lineage").to_pylist()[1] == [("task", "t1")]
    assert {name for row in table.column("operators").to_pylist() for name in row} >= {"rename", "reorder"}
    assert not list(tmp_path.glob("*.partial")) and not list(tmp_path.glob(".rows*"))


def test_a_row_that_does_not_hold_is_named(
    harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines, columns = drawn(harness, tmp_path / "rows.jsonl"), tmp_path / "bad.parquet"
    text = [line for _, line in numbered(lines)]
    text[7] = text[7].replace('"level":"', '"level":"un')
    parquet.write(text, columns)
    assert main(["verify", str(columns), "--harness", harness]) == 1
    assert "line 8: `level`" in capsys.readouterr().out


def test_conversations_are_columns_of_messages(harness: str, talks: str, tmp_path: Path) -> None:
    words = ["--transcripts", talks, "--format", "messages"]
    lines, columns = (drawn(harness, tmp_path / f"shown.{end}", *words) for end in ("jsonl", "parquet"))
    wanted = [json.loads(line) for _, line in numbered(lines)]
    assert [json.loads(line) for _, line in numbered(columns)] == wanted
    (first, *_) = pyarrow_parquet.read_table(columns).column("messages").to_pylist()
    assert [message["role"] for message in first] == ["system", "user", "assistant", "tool", "assistant"]
    assert json.loads(first[2]["tool_calls"][0]["function"]["arguments"])
    assert main(["leakage", str(columns), str(lines), "--allow", "pool"]) == 1
    assert main(["split", str(columns), "-o", str(tmp_path / "sets")]) == 0


def test_a_killed_run_goes_on_and_ends_in_the_same_file(harness: str, tmp_path: Path) -> None:
    one, two = tmp_path / "one.parquet", tmp_path / "two.parquet"
    drawn(harness, one)
    lines = drawn(harness, tmp_path / "rows.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "two.parquet.partial").write_bytes(b"".join(lines[:9]) + lines[9][:9])
    drawn(harness, two)
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize("damage", [lambda data: data[:-30], lambda data: data[:4] + b"x" * 40])
def test_a_damaged_file_is_said_in_a_sentence(
    damage: Any, harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = drawn(harness, tmp_path / "rows.parquet")
    path.write_bytes(damage(path.read_bytes()))
    assert main(["verify", str(path), "--harness", harness]) == 2
    said = capsys.readouterr().err
    assert "no parquet file that can be read" in said and "Traceback" not in said


def test_without_pyarrow_the_extra_is_named_before_a_row_is_drawn(
    harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, path = builtins.__import__, drawn(harness, tmp_path / "rows.parquet")

    def without(name: str, *others: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "pyarrow":
            raise ModuleNotFoundError("No module named 'pyarrow'", name="pyarrow")
        return real(name, *others, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    out = tmp_path / "other.parquet"
    for command in (["augment", harness, "-o", str(out)], ["verify", str(path), "--harness", harness]):
        assert main(command) == 2
        assert "[parquet]" in capsys.readouterr().err
    assert not out.exists() and not list(tmp_path.glob("*.partial"))


def test_memory_does_not_grow_with_the_number_of_rows(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        line = json.dumps({"v": "2.0", "seed": 0, "row": 1, "ops": "", "surface": "x" * 2000})
        tracemalloc.start()
        path = tmp_path / f"{count}.parquet"
        parquet.write((line for _ in range(count)), path)
        assert sum(1 for _ in parquet.lines(path)) == count
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    assert peak(8000) < 1.5 * peak(2000)
