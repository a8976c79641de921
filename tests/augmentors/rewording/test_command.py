"""`harnessc reword` and the commands that draw from banks, as their users meet them."""

import io
import json
import re
from pathlib import Path

import pytest

from augmentors.rewording.reading import load_bank
from harness_dsl.cli.main import main

HARNESS = '''harness tea_shop "1.0.0"

tool get_quote(link_id: int "Number of the link.") -> any {
  """Look up the current price of a link."""
}

prompt system {
  section rules unordered {
    rule quoted """Never say a price that {{ tool.get_quote }} did not return."""
    fixed rule law """Prices include tax."""
    rule late """回复不超过60个字。"""
  }
}
'''
QUOTE = "tool/get_quote/description"
QUOTED = "prompt/system/section/rules/quoted"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tea.harness").write_text(HARNESS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


BANK = Path("tea.wordings.yaml")


def reword(*words: str) -> int:
    return main(["reword", "tea.harness", *words])


def states() -> dict[str, list[str]]:
    return {id_: [one.state for one in entry.wordings] for id_, entry in load_bank(BANK).entries.items()}


def keys(capsys: Capture) -> list[str]:
    capsys.readouterr()
    reword("--list")
    return re.findall(r"^  \w+ +([0-9a-f]{8})  ", capsys.readouterr().out, re.MULTILINE)


def test_rules_propose_once_and_only_what_may_vary(capsys: Capture) -> None:
    assert reword("--rules", "-n", "1") == 0
    assert "proposed and 0 rejected wordings for 3 of" in capsys.readouterr().err
    first = BANK.read_bytes()
    assert "law" not in BANK.read_text("utf-8") and set(states()) == {QUOTE, QUOTED, QUOTED[:-6] + "late"}
    assert reword("--rules", "-n", "1") == 0
    assert BANK.read_bytes() == first and "0 proposed" in capsys.readouterr().err
    assert reword("--rules", "-n", "5", "--only", QUOTED) == 0
    assert len(states()[QUOTED]) == 2 and len(states()[QUOTE]) == 1 and first[:200] == BANK.read_bytes()[:200]


def test_wordings_are_accepted_and_rejected_by_key_text_and_all(capsys: Capture) -> None:
    reword("--rules")
    one, *_ = keys(capsys)
    assert reword("--accept", one) == 0
    assert "1 accepted; 1 accepted" in capsys.readouterr().err
    assert reword("--reject", QUOTED, "--reason", "too stiff: really") == 0
    assert set(states()[QUOTED]) == {"rejected"} and 'reason: "too stiff: really"' in BANK.read_text("utf-8")
    assert reword("--accept", "all") == 0
    assert {state for some in states().values() for state in some} == {"accepted", "rejected"}
    rejected = BANK.read_text("utf-8").count("state: rejected")
    back = [key for key in keys(capsys) if key]
    assert reword("--accept", *back) == 0 and rejected > 0
    assert "rejected" not in BANK.read_text("utf-8") and "too stiff" not in BANK.read_text("utf-8")
    assert reword("--accept", "nothing") == 2
    assert "`nothing` is neither the key of a wording" in capsys.readouterr().err


def test_a_wording_that_lost_something_cannot_be_accepted(capsys: Capture) -> None:
    reword("--rules", "--only", QUOTED)
    text = BANK.read_text("utf-8")
    BANK.write_text(text + '      - text: "Say a price."\n        state: rejected\n        by: Bo\n', "utf-8")
    lost = keys(capsys)[-1]
    assert reword("--accept", lost) == 1
    said = capsys.readouterr().err
    assert "HD410" in said and "tea.wordings.yaml:" in said and "^^^" in said
    assert states()[QUOTED][-1] == "rejected"


def test_a_bank_with_the_line_ends_of_windows_is_said_and_kept(capsys: Capture) -> None:
    reword("--rules", "-n", "1")
    text = BANK.read_text("utf-8").replace("state: proposed", "state: porposed", 1)
    BANK.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode("utf-8"))
    assert reword("--list") == 1
    said = capsys.readouterr().err
    assert (
        "tea.wordings.yaml:9:16: error[HD720] there is no state `porposed`" in said and "\ufffd" not in said
    )
    BANK.write_bytes(BANK.read_bytes().replace(b"porposed", b"proposed"))
    assert reword("--accept", "all") == 0
    after = BANK.read_bytes()
    assert after.startswith(b"\xef\xbb\xbf#") and after.count(b"\r\n") == after.count(b"\n")


