"""A model behind an endpoint that answers well, badly, late or not at all: bounded, recorded, resumable."""

import json
from pathlib import Path

import pytest

from augmentors.rewording import endpoint as endpoints
from augmentors.rewording.bank import State
from augmentors.rewording.reading import load_bank
from harness_dsl.cli.main import main
from tests.augmentors.rewording.model_server import Asked, Reply, Server, says, serving, wordings

HARNESS = '''harness tea_shop "1.0.0"

tool get_quote(link_id: int "Number of the link.") -> any {
  """Look up the current price of a link."""
}

prompt system {
  section rules unordered {
    rule quoted """Never say a price that {{ tool.get_quote }} did not return."""
    rule late """You must answer within 3 days."""
  }
}
'''
QUOTED = "prompt/system/section/rules/quoted"
LATE = "prompt/system/section/rules/late"
SECRET = "sk-very-secret-1"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tea.harness").write_text(HARNESS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setattr(endpoints, "_LONGEST_PAUSE", 0.02)
    return tmp_path


def reword(server: Server, *more: str) -> int:
    quick = ("--timeout", "0.5", "--tries", "2", "--at-once", "1")
    return main(["reword", "tea.harness", "--endpoint", server.url, "--model", "m1", *quick, *more])


def states(path: str = "tea.wordings.yaml") -> dict[str, list[tuple[str, State, str]]]:
    bank = load_bank(path)
    assert bank.faults == []
    return {
        id_: [(one.text, one.state, one.reason) for one in entry.wordings]
        for id_, entry in bank.entries.items()
    }


def test_each_answer_is_checked_and_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def answer(asked: Asked, _: int) -> Reply:
        if "price that" in asked.text:
            return wordings(
                "Do not say a price that {{ tool.get_quote }} did not return.",
                "Say a price that {{ tool.get_quote }} did return.",
                "Never say a price that nobody returned.",
                "Use {{ tool.none }}.",
                asked.text,
            )
        return says(
            "```json\n" + json.dumps({"wordings": ["You have to reply within three days."]}) + "\n```"
        )

    with serving(answer) as server:
        assert reword(server, "--only", QUOTED, LATE) == 0
    said = capsys.readouterr()
    assert (
        SECRET not in said.out + said.err
        and "2 proposed and 3 rejected wordings for 2 of 2 texts" in said.err
    )
    found = states()
    assert [(state, reason[:5]) for _, state, reason in found[QUOTED]] == [
        ("proposed", ""),
        ("rejected", "HD724"),
        ("rejected", "HD410"),
        ("rejected", "HD405"),
    ]
    assert found[LATE] == [("You have to reply within three days.", "proposed", "")]
    assert SECRET not in Path("tea.wordings.yaml").read_text()
    assert [asked.path for asked in server.asked] == ["/v1/chat/completions"] * 2
    assert server.asked[0].key == f"Bearer {SECRET}" and server.asked[0].body["model"] == "m1"
    assert sorted(path.name for path in folder.iterdir()) == ["tea.harness", "tea.wordings.yaml"]


def test_odd_characters_of_an_answer_break_no_file(folder: Path) -> None:
    odd = [
        "You have to answer\u2028\x00within 3 days.",
        'You "must" answer \n within # 3 days: now',
        "\ud8003",
    ]
    with serving(lambda *_: says(json.dumps({"wordings": odd}))) as server:
        assert reword(server, "--only", LATE) == 0
        assert reword(server, "--only", LATE) == 0 and len(server.asked) == 1
    assert [text for text, _, _ in states()[LATE]] == ["You have to answer within 3 days.", odd[1], "3"]


def test_what_is_answered_is_not_asked_again(folder: Path) -> None:
    with serving(lambda asked, _: wordings("Kindly: " + asked.text)) as server:
        assert reword(server, "--only", QUOTED) == 0
        assert reword(server, "--only", QUOTED, LATE) == 0
        assert [asked.text[:5] for asked in server.asked] == ["Never", "You m"]
        assert reword(server, "--only", QUOTED, LATE) == 0 and len(server.asked) == 2


