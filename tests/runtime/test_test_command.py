"""`harnessc test`: results of tests on a harness and on its variants, and what tools may not do to it."""

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from augmentors.policy import Policy
from augmentors.rows import Recipe, make
from harness_dsl.cli.main import main
from harness_dsl.ir.transcript import Call, ReplyText
from harness_dsl.protocol import Protocol
from harness_dsl.syntax.opening import open_harness
from runtime.byte_tokenizer import byte_tokenizer
from runtime.engines.recording import RecordingServer
from runtime.engines.scripted import ScriptedEngine
from runtime.testing.events import Event, Failed, Outcome, Plan, Shown
from runtime.testing.worker import work

MINI = '''harness mini "1.0.0"
tool ask(n: int) -> int {
  """Ask."""
  impl python "declared_tools:ask"
}
prompt system {
  section persona """You answer."""
  section tools catalog tools
}
test "it asks" {
  user "5?"
  expect call ask(n: 5)
}
'''

TOOLS = "def ask(n):\n    print('a tool speaks')\n    return n\n"


@pytest.fixture
def mini(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "mini.harness").write_text(MINI)
    (tmp_path / "harness.toml").write_text('[runtime]\nallow = ["declared_tools"]\n')
    (tmp_path / "declared_tools.py").write_text(TOOLS)
    monkeypatch.setattr("sys.path", [*sys.path])
    yield tmp_path / "mini.harness"
    sys.modules.pop("declared_tools", None)


Said = tuple[int, str, str]