def test_review_goes_through_what_is_proposed(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    reword("--rules", "-n", "1")
    monkeypatch.setattr("sys.stdin", io.StringIO("a\nx\nr\nnot nice\n"))
    assert reword("--review") == 0
    said = capsys.readouterr()
    assert (
        "[a]ccept, [r]eject, [s]kip, [q]uit?" in said.out and "2 answered; 1 accepted, 1 proposed" in said.err
    )
    assert "reason: not nice" in BANK.read_text("utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("s\n"))
    assert reword("--review") == 0 and "0 answered" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert reword("--review") == 0
    BANK.write_text(BANK.read_text("utf-8").replace("{{ tool.get_quote }} did", "it did"), "utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("a\nq\n"))
    assert reword("--review") == 0


def test_what_cannot_be_accepted_is_not_offered(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    reword("--rules", "-n", "1", "--only", QUOTE)
    BANK.write_text(
        re.sub(r'- text: ".*"', '- text: "Never look up a price of a link."', BANK.read_text("utf-8")),
        "utf-8",
    )
    monkeypatch.setattr("sys.stdin", io.StringIO("a\nr\nadds a never\n"))
    assert reword("--review") == 0
    said = capsys.readouterr().out
    assert "[r]eject, [s]kip, [q]uit?" in said and "HD724" in said and "[a]ccept" not in said
    assert states()[QUOTE] == ["rejected"]


def test_wordings_of_a_text_that_changed_go_back_to_being_proposed(capsys: Capture) -> None:
    reword("--rules")
    reword("--accept", "all")
    Path("tea.harness").write_text(HARNESS.replace("current price of a link", "current price of one link"))
    assert main(["augment", "tea.harness", "-n", "2", "--bank", str(BANK)]) == 1
    assert "HD721" in capsys.readouterr().err
    assert reword("--list") == 1 and "HD721" in capsys.readouterr().err
    assert reword("--accept", QUOTE) == 2
    assert reword("--rules") == 0
    assert "accepted" not in states()[QUOTE] and set(states()[QUOTED]) == {"accepted"}
    assert load_bank(BANK).entries[QUOTE].canonical == "Look up the current price of one link."
    assert main(["augment", "tea.harness", "-n", "2", "--bank", str(BANK)]) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "say one of --rules"),
        (["--rules", "--list"], "say one of --rules"),
        (["--endpoint", "http://x"], "needs --model"),
        (["--rules", "--model", "m"], "--model goes with --endpoint"),
        (["--rules", "--timeout", "5"], "--timeout goes with --endpoint"),
        (["--endpoint", "http://x", "--model", "m", "--seed", "1"], "--seed goes with --rules"),
        (["--endpoint", "http://x", "--model", "m", "--timeout", "0"], "must be more than 0"),
        (["--list"], "there is no bank `tea.wordings.yaml`"),
        (["--accept", "a", "--reason", "b"], "--reason goes with --reject"),
        (["--list", "--only", "a"], "--only goes with --rules and --endpoint"),
        (["--rules", "-n", "0"], "must be at least 1"),
        (["--rules", "--only", "tool/x/description"], "`tool/x/description` is no text"),
        (["--rules", "--only", "prompt/system/section/rules/law"], "is no text of the harness that can be"),
        (["--rules", "--bank", "none/a.yaml"], "there is no folder `none`"),
    ],
)
def test_wrong_usage_is_said_in_a_sentence(words: list[str], said: str, capsys: Capture) -> None:
    assert reword(*words) == 2
    assert said in capsys.readouterr().err


def test_banks_are_drawn_from_where_they_are_named(capsys: Capture) -> None:
    reword("--rules")
    augment = ["augment", "tea.harness", "-n", "12", "-o", "rows.jsonl"]
    assert main([*augment, "--bank", str(BANK)]) == 1
    assert "no wording is accepted yet" in capsys.readouterr().err
    assert main([*augment, "--bank", str(BANK), "--include-proposed"]) == 0
    assert main(["verify", "rows.jsonl", "--harness", "tea.harness", "--include-proposed"]) == 0
    assert main(["verify", "rows.jsonl", "--harness", "tea.harness"]) == 1, "nobody has accepted them"
    reword("--accept", "all")
    capsys.readouterr()
    assert main(["verify", "rows.jsonl", "--harness", "tea.harness", "--reproduce"]) == 0
    assert "12 of 12 rows hold" in capsys.readouterr().err
    assert main(["variants", "tea.harness", "--from", "rows.jsonl", "-n", "4", "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)["differences"]
    assert any(one["aspect"] == "wording" or "description" in one["id"] for one in shown)
    assert main(["variants", "tea.harness", "--bank", str(BANK), "-n", "2"]) == 0
    Path("p.yaml").write_text(f"operators: {{wordings: {{}}}}\nbanks: [{BANK}]\n")
    assert main(["augment", "tea.harness", "-n", "12", "--policy", "p.yaml", "-o", "more.jsonl"]) == 0
    assert main(["verify", "more.jsonl", "--harness", "tea.harness", "--bank", str(BANK)]) == 0
    BANK.rename("away.yaml")
    capsys.readouterr()
    assert main(["verify", "more.jsonl", "--harness", "tea.harness"]) == 1
    assert "which is not given here" in capsys.readouterr().out


def test_a_bank_that_is_not_named_changes_no_row(capsys: Capture) -> None:
    augment = ["augment", "tea.harness", "-n", "8", "-o"]
    assert main([*augment, "before.jsonl"]) == 0
    reword("--rules")
    reword("--accept", "all")
    assert main([*augment, "after.jsonl"]) == 0
    assert Path("before.jsonl").read_bytes() == Path("after.jsonl").read_bytes()
    BANK.write_text("bank: 1\ntexts: [", "utf-8")
    with Path("after.jsonl").open("a") as rows:
        rows.write('{"v":"2.0","bank":"of distractors"}\n')
    assert main(["verify", "after.jsonl", "--harness", "tea.harness"]) == 1
    assert "8 of 9 rows hold" in capsys.readouterr().err, "nothing of the bank was needed"
