"""Benchmark items with their answers as tests of the language."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness_dsl.cli.main import main
from harness_dsl.exchange.importing import Imported, import_harness, import_items
from harness_dsl.exchange.tidy import analyse
from harness_dsl.ir.core import Core, ExpectCall
from harness_dsl.lint import lint
from harness_dsl.syntax.compile import compile_text
from harness_dsl.syntax.format import format_text

MATERIAL = Path(__file__).parent / "material"
FUNCTION = {
    "name": "book.table",
    "description": "Book.",
    "parameters": {
        "type": "dict",
        "required": ["guests"],
        "properties": {
            "guests": {"type": "integer"},
            "the name": {"type": "string", "enum": ["a", "b"]},
            "where": {
                "type": "dict",
                "properties": {"the city": {"type": "string"}, "at": {"type": "float"}},
            },
            "any": {"type": "any"},
        },
    },
}


def item(**more: Any) -> dict[str, Any]:
    ask = [[{"role": "user", "content": 'Book "it" {{ now }}'}]]
    return {"id": "simple_0", "question": ask, "function": [FUNCTION], **more}


def imported(
    folder: Path, items: list[Any], answers: list[Any] | None, kind: Any = "bfcl", name: str = "simple.json"
) -> Imported:
    """Imports the one file of items, whose answers stand beside it."""
    path = folder / name
    path.write_text("\n".join(map(json.dumps, items)), "utf-8")
    if answers is not None:
        (folder / "possible_answer").mkdir(exist_ok=True)
        (folder / "possible_answer" / name).write_text("\n".join(map(json.dumps, answers)), "utf-8")
    result = import_harness(kind, path)
    found = lint(analyse(result.text, "x.harness"))
    assert [str(each) for each in found if each.severity != "info"] == []
    assert format_text(result.text, "x.harness")[0] == result.text
    assert len(core_of(result).tests) == result.tests
    return result


def core_of(result: Imported) -> Core:
    core = compile_text(result.text).core
    assert core is not None
    return core


def calls(result: Imported) -> list[list[tuple[str, dict[str, Any], bool]]]:
    """What each test expects to be called."""
    return [
        [(one.tool, dict(one.arguments), one.negated) for one in test.expect if isinstance(one, ExpectCall)]
        for test in core_of(result).tests
    ]


def answer(*expected: Any, id_: str = "simple_0") -> dict[str, Any]:
    return {"id": id_, "ground_truth": list(expected)}


def lost(result: Imported) -> list[str]:
    return [loss.what for loss in result.losses]


def test_an_item_becomes_a_test_with_exact_arguments(tmp_path: Path) -> None:
    values = {
        "guests": [4],
        "the name": ["b"],
        "where": [{"the city": ["Hangzhou"], "at": [2.5]}],
        "any": [[1]],
    }
    result = imported(tmp_path, [item()], [answer({"book.table": values}, {"book.table": {"guests": [5]}})])
    assert 'test "simple_0" {\n  user "Book \\"it\\" {{ now }}"\n' in result.text
    where = {"the_city": "Hangzhou", "at": 2.5}
    assert calls(result) == [
        [
            ("tool/book_table", {"any": [1], "guests": 4, "the_name": "b", "where": where}, False),
            ("tool/book_table", {"guests": 5}, False),
        ]
    ]
    assert core_of(result).tests[0].user == ('Book "it" {{ now }}',)
    assert lost(result) == ["that case and spacing of an expected text do not count"]


@pytest.mark.parametrize(
    ("values", "kept", "loss"),
    [
        ({"guests": [4], "the name": ["a", ""]}, {"guests": 4}, "an expected argument that may be left out"),
        ({"guests": [4, 5]}, {}, "an expected argument that may have several values"),
        ({"guests": [4], "where": [{"at": [1, 2]}]}, {"guests": 4},
         "an expected argument that may have several values"),
        ({"guests": ["four"]}, {}, "an expected argument that is outside its own type"),
        ({"guests": [4], "the name": ["c"]}, {"guests": 4},
         "an expected argument that is outside its own type"),
        ({"guests": [4], "day": [1]}, {"guests": 4}, "an expected argument that its tool does not declare"),
        ({"guests": [4], "any": [1e30]}, {"guests": 4}, "an expected argument that is outside its own type"),
    ],
)  # fmt: skip
def test_what_a_test_cannot_say_is_lost(tmp_path: Path, values: Any, kept: Any, loss: str) -> None:
    result = imported(tmp_path, [item()], [answer({"book.table": values})])
    assert calls(result) == [[("tool/book_table", kept, False)]]
    assert [(each.pointer, each.what) for each in result.losses if "case and spacing" not in each.what] == [
        ("", loss)
    ]


def test_an_item_without_an_answer_is_no_test(tmp_path: Path) -> None:
    result = imported(tmp_path, [item(), item(id="simple_1", time="now")], [answer(id_="other")])
    assert result.tests == 0 and sorted(result.sources) == ["book_table"]
    assert lost(result) == [
        "a question to which there is no answer",
        "a question to which there is no answer",
        "`time` of an item",
    ]


def test_irrelevant_questions_expect_no_call(tmp_path: Path) -> None:
    result = imported(tmp_path, [item()], None, name="BFCL_v4_irrelevance.json")
    assert calls(result) == [[("tool/book_table", {}, True)]]
    assert main(["test", str(written(tmp_path, result))]) == 0


def written(folder: Path, result: Imported) -> Path:
    path = folder / "out.harness"
    path.write_text(result.text, "utf-8")
    return path


def test_dialogues_of_acebench(tmp_path: Path) -> None:
    dialogue = "user: 订桌\n两人\nsystem: 几点？\nuser: 七点\n"
    right = {"id": "simple_0", "ground_truth": {"book.table_1": {"guests": 2}, "book.table_2": {"guests": 3}}}
    result = imported(tmp_path, [item(question=dialogue)], [right], "acebench")
    assert core_of(result).tests[0].user == ("订桌\n两人", "七点")
    assert [[arguments for _, arguments, _ in each] for each in calls(result)] == [
        [{"guests": 2}, {"guests": 3}]
    ]
    assert lost(result) == ["what the assistant said in a question"]
    refused = {"id": "simple_0", "ground_truth": "I cannot."}
    result = imported(tmp_path, [item(question=dialogue)], [refused], "acebench")
    assert calls(result) == [[("tool/book_table", {}, True)]]
    assert "the words of an answer that calls nothing" in lost(result)
    several = {"id": "simple_0", "ground_truth": [{"book.table": {}}, {"book.table": {"guests": 2}}]}
    assert imported(tmp_path, [item(question=dialogue)], [several], "acebench").tests == 0


def test_titles_are_told_apart_and_a_refused_tool_takes_only_its_test_along(tmp_path: Path) -> None:
    mute = {**FUNCTION, "name": "mute", "description": 3}
    items = [
        item(),
        item(id="Simple 0"),
        item(id="simple_1", function=[mute]),
        item(id="simple_2", question=[[{"role": "system", "content": "Be brief."}]]),
        item(id="simple_3", question=[[{"role": "user"}]]),
        item(id="simple_4", question=7),
    ]
    right = [answer({"book.table": {"guests": [1]}}, id_=each["id"]) for each in items]
    right[2] = answer({"mute": {"guests": [1]}}, id_="simple_1")
    result = imported(tmp_path, items, right)
    assert {test.title for test in core_of(result).tests} == {"simple_0", "Simple 0 (2)"}
    assert [(refusal.name, refusal.reason) for refusal in result.refusals] == [
        ("mute", "its description is no text")
    ]
    assert "an expected call of a tool that the item does not have, or that is refused" in lost(result)
    assert lost(result).count("an item in which no user says anything") == 3
    assert "what the system said in a question" in lost(result)


def test_each_item_alone_has_its_own_test(tmp_path: Path) -> None:
    items = [item(), item(id="simple_1")]
    imported(tmp_path, items, [answer({"book.table": {"guests": [1]}}, id_=each["id"]) for each in items])
    parts = [part for part in import_items("bfcl", tmp_path / "simple.json") if part.text]
    assert [(part.name, part.tests) for part in parts] == [("simple_0", 1), ("simple_1", 1)]
    assert all(core_of(part).tests[0].expect for part in parts)


@pytest.mark.parametrize(("kind", "folder", "tests"), [("bfcl", "bfcl", 7), ("acebench", "acebench-zh", 3)])
def test_real_items_ask_for_what_their_answers_say(kind: Any, folder: str, tests: int) -> None:
    result = import_harness(kind, MATERIAL / folder)
    assert result.refusals == []
    assert result.tests == tests == len(core_of(result).tests)
    answers: dict[str, Any] = {}
    for file in sorted((MATERIAL / folder / "possible_answer").iterdir()):
        for line in file.read_text("utf-8").splitlines():
            one = json.loads(line)
            answers[one["id"]] = one["ground_truth"]
    for test in core_of(result).tests:
        expected = [one for one in test.expect if isinstance(one, ExpectCall)]
        assert expected
        if test.title not in answers:
            assert all(one.negated for one in expected)
            continue
        right = answers[test.title]
        names = [name for entry in (right if isinstance(right, list) else [right]) for name in entry]
        assert len(expected) == len(names)
        for one in expected:
            said = json.dumps(right, ensure_ascii=False)
            for value in dict(one.arguments).values():
                if isinstance(value, str):
                    assert json.dumps(value, ensure_ascii=False) in said
