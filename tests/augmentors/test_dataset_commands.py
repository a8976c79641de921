"""Datasets on disk: killed and gone on with, by several workers, as messages; and variants side by side."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from augmentors.certificates import to_line
from augmentors.codebook import codebook
from augmentors.dataset import Row, read
from augmentors.policy import Policy
from augmentors.variants import draw
from harness_dsl.cli.main import main
from harness_dsl.syntax.artefact import dump_ir
from tests.strategies import small_shop

CORE, SURFACE = small_shop()


@pytest.fixture
def harness(tmp_path: Path) -> str:
    path = tmp_path / "shop.json"
    path.write_bytes(dump_ir(CORE, SURFACE, "sha256:0"))
    return str(path)


@pytest.mark.parametrize("form", ["rows", pytest.param("messages", marks=pytest.mark.slow)])
def test_a_killed_run_gives_the_same_file_when_run_again(harness: str, tmp_path: Path, form: str) -> None:
    """SIGKILL leaves no time to tidy up."""
    out, whole = tmp_path / "rows.jsonl", tmp_path / "whole.jsonl"
    command = ["augment", harness, "-n", "300", "--seed", "4", "--format", form, "-o"]
    run = subprocess.Popen([sys.executable, "-m", "harness_dsl.cli.main", *command, str(out)])
    partial = tmp_path / "rows.jsonl.partial"
    while run.poll() is None and not (partial.exists() and partial.stat().st_size):
        time.sleep(0.01)
    run.send_signal(signal.SIGKILL)
    run.wait()
    assert not out.exists(), "the run was over before it could be killed"
    kept = partial.stat().st_size
    assert main([*command, str(out)]) == 0
    assert main([*command, str(whole)]) == 0
    assert out.read_bytes() == whole.read_bytes()
    assert 0 < kept < out.stat().st_size
    assert not partial.exists()


def test_workers_write_and_verify_the_same(
    harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    counts = [tmp_path / name for name in ("c1", "c2", "v1", "v2")]
    for out, workers, count in ((one, "1", counts[0]), (two, "2", counts[1])):
        command = ["augment", harness, "-n", "130", "--workers", workers, "--coverage", str(count)]
        assert main([*command, "-o", str(out)]) == 0
    assert one.read_bytes() == two.read_bytes()
    lines = one.read_text("utf-8").splitlines()
    lines[70], lines[120] = lines[70].replace('"seed":0', '"seed":true'), "[]"
    one.write_text("\n".join(lines), "utf-8")
    said = []
    for workers, count in (("1", counts[2]), ("2", counts[3])):
        capsys.readouterr()
        command = ["verify", str(one), "--harness", harness, "--workers", workers, "--reproduce"]
        assert main([*command, "--coverage", str(count)]) == 1
        said.append(capsys.readouterr())
    assert said[0] == said[1]
    assert "line 121: a row must be a JSON object" in said[0].out
    assert counts[0].read_text() == counts[1].read_text()
    assert counts[2].read_text() == counts[3].read_text()


def test_coverage_names_operators_pairs_and_symbols(harness: str, tmp_path: Path) -> None:
    out, policy, count = tmp_path / "rows.jsonl", tmp_path / "policy.yaml", tmp_path / "coverage.json"
    policy.write_text("operators: {rename: {}, reorder: {probability: 0.5}, hide: {}}", "utf-8")
    command = ["augment", harness, "-n", "40", "--policy", str(policy), "-o", str(out)]
    assert main([*command, "--coverage", str(count)]) == 0
    data = json.loads(count.read_text("utf-8"))
    assert data["rows"] == data["variants"] == 40
    assert data["operators"]["rename"] == 40
    assert data["symbols"]["rename"]["tool/get_quote"] == 40
    assert 0 < data["pairs"]["rename+reorder"] == data["operators"]["reorder"] < 40
    assert "hide" not in data["operators"], "without a task nothing may be hidden"
    assert data["never"] == []


def test_what_was_never_exercised_is_said(
    harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, policy = tmp_path / "rows.jsonl", tmp_path / "policy.yaml"
    policy.write_text("operators: {rename: {}, markup: {probability: 0.0001}}", "utf-8")
    command = ["augment", harness, "-n", "3", "--policy", str(policy), "-o", str(out)]
    assert main([*command, "--coverage", str(tmp_path / "coverage.json")]) == 0
    assert "never exercised: 1 symbol of an operator: markup of prompt/system" in capsys.readouterr().err


def test_one_line_says_what_there_is_where_nobody_asks_for_more(
    harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, policy, count = tmp_path / "rows.jsonl", tmp_path / "policy.yaml", str(tmp_path / "coverage.json")
    policy.write_text("operators: {rename: {}, markup: {}}", "utf-8")
    draw_one = ["augment", harness, "-n", "1", "--policy", str(policy), "-o", str(out)]
    check = ["verify", str(out), "--harness", harness]
    for command, more in ((draw_one, ""), (check, "1 of 1 row holds\n")):
        assert main(command) == 0
        assert capsys.readouterr().err == f"1 row, 1 variant, 0 originals\n{more}"
        assert main([*command, "--coverage", count]) == 0
        said = capsys.readouterr().err
        assert "  rename: 1 row; changed at least once: " in said and "  pairs: markup+rename 1\n" in said


def test_messages_alone_are_plain_conversations(harness: str, tmp_path: Path) -> None:
    out = tmp_path / "talks.jsonl"
    assert main(["augment", harness, "-n", "5", "--format", "messages", "-o", str(out)]) == 0
    for number, line in enumerate(out.read_text("utf-8").splitlines()):
        row = json.loads(line)
        certificate = draw(CORE, SURFACE, Policy.default(), 0, number).certificate
        assert row["surface_digest"] == certificate.surface_digest
        assert [message["role"] for message in row["messages"]][:2] == ["system", "user"]
        assert all("harness" not in message for message in row["messages"])


def test_rows_of_the_first_format_are_verified_too(
    harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "old.jsonl"
    made = [draw(CORE, SURFACE, Policy.default(), 0, row).certificate for row in range(8)]
    old.write_text("".join(map(to_line, made)), "utf-8")
    assert main(["verify", str(old), "--harness", harness, "--reproduce"]) == 0
    assert "8 of 8 rows hold" in capsys.readouterr().err
    rows = [row for row in read(old, codebook(CORE, SURFACE)) if isinstance(row, Row)]
    assert [row.certificate for row in rows] == made


def test_rows_of_an_unknown_format_are_refused_in_a_sentence(
    harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = tmp_path / "new.jsonl"
    new.write_text('{"v":"3.0"}\n{"schema_version":"7.0"}\n', "utf-8")
    assert main(["verify", str(new), "--harness", harness]) == 1
    said = capsys.readouterr().out
    assert "line 1: rows of version '3.0' are not known here" in said
    assert "line 2: schema version '7.0' is not known here" in said


def seen(harness: str, capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["variants", harness, "--format", "json", *words]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def test_variants_stand_side_by_side(harness: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["variants", harness, "-n", "2", "--seed", "3", "--width", "100"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert "original" in table[1] and "row 0" in table[1] and "row 1" in table[1]
    variant = draw(CORE, SURFACE, Policy.default(), 3, 0)
    line = next(line for line in table if line.startswith("  tool/get_quote "))
    assert "query_price" in line and f"* {variant.surface.names['tool/get_quote']}" in line
    assert all(len(line) <= 110 for line in table[1:])


def test_every_difference_is_listed_with_who_shows_it(
    harness: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = seen(harness, capsys, "-n", "6", "--seed", "5")
    drawn = [draw(CORE, SURFACE, Policy.default(), 5, row) for row in range(6)]
    assert [one["surface_digest"] for one in data["variants"]] == [
        one.certificate.surface_digest for one in drawn
    ]
    listed = {(one["aspect"], one["id"]): one for one in data["differences"]}
    for at, variant in enumerate(drawn):
        for id_, name in variant.surface.names.items():
            old = SURFACE.names.get(id_) or id_.rsplit("/", 1)[-1]
            assert (name != old) == listed.get(("name", id_), {"changed": [False] * 6})["changed"][at]
    assert all(any(one["changed"]) for one in data["differences"])


def test_rows_of_a_file_are_shown_as_they_were_drawn(
    harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rows.jsonl"
    policy = tmp_path / "policy.yaml"
    policy.write_text("operators: {rename: {}, limits: {}}", "utf-8")
    main(["augment", harness, "-n", "5", "--seed", "9", "--policy", str(policy), "-o", str(out)])
    drawn = seen(harness, capsys, "-n", "2", "--first", "3", "--seed", "9", "--policy", str(policy))
    assert seen(harness, capsys, "-n", "2", "--first", "3", "--from", str(out)) == drawn
    assert {one["aspect"] for one in drawn["differences"]} == {"name", "limit"}
    assert main(["variants", harness, "--first", "9", "--from", str(out)]) == 1
    out.write_text("{}\n", "utf-8")
    assert main(["variants", harness, "--from", str(out)]) == 1
    assert "schema version" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["variants", "none.harness"], "no file"),
        (["variants", "HARNESS", "-n", "0"], "--rows"),
        (["variants", "HARNESS", "--policy", "none.yaml"], "none.yaml"),
        (["variants", "HARNESS", "--from", "none.jsonl"], "none.jsonl"),
        (["augment", "HARNESS", "--workers", "0"], "--workers"),
        (["augment", "HARNESS", "--transcripts", "FILE", "-o", "FILE"], "is read"),
        (["augment", "HARNESS", "--messages", "--format", "messages"], "choose one"),
        (["augment", "HARNESS", "--coverage", "no/folder/c.json"], "no folder"),
        (["verify", "HARNESS", "--harness", "HARNESS", "--workers", "0"], "--workers"),
    ],
)
def test_wrong_usage_ends_with_two_and_a_sentence(
    words: list[str], said: str, harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file.jsonl"
    file.touch()
    named = {"HARNESS": harness, "FILE": str(file)}
    assert main([named.get(word, word) for word in words]) == 2
    printed = capsys.readouterr().err
    assert said in printed
    assert "Traceback" not in printed


def test_nothing_but_the_output_is_left(harness: str, tmp_path: Path) -> None:
    out = tmp_path / "out" / "rows.jsonl"
    out.parent.mkdir()
    assert main(["augment", harness, "-n", "4", "-o", str(out)]) == 0
    assert [path.name for path in out.parent.iterdir()] == ["rows.jsonl"]
