"""Whether a model was trained for an edit."""

import json

import pytest

from augmentors.registry import OPERATORS
from harness_dsl.history.comparison import compare
from harness_dsl.history.coverage import FAMILIES, Label
from harness_dsl.history.settings import ManifestError, trained_operators
from harness_dsl.syntax.compile import compile_text
from harness_dsl.syntax.opening import Opened
from tests.history.editing.workshop import EXAMPLES

ALL = dict.fromkeys(FAMILIES, 1)
NAME = ('named "link": int', 'named "links": int')
TEXT = ("回答观众。", "回答每位观众。")
MENTION = ("回答观众。", "用 {{ tool.get_quote }} 回答观众。")
ADDED = ("prompt system {", 'tool ask() -> string {\n  """Ask."""\n}\n\nprompt system {')
LEGAL = ('opener "亲" in', 'opener "宝子" in')
ILLEGAL = ("  turns 4", "  turns 5")
DOCS = ("tool_docs python", "tool_docs json_schema")
RULE = ("    rule quoted", '    rule kind """Be kind."""\n    rule quoted')
TYPE = ('"link": int)', '"link": int(min: 1))')
TITLE = ('"A compact live-shop host:', '"A live-shop host:')


TEXT_OF = (EXAMPLES / "live_shop" / "shop_mini.harness").read_text("utf-8")


def opened(text: str) -> Opened:
    compiled = compile_text(text, "s")
    assert compiled.core is not None and compiled.surface is not None, compiled.diagnostics
    return Opened("s", compiled.core, compiled.surface, compiled.spans, compiled.files)


OLD = opened(TEXT_OF)


def test_every_operator_of_a_manifest_is_known_under_its_family() -> None:
    assert {name: operator.family for name, operator in OPERATORS.items()} == FAMILIES


@pytest.mark.parametrize(
    ("edit", "operators", "label"),
    [
        (NAME, {"rename": 5}, "inside"),
        (NAME, {"rename": 0, "reorder": 9}, "outside"),
        (TEXT, {"wordings": 1}, "inside"),
        (MENTION, {"wordings": 1}, "partly"),
        (ADDED, {"distractors": 1}, "partly"),
        (ADDED, {"hide": 1}, "partly"),
        (ADDED, {"rename": 1}, "outside"),
        (LEGAL, {"limits": 1}, "inside"),
        (ILLEGAL, {"limits": 1}, "partly"),
        (DOCS, {"tool-docs": 1}, "inside"),
        (DOCS, {"markup": 1}, "partly"),
        (RULE, ALL, "outside"),
        (TYPE, ALL, "outside"),
        (TITLE, {}, "inside"),
    ],
)
def test_labels(edit: tuple[str, str], operators: dict[str, int], label: str) -> None:
    comparison = compare("s", OLD, opened(TEXT_OF.replace(*edit)), operators=operators)
    assert {str(located.coverage) for located in comparison.edits} == {label}
    assert label in set(Label)


def test_a_removed_tool_is_what_hiding_does() -> None:
    new = opened(TEXT_OF.replace(*ADDED))
    for operators, label in (({"hide": 3}, "inside"), ({"distractors": 3}, "partly"), ({}, "outside")):
        comparison = compare("s", new, OLD, operators=operators)
        assert {str(located.coverage) for located in comparison.edits} == {label}


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"operators": 1}', b'{"operators": {"a": "b"}}'])
def test_another_file_is_refused(data: bytes) -> None:
    with pytest.raises(ManifestError, match="`m` is no manifest"):
        trained_operators(data, "m")
    assert trained_operators(json.dumps({"operators": {"rename": 2}}).encode(), "m") == {"rename": 2}
