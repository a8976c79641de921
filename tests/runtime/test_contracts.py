"""The contract suite finds implementations that answer otherwise, and keeps quiet about those that do not."""

import json
import re
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from harness_dsl.cli.main import main
from harness_dsl.ir.canonical import core_digest
from harness_dsl.ir.core import Core, Hook
from harness_dsl.ir.evaluate import evaluate
from harness_dsl.ir.facts import Facts
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.transcript import Call, Generated, Result, Transcript, User
from harness_dsl.ir.values import check_value
from harness_dsl.syntax.opening import open_harness
from runtime.contracts.answers import declared
from runtime.contracts.events import generated
from runtime.contracts.plan import Plan
from runtime.contracts.recorded import recorded
from runtime.contracts.report import described
from runtime.contracts.running import verdicts
from runtime.contracts.suite import disagreement

EXAMPLES = Path(__file__).parents[2] / "examples"
DESK = open_harness(EXAMPLES / "bank_desk" / "desk.harness")
TUTOR = open_harness(EXAMPLES / "course_tutor" / "tutor.harness")

HARNESS = '''
harness shop "1.0.0"

tool get_quote(link_id: int(min: 1), unit: "kg" | "g" = "kg") -> any {
  """Quote one product."""
}

input room: any

hook quoted on before_reply {
  if reply contains "元" and not called(get_quote)
  retry """Look the price up with {{ tool.get_quote }}.""" max 2
  same as python "shop:quoted"
  fail closed
}

prompt system {
  section tools catalog tools
  section room """{{ room }}"""
}
'''
RIGHT = """
def quoted(facts):
    return "元" in facts.reply and not any(c.tool == "tool/get_quote" and c.carried_out for c in facts.calls)
"""
WRONG = 'def quoted(facts):\n    return "元" in facts.reply and not facts.calls\n'
ENDS = "import os\ndef quoted(facts):\n    os._exit(3)\n"
BUSY = 'import re\ndef quoted(facts):\n    return bool(re.match(r"(a+)+$", "a" * 64 + "b"))\n'


def hook_of(core: Core, name: str) -> Hook:
    return next(hook for hook in core.hooks if hook.id == f"hook/{name}")


def project(folder: Path, source: str) -> str:
    folder.joinpath("harness.toml").write_text('[runtime]\nallow = ["shop"]\n', "utf-8")
    folder.joinpath("shop.py").write_text(source, "utf-8")
    path = folder / "shop.harness"
    path.write_text(HARNESS.lstrip(), "utf-8")
    return str(path)


@pytest.mark.parametrize("opened", [DESK, TUTOR], ids=lambda opened: opened.core.name)
def test_events_are_of_their_types_and_meet_both_answers(opened: Any) -> None:
    core = opened.core
    for hook in core.hooks[::4]:
        events = generated(core, hook, count=40)
        assert events == generated(core, hook, count=40), "another draw for the same seed"
        assert {declared(hook, event).said for event in events} == {True, False}, hook.id
        for event in events:
            assert event.limits.keys() == {limit.id for limit in core.limits}
            for node in core.inputs:
                assert check_value(event.inputs[leaf(node.id)], node.type, core) is None
            assert (event.call is not None) == (hook.event in ("before_call", "after_call"))
            assert (event.reply is not None) == (hook.event == "before_reply")


@cache
def events_of(harness: str, name: str) -> list[Facts]:
    """The events of a hook of an example, which several tests ask about."""
    core = next(opened.core for opened in (DESK, TUTOR) if opened.core.name == harness)
    return generated(core, hook_of(core, name))


def same(hook: Hook) -> Callable[[Facts], bool]:
    return lambda facts: bool(evaluate(hook.condition, facts))


@pytest.mark.parametrize("name", ["attempt_first", "solution_stays_hidden"])
def test_what_is_equal_is_found_to_agree(name: str) -> None:
    hook = hook_of(TUTOR.core, name)
    assert disagreement(TUTOR.core, hook, 1, same(hook), events_of(TUTOR.core.name, name)) is None


def _private(*, without: str) -> Callable[[Facts], bool]:
    names = [
        "get_balance",
        "list_transactions",
        "prepare_transfer",
        "confirm_transfer",
        "freeze_card",
        "open_dispute",
    ]
    tools = {f"tool/{name}" for name in names if name != without}
    return lambda facts: (
        not facts.inputs["desk"]["session"]["verified"]
        and facts.call is not None
        and facts.call.tool in tools
    )


def _said(pattern: str, facts: Facts) -> bool:
    return re.search(pattern, facts.reply or "") is not None


def _answered(facts: Facts, *, carried_out: bool) -> bool:
    asked = ("tool/get_solution", "tool/grade_answer")
    return any(call.tool in asked and (call.carried_out or not carried_out) for call in facts.calls)


ANSWER = r"(标准|正确)答案(是|为)|(?i:the (right|correct) answer is)"


class Asked:
    """Says the right thing until it has been asked so often."""

    def __init__(self, hook: Hook, until: int) -> None:
        self.__name__ = "asked"
        self._hook, self._left = hook, until

    def __call__(self, facts: Facts) -> bool:
        self._left -= 1
        return bool(evaluate(self._hook.condition, facts)) != (self._left < 0)


def _raises(facts: Facts) -> bool:
    assert facts.call is not None
    tried = facts.inputs["course"]["learner"]["attempted"]
    return facts.call.tool == "tool/get_solution" and facts.call.arguments["exercise"] not in tried


