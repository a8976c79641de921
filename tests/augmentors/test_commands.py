"""`harnessc augment` and `harnessc verify` as their users meet them."""

import json
from pathlib import Path
from typing import Any

import pytest

import augmentors.rows
from augmentors.certificates import Certificate, to_line
from augmentors.codebook import codebook
from augmentors.compact import from_row
from harness_dsl.cli.main import main
from harness_dsl.ir.canonical import core_digest
from harness_dsl.ir.transcript import Call, Generated, ReplyText, Result, Transcript, User
from harness_dsl.syntax.artefact import dump_ir
from tests.strategies import small_shop
from tests.strategies.shop import ROOM

CORE, SURFACE = small_shop()


@pytest.fixture
def harness(tmp_path: Path) -> str:
    path = tmp_path / "shop.json"
    path.write_bytes(dump_ir(CORE, SURFACE, "sha256:0"))
    return str(path)


BOOK = codebook(CORE, SURFACE)


def certificates(path: Path) -> list[Certificate]:
    return [from_row(row, BOOK) for row in lines(path)]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_rows_are_drawn_and_hold(harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "rows.jsonl"
    assert main(["augment", harness, "-n", "30", "--seed", "5", "--messages", "-o", str(out)]) == 0
    assert "30 rows" in capsys.readouterr().err
    assert [row["row"] for row in lines(out)] == list(range(30))
    assert main(["verify", str(out), "--harness", harness, "--reproduce"]) == 0
    assert "30 of 30 rows hold" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.jsonl", "shop.json"]


def test_the_same_seed_writes_the_same_bytes_to_standard_output(
    harness: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["augment", harness, "-n", "5"]) == 0
    first = capsys.readouterr().out
    assert main(["augment", harness, "-n", "5"]) == 0
    assert capsys.readouterr().out == first
    assert first.count("\n") == 5
    assert main(["augment", harness, "-n", "5", "--seed", "1"]) == 0
    assert capsys.readouterr().out != first


def test_a_harness_file_is_compiled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(__file__).resolve().parents[2] / "examples" / "live_shop" / "shop_mini.harness"
    out = tmp_path / "rows.jsonl"
    assert main(["augment", str(path), "-n", "5", "--pool", "held-out", "-o", str(out)]) == 0
    assert main(["verify", str(out), "--harness", str(path)]) == 0


def test_each_failing_row_is_named_with_its_proof(
    harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rows.jsonl"
    policy = tmp_path / "policy.yaml"
    policy.write_text("operators: {rename: {swap: 0}, reorder: {}}", "utf-8")
    main(["augment", harness, "-n", "6", "--policy", str(policy), "--messages", "-o", str(out)])
    rows = out.read_text("utf-8").splitlines()
    certificate = certificates(out)[1]
    names = {**certificate.surface.names, "tool/get_item": "check stock"}
    broken = certificate.model_copy(
        update={"surface": certificate.surface.model_copy(update={"names": names})}
    )
    stale = json.loads(rows[3])
    stale["messages"][0]["content"] = stale["messages"][0]["content"].replace("markdown", "x") + "get_item"
    rows[1], rows[2], rows[3] = to_line(broken).strip(), "{not json", json.dumps(stale)
    out.write_text("\n".join(rows) + "\n", "utf-8")
    capsys.readouterr()
    assert main(["verify", str(out), "--harness", harness]) == 1
    said = capsys.readouterr()
    assert "rows.jsonl:2: row 1: proof 1" in said.out
    assert "line 3: no JSON" in said.out
    assert "rows.jsonl:4: row 3: proof 3" in said.out
    assert "3 of 6 rows hold" in said.err
    assert "Traceback" not in said.out + said.err


def test_rows_of_another_harness_do_not_hold(
    harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, other = tmp_path / "rows.jsonl", tmp_path / "other.json"
    other.write_bytes(dump_ir(CORE.model_copy(update={"hooks": ()}), SURFACE, "sha256:0"))
    main(["augment", harness, "-n", "2", "-o", str(out)])
    assert main(["verify", str(out), "--harness", str(other)]) == 1
    assert "another Core" in capsys.readouterr().out


def test_a_row_that_was_not_drawn_so_is_not_reproduced(
    harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rows.jsonl"
    main(["augment", harness, "-n", "3", "-o", str(out)])
    rows = lines(out)
    changed = next(row for row in rows if row.get("ops"))
    changed["seed"] = 99
    out.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert main(["verify", str(out), "--harness", harness]) == 0
    assert main(["verify", str(out), "--harness", harness, "--reproduce"]) == 1
    assert "not reproduced" in capsys.readouterr().out


def test_an_interrupted_run_goes_on_where_it_stopped(
    harness: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, out = tmp_path / "whole.jsonl", tmp_path / "rows.jsonl"
    main(["augment", harness, "-n", "12", "-o", str(whole)])
    honest, drawn = augmentors.rows.make, []

    def interrupted(recipe: augmentors.rows.Recipe, row: int) -> augmentors.rows.Made:
        drawn.append(row)
        if len(drawn) == 8:
            raise KeyboardInterrupt
        return honest(recipe, row)

    monkeypatch.setattr(augmentors.rows, "make", interrupted)
    assert main(["augment", harness, "-n", "12", "-o", str(out)]) == 130
    assert not out.exists()
    assert "7 of 12 rows are kept" in capsys.readouterr().err
    with (tmp_path / "rows.jsonl.partial").open("a", encoding="utf-8") as partial:
        partial.write('{"cut off')
    drawn.clear()
    monkeypatch.setattr(
        augmentors.rows, "make", lambda recipe, row: (drawn.append(row), honest(recipe, row))[1]
    )
    assert main(["augment", harness, "-n", "12", "-o", str(out)]) == 0
    assert drawn[2:] == list(range(7, 12))
    assert out.read_bytes() == whole.read_bytes()


def test_rows_of_another_recipe_are_not_gone_on_with(harness: str, tmp_path: Path) -> None:
    out, whole = tmp_path / "rows.jsonl", tmp_path / "whole.jsonl"
    main(["augment", harness, "-n", "4", "--seed", "1", "-o", str(whole)])
    (tmp_path / "rows.jsonl.partial").write_bytes(whole.read_bytes())
    assert main(["augment", harness, "-n", "4", "--seed", "2", "-o", str(out)]) == 2
    assert (tmp_path / "rows.jsonl.partial").read_bytes() == whole.read_bytes()
    assert not out.exists()


def test_the_harness_itself_is_no_output(harness: str) -> None:
    before = Path(harness).read_bytes()
    assert main(["augment", harness, "-n", "2", "-o", harness]) == 2
    assert Path(harness).read_bytes() == before


def test_conversations_are_shown_in_each_variant(harness: str, tmp_path: Path) -> None:
    talk = Transcript(
        core_digest=core_digest(CORE),
        inputs={"danmaku": "3号多少钱", "room": ROOM},
        events=(
            User(text="3号多少钱"),
            Generated(events=(Call(tool="tool/get_quote", arguments={"link_id": 3}),)),
            Result(tool="tool/get_quote", value={"amount": 89, "currency": "CNY"}),
            Generated(events=(ReplyText(text=("89元",)),)),
        ),
    )
    given, out = tmp_path / "talk.jsonl", tmp_path / "rows.jsonl"
    given.write_text(talk.model_dump_json() + "\n", "utf-8")
    command = ["augment", harness, "-n", "8", "--transcripts", str(given), "--messages", "-o", str(out)]
    assert main(command) == 0
    assert main(["verify", str(out), "--harness", harness]) == 0
    for row, certificate in zip(lines(out), certificates(out), strict=True):
        assert certificate.footprint is not None
        assert certificate.footprint.symbols == ("tool/get_quote",)
        call = json.dumps(row["messages"])
        assert f'"{certificate.surface.names["tool/get_quote"]}"' in call


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("operators:\n", "draws no operator"),
        ("{}\n", "draws no operator"),
        ("operators: {rename: {probability: 0}}\n", "draws no operator"),
        ("original: 1\noperators: {rename: {}}\n", "keeps the original in every row"),
        ("operators: {rename: {probability: 0.01}}\n", ""),
    ],
)
@pytest.mark.parametrize("command", ["augment", "variants"])
def test_a_policy_that_draws_nothing_is_noted(
    command: str, policy: str, said: str, harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(policy, "utf-8")
    assert main([command, harness, "-n", "1", "--policy", str(path)]) == 0
    told = capsys.readouterr().err
    assert (f"{path}: note: the policy {said}" in told) if said else ("note" not in told)


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["augment", "none.harness"], 2, "no file"),
        (["augment", "HARNESS", "-n", "0"], 2, "--rows"),
        (["augment", "HARNESS", "-n", "x"], 2, "--rows"),
        (["augment", "HARNESS", "--policy", "none.yaml"], 2, "none.yaml"),
        (["augment", "HARNESS", "--policy", "BAD"], 1, "did you mean `rename`"),
        (["augment", "HARNESS", "--policy", "NONE"], 1, "the harness has no `tool/none`"),
        (["variants", "HARNESS", "--policy", "NONE"], 1, "the harness has no `tool/none`"),
        (["augment", "HARNESS", "--transcripts", "BAD"], 1, "no transcript"),
        (["augment", "HARNESS", "-o", "no/such/folder/rows.jsonl"], 2, "no folder"),
        (["augment", "BAD"], 1, ""),
        (["verify", "none.jsonl", "--harness", "HARNESS"], 2, "no file"),
        (["verify", "BAD", "--harness", "none.harness"], 2, "no file"),
        (["verify", "BAD"], 2, "--harness"),
        (["verify", "EMPTY", "--harness", "HARNESS"], 2, "no row"),
        (["verify", "BAD", "--harness", "HARNESS", "--transcripts", "BAD"], 2, "give --replay, too"),
        (["verify", "BAD", "--harness", "HARNESS", "--timeout", "1"], 2, "give --replay, too"),
    ],
)
def test_a_mistake_is_said_without_a_traceback(
    arguments: list[str],
    status: int,
    said: str,
    harness: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    bad, empty = tmp_path / "bad.harness", tmp_path / "empty.jsonl"
    bad.write_text("operators: {renaem: {}}\n", "utf-8")
    empty.write_text("", "utf-8")
    none = tmp_path / "none.yaml"
    none.write_text("operators: {remove-tool: {tools: [tool/none]}}\n", "utf-8")
    places = {"HARNESS": harness, "BAD": str(bad), "EMPTY": str(empty), "NONE": str(none)}
    assert main([places.get(word, word) for word in arguments]) == status
    printed = capsys.readouterr()
    assert said in printed.err + printed.out
    assert "Traceback" not in printed.err + printed.out


def test_a_row_that_is_nested_too_deep_is_a_bad_row(
    harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "deep.jsonl"
    rows.write_text("[" * 200_000 + "\n", "utf-8")
    assert main(["verify", str(rows), "--harness", harness]) == 1
    assert "line 1: the row is nested too deep" in capsys.readouterr().out