@pytest.fixture
def harnessc(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    def run(*arguments: object) -> Said:
        status = main(["test", *map(str, arguments)])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return status, said.out, said.err

    return run


def told(plan: Plan) -> list[Event]:
    """What a worker tells that runs in this process."""
    events: list[Event] = []
    work(plan, events.append)
    return events


def outcomes(events: list[Event]) -> list[Outcome]:
    return [event for event in events if isinstance(event, Outcome)]


def test_it_runs_the_tests_and_says_what_that_shows(mini: Path, harnessc: Callable[..., Said]) -> None:
    status, out, err = harnessc(mini)
    assert status == 0
    assert "ok      it asks  → 好的\n1 of 1 tests passed" in out and "no model was asked" in out
    assert "a tool speaks" in err and "a tool speaks" not in out


def test_what_tools_print_is_not_in_the_json(mini: Path, harnessc: Callable[..., Said]) -> None:
    mini.write_text(MINI.replace("expect call", "expect no call ask\n  expect call"))
    status, out, err = harnessc(mini, "--json")
    document = json.loads(out)
    (test,) = document["tests"]
    assert status == 1 and document["passed"] == 0 and test["passed"] is False and test["variant"] is None
    assert test["problems"] == ["ask() was called"] and "a tool speaks" in err


LONG = """harness long "1.0.0"
prompt system {
  section rules unordered {
    rule short \"\"\"At most {{ limits.reply_chars }} characters.\"\"\"
      check chars(reply) <= limits.reply_chars
  }
}
limits {
  reply_chars 60 in 3..60
}
test "a long answer" {
  user "?"
  expect reply states text = "twenty characters!!!"
}
test "a short answer" {
  user "?"
  expect chars(reply) > 0
}
"""


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """A harness with a test that fails where a variant moves the limit below the length of the answer."""
    (tmp_path / "policy.yaml").write_text("operators:\n  limits: {probability: 1.0}\n")
    (tmp_path / "long.harness").write_text(LONG)
    return tmp_path / "long.harness"


def test_no_test_says_what_is_right_when_tools_fail(
    long: Path, tmp_path: Path, harnessc: Callable[..., Said]
) -> None:
    policy = tmp_path / "faults.yaml"
    policy.write_text("operators:\n  faults: {}\n")
    status, _, err = harnessc(long, "--variants", 2, "--policy", policy)
    assert status == 1 and f"{policy}: `faults` makes tools fail" in err


def test_a_policy_that_names_what_the_harness_has_not_is_refused(
    long: Path, tmp_path: Path, harnessc: Callable[..., Said]
) -> None:
    policy = tmp_path / "none.yaml"
    policy.write_text("operators:\n  limits: {only: {limit/none: [1]}}\n")
    status, _, err = harnessc(long, "--variants", 2, "--policy", policy)
    assert status == 1 and f"{policy}:2:19: `limits`: the harness has no `limit/none`" in err
    # What the contract suite fills in afterwards hides no mistake of the file.
    policy.write_text("operators:\n  hooks: {tested: {hook/none: [1]}}\n")
    status, _, err = harnessc(long, "--variants", 2, "--policy", policy)
    assert status == 1 and f"{policy}:2:20: `hooks`: the harness has no `hook/none`" in err


def test_a_test_that_fails_on_some_variants_is_shown_with_the_command_that_repeats_it(
    long: Path, tmp_path: Path, harnessc: Callable[..., Said]
) -> None:
    policy, xml = tmp_path / "policy.yaml", tmp_path / "report.xml"
    status, out, _ = harnessc(long, "--variants", 12, "--seed", 1, "--policy", policy, "--junit", xml)
    assert status == 1
    assert "ok      a long answer  →" in out, "the harness itself passes"
    assert "ok      a short answer  12 of 12 variants" in out and "FAILED  a long answer" in out
    again = next(line.split("again: ")[1] for line in out.splitlines() if "again: " in line)
    words = again.removeprefix("harnessc test ").replace("'", "").split(" --only ")
    status, out, _ = harnessc(*words[0].split(), "--only", words[1], "-o", tmp_path / "variant.json")
    assert status == 1 and "0 of 1 tests passed" in out
    surface = next(
        suite for suite in suites(xml) if f"variant {words[0].split()[2]} " in suite.attrib["name"]
    )
    assert properties(surface)["surface_digest"] in out, "it is the same variant"
    status, out, _ = harnessc(tmp_path / "variant.json", "--only", "a long answer")
    assert status == 1 and "0 of 1 tests passed" in out, "the file that was written is that variant"


def suites(path: Path) -> list[ElementTree.Element]:
    return list(ElementTree.parse(path).getroot())


def properties(suite: ElementTree.Element) -> dict[str, str]:
    return {one.attrib["name"]: one.attrib["value"] for one in suite.iter("property")}


def test_variants_are_the_rows_that_augment_draws(long: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy.yaml"
    events = told(Plan(str(long), variants=6, seed=3, policy=str(policy)))
    shown = {event.row: event.surface for event in events if isinstance(event, Shown)}
    opened = open_harness(long)
    recipe = Recipe(opened.core, opened.surface, Policy.load(policy), seed=3)
    drawn = [make(recipe, row).certificate.surface_digest for row in range(6)]
    assert [shown[row] for row in range(6)] == drawn and len(set(drawn)) > 1
    assert [(one.row, one.test.id) for one in outcomes(events)] == [
        (row, test) for row in (None, *range(6)) for test in ("test/a_long_answer", "test/a_short_answer")
    ]


def test_a_variant_that_the_checker_refuses_is_not_run(long: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken operator: what it draws may not count as the same harness."""
    import runtime.testing.variants as variants
    from augmentors.proofs.claim import Finding

    monkeypatch.setattr(variants, "check", lambda *_: [Finding(2, "something fixed has moved")])
    events = told(Plan(str(long), variants=2))
    assert isinstance(events[-1], Failed) and events[-1].status == 1
    assert events[-1].message == "variant 0 of seed 0 is not certified: proof 2: something fixed has moved"
    assert {one.row for one in outcomes(events)} == {None}


def test_what_is_left_of_a_plan_continues_where_it_ended(long: Path) -> None:
    plan = Plan(str(long), variants=3)
    whole = [(one.row, one.test.id) for one in outcomes(told(plan))]
    assert len(whole) == 8
    for results in range(9):
        assert [(one.row, one.test.id) for one in outcomes(told(plan.after(results)))] == whole[results:]


def test_the_report_is_junit_xml(long: Path, tmp_path: Path, harnessc: Callable[..., Said]) -> None:
    long.write_text(LONG.replace("twenty characters!!!", "<&']]> 元 \\u0007\\u001b"))
    xml = tmp_path / "report.xml"
    status, _, _ = harnessc(long, "--variants", 1, "--junit", xml, "--json")
    assert status == 0
    root = ElementTree.parse(xml).getroot()
    assert root.tag == "testsuites" and root.attrib["tests"] == "4" and root.attrib["failures"] == "0"
    plain, varied = root
    assert varied.attrib["name"] == f"{long} (variant 0 of seed 0)"
    assert properties(varied) | {"variant": "0", "seed": "0", "engine": "scripted"} == properties(varied)
    assert properties(plain)["core_digest"].startswith("sha256:")
    assert [case.attrib["classname"] for case in plain.iter("testcase")] == ["long", "long"]
    long.write_text(LONG.replace("reply_chars 60 in 3..60", "reply_chars 5"))
    status, out, _ = harnessc(long, "--junit", xml, "--fail-fast")
    assert status == 1 and "0 of 1 tests passed" in out, "the second test is not run after the first failure"
    (failure,) = ElementTree.parse(xml).getroot().iter("failure")
    assert "ended without a reply" in failure.attrib["message"] and "the reply: (nothing)" in str(
        failure.text
    )


def test_a_module_that_ends_the_process_is_one_clear_message(
    mini: Path, tmp_path: Path, harnessc: Callable[..., Said]
) -> None:
    (tmp_path / "declared_tools.py").write_text("import os\nos._exit(0)\n")
    status, _, err = harnessc(mini)
    assert status == 2 and "cannot be loaded for its tests" in err and "exit status 0" in err
    (tmp_path / "declared_tools.py").write_text("import sys\nsys.exit('no')\n")
    (failed,) = told(Plan(str(mini)))
    assert isinstance(failed, Failed) and failed.status == 2
    assert "declared_tools cannot be imported: SystemExit: no" in failed.message


def test_folders_and_several_files_are_one_report(
    mini: Path, long: Path, tmp_path: Path, harnessc: Callable[..., Said]
) -> None:
    (tmp_path / "part.harness").write_text('module part "1.0.0"\nlimits {\n  most 3\n}\n')
    (tmp_path / "untested.harness").write_text(LONG.split("test ")[0])
    (tmp_path / "broken.harness").write_text("harness\n")
    status, out, err = harnessc(tmp_path)
    assert status == 1 and "3 of 3 tests passed" in out and "broken.harness:1" in err
    assert f"{long}\nok" in out and f"{mini}\nok" in out
    assert "untested.harness declares no test" in err and "part.harness" not in out + err
    only = ("--only", "it asks", "--only", "nope")
    status, out, err = harnessc(tmp_path / "part.harness", mini, *only)
    assert status == 2 and "1 of 1 tests passed" in out and "no file has a test `nope`" in err
    assert "`part` is a module" in err, "asked for by name, a module is a mistake"
    # Whether a file that cannot be opened has the test, nobody knows.
    status, out, err = harnessc(tmp_path / "broken.harness", mini, "--only", "nope")
    assert status == 1 and "no file has a test" not in err and "broken.harness:1" in err


BASE = Path(__file__).parents[2] / "examples" / "tiny_base"


def test_a_model_can_be_asked(mini: Path, tmp_path: Path) -> None:
    events = told(Plan(str(mini), engine="embedded", model=str(BASE), max_tokens=8))
    (outcome,) = outcomes(events)
    assert not outcome.passed, "a model that knows nothing of this harness passes no test"
    assert outcome.reply or outcome.problems
    (failed,) = told(Plan(str(mini), engine="embedded", model=str(tmp_path)))
    assert isinstance(failed, Failed) and failed.status == 2 and "has no tokenizer.json" in failed.message


def test_a_served_model_can_be_asked(mini: Path) -> None:
    (outcome,) = outcomes(told(Plan(str(mini), engine="sglang", model=str(BASE), url="http://127.0.0.1:9")))
    assert "engine_error" in outcome.problems[0] and "sglang" in outcome.problems[0]


def test_a_served_model_that_does_what_is_expected_passes(mini: Path, tmp_path: Path) -> None:
    byte_tokenizer()._trusted.save(str(tmp_path / "tokenizer.json"))
    opened = open_harness(mini)
    encode = Protocol(opened.core, opened.surface, byte_tokenizer()).encode
    right = [(Call(tool="tool/ask", arguments={"n": 5}),), (ReplyText(text=("5",)),)]
    wrong = [(ReplyText(text=("5",)),)]

    async def ask(outputs: list[Any]) -> Outcome:
        async with RecordingServer(ScriptedEngine.playing(outputs, encode)).listening() as server:
            plan = Plan(str(mini), engine="sglang", model=str(tmp_path), url=server.url)
            (outcome,) = outcomes(await asyncio.to_thread(told, plan))
            assert len(server.requests) == len(outputs)
        return outcome

    assert asyncio.run(ask(right)).problems == ()
    assert asyncio.run(ask(wrong)).problems == ("ask(n: 5) was not called",)


def without_allow(path: Path) -> None:
    (path.parent / "harness.toml").write_text("[runtime]\nallow = []\n")


def broken_file(path: Path) -> None:
    path.write_text(MINI.replace("tool ask", "tool tool ask"))


def untested(path: Path) -> None:
    path.write_text(MINI.split("test ")[0])


def wrong_signature(path: Path) -> None:
    (path.parent / "declared_tools.py").write_text("def ask(m):\n    return m\n")


@pytest.mark.parametrize(
    ("damage", "arguments", "status", "message"),
    [
        (None, ["--only", "nope"], 2, "has no test `nope`"),
        (untested, [], 2, "no tests: nothing was run"),
        (broken_file, ["--only", "it asks"], 1, "mini.harness:2:"),
        (None, ["--engine", "embedded"], 2, "go together"),
        (None, ["--engine", "sglang", "--model", "x"], 2, "go together"),
        (None, ["--model", "x"], 2, "go together"),
        (None, ["--max-tokens", "0"], 2, "at least 1"),
        (None, ["--variants", "0"], 2, "at least 1"),
        (None, ["--variant", "-1"], 2, "at least 0"),
        (None, ["--variant", "1", "--variants", "1"], 2, "not allowed with"),
        (None, ["--timeout", "0"], 2, "more than 0"),
        (None, ["--seed", "1"], 2, "--seed goes with --variants N or --variant K"),
        (None, ["--policy", "p.yaml"], 2, "--policy goes with"),
        (None, ["--variants", "1", "--policy", "p.yaml"], 2, "there is no file `p.yaml`"),
        (None, ["-o", "out.json"], 2, "give one file and --variant K"),
        (None, ["--junit", "nowhere/report.xml"], 2, "there is no such folder"),
        (None, ["--junit", "{mini}"], 2, "is a harness that is tested"),
        (None, ["--variant", "0", "-o", "{mini}"], 2, "is a harness that is tested"),
    ],
)
def test_mistakes_are_one_clear_message(
    mini: Path,
    harnessc: Callable[..., Said],
    damage: Callable[[Path], None] | None,
    arguments: list[str],
    status: int,
    message: str,
) -> None:
    if damage is not None:
        damage(mini)
    got, _, err = harnessc(mini, *(argument.format(mini=mini) for argument in arguments))
    assert (got, message in err) == (status, True), err


@pytest.mark.parametrize(
    ("damage", "status", "message"),
    [
        (without_allow, 2, "may not run: add 'declared_tools'"),
        (wrong_signature, 2, "does not take `n` of tool/ask"),
        (broken_file, 1, "mini.harness:2:"),
    ],
)
def test_what_keeps_a_harness_from_running_is_one_clear_message(
    mini: Path, damage: Callable[[Path], None], status: int, message: str
) -> None:
    damage(mini)
    (failed,) = told(Plan(str(mini)))
    assert isinstance(failed, Failed) and failed.status == status and message in failed.message


def test_a_missing_file_is_one_clear_message(harnessc: Callable[..., Said], tmp_path: Path) -> None:
    status, _, err = harnessc(tmp_path / "none.harness")
    assert status == 2 and "there is no file" in err


SPOILED = '''harness hotel "1.0.0"
tool book(code: string(pattern: r"^[A-Z]{2}-\\d{3}$"), nights: int) -> int {
  """Book a room."""
  effect write
  impl python "declared_tools:book"
}
tool never(a: string(pattern: r"^a+$", max_length: 0)) -> int {
  """Never."""
  impl python "declared_tools:book"
}
prompt system {
  section persona """You answer."""
  section tools catalog tools
}
hook asked on before_call {
  if calling(book) and argument.nights > 7
  deny """Ask first."""
}
hook quiet on before_reply {
  if reply contains "secret"
  deny """Blocked."""
}
test "short" {
  user "1"
  expect call book(nights: 1)
}
test "long" {
  user "8"
  expect call book(nights: 8)
}
test "never" {
  user "!"
  expect call never
}
test "said" {
  user "?"
  expect reply contains "secret"
}
'''


def test_a_test_that_a_hook_or_its_arguments_spoil_names_them(
    mini: Path, tmp_path: Path, harnessc: Callable[..., Said]
) -> None:
    hotel, junit = tmp_path / "hotel.harness", tmp_path / "report.xml"
    hotel.write_text(SPOILED)
    (tmp_path / "declared_tools.py").write_text("def book(code='', nights=1, a=''):\n    return nights\n")
    said = {
        "short": [],
        "long": [
            f"book(nights: 8) was not called: the call of tool/book was denied by hook/asked ({hotel}:15)"
        ],
        "never": [
            "never() was not called: the call of tool/never was refused for bad arguments, `a`: expected "
            'text matching `^a+$`, got "x"; the oracle finds no value for `a`: say it in the expectation'
        ],
        "said": [
            "`reply contains \"secret\"` does not hold for the reply 'Blocked.': "
            f"the reply was denied by hook/quiet ({hotel}:19)"
        ],
    }
    status, out, _ = harnessc(hotel)
    assert status == 1 and all(problem in out for problems in said.values() for problem in problems)
    _, out, _ = harnessc(hotel, "--json", "--junit", junit)
    assert {test["title"]: test["problems"] for test in json.loads(out)["tests"]} == said
    failures = {
        case.get("name"): [failure.get("message") for failure in case.iter("failure")]
        for case in ElementTree.parse(junit).iter("testcase")
    }
    assert failures == said