WRONG_ONES: list[tuple[Any, str, Callable[[Facts], Any], str]] = [
    (DESK, "identity_first", lambda facts: False, "session.verified = false"),
    (DESK, "identity_first", _private(without="open_dispute"), "the call open_dispute()"),
    (DESK, "identity_first", lambda facts: "yes", "session.verified"),
    (TUTOR, "attempt_first", _raises, "the call get_solution()"),
    (
        TUTOR,
        "solution_stays_hidden",
        lambda facts: _said(ANSWER.replace("?i:", "?:"), facts) and not _answered(facts, carried_out=True),
        "the reply",
    ),
    (
        TUTOR,
        "solution_stays_hidden",
        lambda facts: _said(ANSWER, facts) and not _answered(facts, carried_out=False),
        "an earlier call",
    ),
    (
        TUTOR,
        "long_replies",
        lambda facts: len(facts.reply) >= facts.limits["limit/spoken_chars"],
        "the reply",
    ),
    (TUTOR, "long_replies", lambda facts: len(facts.reply) > 60, "limit `spoken_chars` = "),
    (
        TUTOR,
        "long_replies",
        lambda facts: len(facts.reply.encode()) > facts.limits["limit/spoken_chars"],
        "the reply",
    ),
    (
        DESK,
        "no_full_numbers",
        lambda facts: _said(r"6222[- ]?[0-9]{4}[- ]?[0-9]{4}|[0-9]{17}[0-9X]", facts),
        "reply",
    ),
    (TUTOR, "exam_silence", Asked(hook_of(TUTOR.core, "exam_silence"), 403), "exam_running"),
]


@pytest.mark.parametrize(("opened", "name", "function", "words"), WRONG_ONES)
def test_a_wrong_implementation_is_found_with_a_small_event(
    opened: Any, name: str, function: Callable[[Facts], Any], words: str
) -> None:
    hook = hook_of(opened.core, name)
    found = disagreement(opened.core, hook, 1, function, events_of(opened.core.name, name))
    assert found is not None
    shown = described(found.event, opened.core, hook)
    assert words in shown
    assert len(shown) < 300
    assert found.said != found.expected == declared(hook, found.event)


def test_a_slow_implementation_is_a_disagreement_soon() -> None:
    hook, began = hook_of(TUTOR.core, "exam_silence"), time.monotonic()
    found = disagreement(
        TUTOR.core, hook, 1, lambda facts: time.sleep(9), generated(TUTOR.core, hook, count=4), 0.05
    )
    assert found is not None and "no result within" in str(found.said)
    assert time.monotonic() - began < 5


def test_events_of_conversations_are_asked_too() -> None:
    core = TUTOR.core
    call = Call(tool="tool/get_solution", arguments={"exercise": "E9"})
    transcript = Transcript(
        core_digest=core_digest(core),
        inputs={"course": {"learner": {"attempted": ["E9"]}}, "message": ""},
        events=(
            User(text="E9?"),
            Generated(events=(call,)),
            Result(tool="tool/get_solution", value={"answer": "C"}),
        ),
    )
    before = list(recorded(core, hook_of(core, "attempt_first"), TUTOR.surface, [transcript]))
    assert [(event.call, event.calls) for event in before] == [(before[0].call, ())]
    assert before[0].call is not None and before[0].call.arguments == {"exercise": "E9"}
    assert before[0].inputs["message"] == "E9?"
    after = list(recorded(core, hook_of(core, "wrong_answers_get_help"), TUTOR.surface, [transcript]))
    assert [event.calls[0].value for event in after] == [{"answer": "C"}]
    turns = list(recorded(core, hook_of(core, "exam_silence"), TUTOR.surface, [transcript]))
    assert [event.call for event in turns] == [None]


def test_the_command_vouches_for_what_agrees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project(tmp_path, RIGHT)
    assert main(["test", "--contracts", path, "--events", "40"]) == 0
    assert "`shop:quoted` agrees with the condition on 40 events" in capsys.readouterr().out


def test_the_command_shows_where_a_function_parts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project(tmp_path, WRONG)
    assert main(["test", "--contracts", path]) == 1
    said = capsys.readouterr().out
    assert "error[HD510]" in said and "shop.harness:9:6" in said
    assert 'the reply "元", an earlier call get_quote(' in said


@pytest.mark.slow
def test_the_command_says_it_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project(tmp_path, WRONG)
    assert main(["test", "--contracts", path, "--json"]) == 1
    (told,) = json.loads(capsys.readouterr().out)["implementations"]
    assert (told["hook"], told["number"], told["agrees"]) == ("hook/quoted", 1, False)


@pytest.mark.parametrize(
    ("source", "words"),
    [(ENDS, "the process ended"), pytest.param(BUSY, "does not answer", marks=pytest.mark.slow)],
)
def test_an_implementation_that_takes_its_process_along_is_outlived(
    tmp_path: Path, source: str, words: str
) -> None:
    opened = open_harness(project(tmp_path, source))
    plan = Plan(opened.path, events=8, timeout_s=0.2)
    (verdict,) = verdicts(plan, opened.core, opened.surface)
    assert not verdict.agrees and words in verdict.said


def test_a_function_that_cannot_be_loaded_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "--contracts", project(tmp_path, "1 / 0\n")]) == 2
    assert "ZeroDivisionError" in capsys.readouterr().err