def test_a_wording_in_another_language_says_so(folder: Path) -> None:
    with serving(lambda *_: wordings("你必须在三天之内回答。")) as server:
        assert reword(server, "--only", LATE, "--language", "zh") == 0
    (wording,) = load_bank("tea.wordings.yaml").entries[LATE].wordings
    assert (wording.language, wording.state) == ("zh", "proposed")


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply(b"<html>"), "the answer is no JSON"),
        (Reply(b'{"choices": []}'), "the answer has no `choices[0].message.content`"),
        (Reply(b'{"choices": [{"message": {"content": null}}]}'), "the content of the answer is no text"),
        (says("Sure! Here you are."), "the content of the answer is no JSON object"),
        (says('{"wordings": [1]}'), "the answer has no list of texts under `wordings`"),
        (says("[" * 100_000), "the content of the answer is no JSON object"),
        (Reply(b'"' + b"x" * (5 << 20) + b'"'), "the answer is larger than 4 MB"),
    ],
)
def test_an_answer_that_cannot_be_used_is_said_and_the_others_are_kept(
    reply: Reply, why: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(
        lambda asked, _: reply if "days" in asked.text else wordings("Kindly: " + asked.text)
    ) as server:
        assert reword(server, "--only", LATE, QUOTED) == 1
    assert f"no usable answer for `{LATE}`: {why}" in capsys.readouterr().err
    assert list(states()) == [QUOTED]


@pytest.mark.parametrize(
    "bad",
    [
        Reply(status=429),
        Reply(status=503),
        Reply(status=429, headers={"Retry-After": "0.01"}),
        Reply(b"x", cut=True),
    ],
)
def test_what_may_pass_is_asked_again(bad: Reply, folder: Path) -> None:
    with serving(lambda asked, at: bad if at == 0 else wordings("Kindly: " + asked.text)) as server:
        assert reword(server, "--only", LATE) == 0
    assert len(server.asked) == 2 and len(states()[LATE]) == 1


@pytest.mark.parametrize(
    ("reply", "why", "times"),
    [
        (Reply(status=429), "status 429, 2 times", 2),
        (Reply(hang=True), "no answer within 0.5 s, 2 times", 2),
        (Reply(status=401, body=f"bad key {SECRET}".encode()), "status 401: bad key …", 1),
        (Reply(status=302, headers={"Location": "http://127.0.0.1:9/steal"}), "status 302", 1),
    ],
)
def test_an_endpoint_that_fails_ends_the_run_and_the_next_goes_on(
    reply: Reply, why: str, times: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(lambda asked, at: wordings("Kindly: " + asked.text) if at == 0 else reply) as server:
        assert reword(server, "--only", QUOTED, LATE) == 2
    said = capsys.readouterr().err
    assert why in said and SECRET not in said and "goes on from there" in said
    assert len(server.asked) == 1 + times and list(states()) == [QUOTED]
    with serving(lambda asked, _: wordings("Kindly: " + asked.text)) as server:
        assert reword(server, "--only", QUOTED, LATE) == 0
    assert [asked.text[:5] for asked in server.asked] == ["You m"] and list(states()) == [QUOTED, LATE]


def test_an_address_where_nothing_listens_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reword(Server("http://127.0.0.1:9/v1", []), "--only", LATE) == 2
    assert "nothing listens there, 2 times" in capsys.readouterr().err
    assert not Path("tea.wordings.yaml").exists()
    assert reword(Server("ftp://x", [])) == 2
    assert reword(Server("http://[x", []), "--only", LATE) == 2
    assert "no address" in capsys.readouterr().err


def test_edits_that_people_make_meanwhile_are_kept(folder: Path) -> None:
    def answer(asked: Asked, at: int) -> Reply:
        if at == 1:
            path = Path("tea.wordings.yaml")
            path.write_text(path.read_text().replace("state: proposed", "state: accepted  # by hand"))
        return wordings("Kindly: " + asked.text)

    with serving(answer) as server:
        assert reword(server, "--only", QUOTED, LATE) == 0
    assert [one[1] for some in states().values() for one in some] == ["accepted", "proposed"]
    assert "# by hand" in Path("tea.wordings.yaml").read_text()


def test_a_bank_that_is_none_is_left_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("tea.wordings.yaml").write_text("bank: 1\ntexts: [\n")
    with serving(lambda asked, _: wordings("Kindly: " + asked.text)) as server:
        assert reword(server, "--only", LATE) == 1
    assert "HD720" in capsys.readouterr().err and server.asked == []
    assert Path("tea.wordings.yaml").read_text() == "bank: 1\ntexts: [\n"
