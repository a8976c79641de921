"""Targets: what each takes, refuses and loses."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness_dsl.cli.main import main
from harness_dsl.exchange.exporting import TARGETS, Export, export
from harness_dsl.exchange.importing import import_harness
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.syntax.compile import compile_text
from tests.exchange.schemas import differences
from tests.strategies import cores

TEA = '''
type Node {
  value: string
  next?: Node
}

input room: string

tool brew(
  kind named "leaf": "green" named "sencha" | "black" "Which leaf.",
  grams: decimal(min: 0) = 2,
  cup?: string(max_length: 9, format: "uri"),
  note?: string?,
) -> Node {
  """Brew a cup."""
  effect write
  fails empty
}
'''


def tea(more: str = "", target: Any = "openai-tools") -> Export:
    text = f'harness tea "1.0.0"\n{TEA}\n{more}\nprompt system {{\n  section tools catalog tools\n}}\n'
    compiled = compile_text(text)
    assert compiled.core is not None and compiled.surface is not None, compiled.diagnostics
    return export(compiled.core, compiled.surface, target)


def test_openai_tools_are_shown_by_their_shown_names() -> None:
    result = tea()
    assert result.faults == []
    function = result.document[0]["function"]
    assert function["name"] == "brew" and function["description"] == "Brew a cup."
    assert function["parameters"] == {
        "type": "object",
        "properties": {
            "leaf": {"type": "string", "enum": ["sencha", "black"], "description": "Which leaf."},
            "grams": {"type": "number", "minimum": 0, "default": 2},
            "cup": {"type": "string", "maxLength": 9, "format": "uri"},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["leaf"],
    }
    assert ("tool/brew", "its effect, `write`") in result.lost
    assert ("tool/brew", "its failures: empty") in result.lost
    assert 'shown names: "leaf" is tool/brew/param/kind' in " ".join(result.decode)


def test_strict_mode_requires_everything_and_says_what_null_means() -> None:
    result = tea(target="openai-strict")
    function = result.document[0]["function"]
    assert function["strict"] is True
    assert function["parameters"] == {
        "type": "object",
        "properties": {
            "leaf": {"type": "string", "enum": ["sencha", "black"], "description": "Which leaf."},
            "grams": {"type": ["number", "null"], "minimum": 0},
            "cup": {"type": ["string", "null"]},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["leaf", "grams", "cup", "note"],
        "additionalProperties": False,
    }
    assert ("tool/brew/param/cup", "`maxLength`") in result.lost
    assert ("tool/brew/param/cup", "`format`") in result.lost
    assert ("tool/brew/param/note", "that absent and null are two things") in result.lost
    assert "null for tool/brew/param/grams means 2" in result.decode
    assert "null for tool/brew/param/cup means that it is absent" in result.decode


def test_strict_mode_keeps_recursion_and_optional_enums() -> None:
    result = tea(
        'tool walk(from: Node, way?: "up" | "down" "Where to.") -> any { """Walk.""" }', "openai-strict"
    )
    parameters = result.document[1]["function"]["parameters"]
    assert parameters["properties"] == {
        "from": {"$ref": "#/$defs/Node"},
        "way": {"type": ["string", "null"], "enum": ["up", "down", None], "description": "Where to."},
    }
    assert parameters["$defs"]["Node"] == {
        "type": "object",
        "properties": {
            "value": {"type": "string"},
            "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]},
        },
        "required": ["value", "next"],
        "additionalProperties": False,
    }


def test_gemini_says_null_in_its_own_way_and_keeps_the_order() -> None:
    result = tea(target="gemini")
    [declaration] = result.document[0]["functionDeclarations"]
    parameters = declaration["parameters"]
    assert parameters["type"] == "OBJECT"
    assert parameters["properties"]["note"] == {"type": "STRING", "nullable": True}
    assert parameters["propertyOrdering"] == ["leaf", "grams", "cup", "note"]
    assert ("tool/brew/param/cup", "the format `uri`") in result.lost


def test_gemini_leaves_out_parameters_that_are_none() -> None:
    result = tea('tool ping() -> any { """Ping.""" }', "gemini")
    assert result.document[0]["functionDeclarations"][1] == {"name": "ping", "description": "Ping."}


def test_mcp_keeps_effects_and_results() -> None:
    [entry] = tea(target="mcp").document["tools"]
    assert entry["annotations"] == {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False}
    assert "outputSchema" not in entry  # a reference at the root is no object schema to MCP
    assert ("tool/brew", "what it returns") in tea(target="mcp").lost


def test_json_schema_keeps_references_inside_their_own_resource() -> None:
    document = tea(target="json-schema").document
    result = document["$defs"]["brew.result"]
    assert result["$id"] == "urn:harness:tea:brew:result"
    assert result["$ref"] == "#/$defs/Node" and "Node" in result["$defs"]


@pytest.mark.parametrize(
    ("more", "target", "symbol", "reason"),
    [
        (
            'tool 泡茶() -> any { """T.""" }',
            "openai-tools",
            "tool/泡茶",
            "`泡茶` is no name that openai-tools takes",
        ),
        ('tool a named "a.b"() -> any { """T.""" }', "anthropic-tools", "tool/a", "`a.b` is no name"),
        ('tool a(茶: int) -> any { """T.""" }', "anthropic-tools", "tool/a/param/茶", "`茶` is no key"),
        ('tool a(x: any) -> any { """T.""" }', "openai-strict", "tool/a/param/x", "it takes any value"),
        ('tool a(x: map<int>) -> any { """T.""" }', "openai-strict", "tool/a/param/x", "it is a map"),
        ('tool a(x: Node) -> any { """T.""" }', "gemini", "tool/a/param/x", "its type contains itself"),
        ('tool a(x: map<int>) -> any { """T.""" }', "gemini", "tool/a/param/x", "it is an object without"),
        ('tool a() -> any { """In {{ room }}.""" }', "mcp", "tool/a/description", "it prints `room`"),
        ('reply skill Brew_Tea { when "x" }', "agent-skills", "skill/Brew_Tea", "`Brew_Tea` is no name"),
    ],
)
def test_what_a_target_cannot_take_is_named(more: str, target: Any, symbol: str, reason: str) -> None:
    result = tea(more, target)
    assert [(fault.symbol, fault.reason[: len(reason)]) for fault in result.faults] == [(symbol, reason)]
    assert len(json.dumps(result.document)) > 100 or target == "agent-skills"


def test_a_skill_of_several_steps_becomes_a_list() -> None:
    steps = 'do ordered { "One {{ tool.brew }}.\\nMore." "Two." }'
    more = f'reply skill brew_it named "brew-it" {{ when "Tea?" uses brew {steps} }}'
    result = tea(more, "agent-skills")
    assert result.files == {
        "brew-it/SKILL.md": "---\nname: brew-it\ndescription: Tea?\nallowed-tools: brew\n---\n"
        "\n1. One brew.\n   More.\n2. Two.\n"
    }


def test_the_command_says_where_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "t.harness", tmp_path / "out.json"
    tool = 'tool 泡茶() -> any {\n  """T."""\n}'
    prompt = "prompt system { section tools catalog tools }"
    path.write_text(f'harness tea "1.0.0"\n{TEA}\n{tool}\n{prompt}\n')
    assert main(["compile", str(path), "--target", "openai-tools", "-o", str(out)]) == 1
    shown = capsys.readouterr()
    assert f"{path}:21:6: error: tool/泡茶: `泡茶` is no name that openai-tools takes" in shown.err
    assert "help: with `--sanitise`" in shown.err
    assert not out.exists()
    assert main(["compile", str(path), "--target", "json-schema", "-o", str(out)]) == 0
    assert "brew.arguments" in json.loads(out.read_text())["$defs"]
    assert "lost: its effect, `write` (tool/brew)" in capsys.readouterr().err


@given(cores())
def test_every_harness_reaches_every_target_or_the_reason_is_given(core: Core) -> None:
    for target in TARGETS:
        result = export(core, Surface(), target)
        json.dumps(result.document)
        assert all(fault.symbol and fault.reason for fault in result.faults)


@given(cores())
def test_exported_tools_come_back_with_the_same_schemas(
    tmp_path_factory: pytest.TempPathFactory, core: Core
) -> None:
    first = export(core, Surface(), "mcp")
    path = tmp_path_factory.mktemp("back") / "tools.json"
    path.write_text(json.dumps(first.document))
    back = import_harness("mcp", path)
    assert back.refusals == []
    if not first.document["tools"]:
        assert not back.text
        return
    compiled = compile_text(back.text)
    assert compiled.core is not None and compiled.surface is not None
    again = export(compiled.core, compiled.surface, "json-schema").document["$defs"]
    losses = {loss.pointer: loss.what for loss in back.losses}
    for at, tool in enumerate(first.document["tools"]):
        if not tool["description"].strip():
            assert any(loss.pointer == f"/tools/{at}" and "does not say" in loss.what for loss in back.losses)
        ours = again[f"{tool['name']}.arguments"]
        del ours["description"]
        assert differences(tool["inputSchema"], ours, f"/tools/{at}/inputSchema", losses) == []


WORDS = st.sampled_from(
    ["type", "properties", "items", "required", "enum", "anyOf", "allOf", "$ref", "default", "pattern",
     "minimum", "exclusiveMinimum", "maxLength", "additionalProperties", "nullable", "description", "a",
     "string", "object", "array", "integer", "null", "#/properties/a", "#", "", "(a+)+", "x\ud800"]
)  # fmt: skip
SCHEMAS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


PARAMETERS = st.fixed_dictionaries({"properties": st.fixed_dictionaries({"a": SCHEMAS})}) | SCHEMAS
TOOLS = st.fixed_dictionaries(
    {"name": SCHEMAS | st.just("t"), "description": st.just("d") | SCHEMAS, "inputSchema": PARAMETERS}
)


@given(st.lists(TOOLS, max_size=3))
def test_no_tool_list_however_odd_ends_in_a_traceback(
    tmp_path_factory: pytest.TempPathFactory, tools: Any
) -> None:
    path = tmp_path_factory.mktemp("odd") / "tools.json"
    path.write_text(json.dumps(tools))
    result = import_harness("mcp", path)
    assert len(result.sources) + len(result.refusals) + result.repeated == len(tools)
    if result.text:
        assert compile_text(result.text).core is not None
