"""`verify --replay`: conversations of rows go again as they are recorded, and tampered ones are told."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from augmentors.policy import Policy
from augmentors.rows import make
from harness_dsl.cli.main import main
from harness_dsl.ir.transcript import Result
from tests.runtime.recorded import EXAMPLES, example, recipe, recorded

SHOP = "live_shop/shop.harness"
NAMES = (SHOP, "bank_desk/desk.harness", "course_tutor/tutor.harness")
Messages = list[dict[str, Any]]


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tools of the examples are harmless, and starting a process for each test takes longer than it."""
    monkeypatch.setattr("runtime.replay_apart.ReplayApart", lambda proof, timeout_s: proof)


def lines(name: str, rows: range, *, messages: bool = True, policy: Policy | None = None) -> list[str]:
    made = recipe(name, policy or Policy.default(), with_messages=messages)
    return [make(made, row).line for row in rows]


def verified(tmp_path: Path, name: str, rows: list[str], *options: str) -> int:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(rows), "utf-8")
    return main(["verify", str(path), "--harness", str(EXAMPLES / name), "--replay", *options])


def talks(tmp_path: Path, name: str) -> str:
    path = tmp_path / "talks.jsonl"
    path.write_text("".join(one.model_dump_json() + "\n" for one in recorded(name)), "utf-8")
    return str(path)


@pytest.mark.parametrize("name", NAMES)
def test_rows_of_the_examples_go_again_as_recorded(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    count = min(3, len(recorded(name)))
    assert verified(tmp_path, name, lines(name, range(count)), "--transcripts", talks(tmp_path, name)) == 0
    said = capsys.readouterr().err
    assert f"{count} of {count} rows hold" in said and "not replayed" not in said


def test_rows_without_messages_are_replayed_from_their_transcripts_by_several_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = lines(SHOP, range(2), messages=False)
    told = ("--transcripts", talks(tmp_path, SHOP))
    assert verified(tmp_path, SHOP, rows, *told, "--workers", "2") == 0
    assert "not replayed" not in capsys.readouterr().err


def test_rows_without_a_conversation_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verified(tmp_path, SHOP, lines(SHOP, range(3), messages=False)) == 2
    said = capsys.readouterr().err
    assert "3 rows were not replayed: it shows no conversation" in said
    assert "--replay could play no row" in said


def test_a_harness_whose_tools_may_not_run_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from harness_dsl.syntax.artefact import dump_ir

    elsewhere = tmp_path / "shop.json"
    elsewhere.write_bytes(dump_ir(example(SHOP).core, example(SHOP).surface, "sha256:0"))
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(lines(SHOP, range(2))), "utf-8")
    assert main(["verify", str(path), "--harness", str(elsewhere), "--replay"]) == 2
    assert "2 rows were not replayed: shop.tools:apply_coupon may not run" in capsys.readouterr().err


def quoting() -> int:
    """The conversation in which link 3 costs 89 yuan."""
    return next(
        number
        for number, one in enumerate(recorded(SHOP))
        if any(isinstance(e, Result) and e.value and e.value.get("amount") == 89 for e in one.events)
    )


def another_result(messages: Messages) -> None:
    message = next(m for m in messages if m["role"] == "tool" and "89" in m["content"])
    message["content"] = message["content"].replace("89", "79")


def another_argument(messages: Messages) -> None:
    for message in messages:
        for call in message.get("tool_calls", ()):
            call["function"]["arguments"] = call["function"]["arguments"].replace("3", "5")


def another_order(messages: Messages) -> None:
    """The reply comes before the skill is loaded."""
    messages.insert(2, messages.pop())


def another_reply(messages: Messages) -> None:
    reply = next(m for m in messages if m["role"] == "assistant" and "tool_calls" not in m)
    reply["content"] += "哦"


def another_published_text(messages: Messages) -> None:
    after = messages[-1]["harness"]["after"]
    after[0]["text"] = "亲，送您一件"


def a_call_less(messages: Messages) -> None:
    """The reply knows what no call has asked for."""
    asked = [at for at, m in enumerate(messages) if "tool_calls" in m]
    del messages[asked[-1] : asked[-1] + 2]


TWINS: tuple[tuple[Callable[[Messages], None], str], ...] = (
    (another_result, "recorded result"),
    (another_argument, "proof 5: event"),
    (another_order, "proof 5: event"),
    (another_reply, "proof 5: reply 1: recorded"),
    (another_published_text, "proof 5: reply 1: recorded '亲，送您一件'"),
    (a_call_less, "proof 5: event"),
)


@pytest.mark.parametrize(("tamper", "said"), TWINS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_tampered_conversation_is_refused(
    tamper: Callable[[Messages], None], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a row that shows the harness as it is: every other proof holds."""
    number = quoting()
    untouched = lines(SHOP, range(number, number + 1), policy=Policy(original=1.0))[0]
    row = json.loads(untouched)
    tamper(row["messages"])
    assert verified(tmp_path, SHOP, [untouched, json.dumps(row, ensure_ascii=False) + "\n"]) == 1
    printed = capsys.readouterr()
    text = printed.out + printed.err
    assert f":2: row {number}: " in text and said in text, text
    assert ":1: " not in text and "1 of 2 rows hold" in text


def test_what_no_replay_can_tell_is_told_by_the_recorded_conversation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another reply that goes out as well: the messages are consistent, and not what was recorded."""
    number = quoting()
    row = json.loads(lines(SHOP, range(number, number + 1), policy=Policy(original=1.0))[0])
    another_reply(row["messages"])
    reply = next(m for m in row["messages"] if m["role"] == "assistant" and "tool_calls" not in m)
    reply["harness"]["after"][0]["text"] = reply["content"]
    rows = [json.dumps(row, ensure_ascii=False) + "\n"]
    assert verified(tmp_path, SHOP, rows) == 0
    assert verified(tmp_path, SHOP, rows, "--transcripts", talks(tmp_path, SHOP)) == 1
    assert "the messages are not the recorded conversation: event" in capsys.readouterr().out
