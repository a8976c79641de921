"""Importing: what becomes of odd names, odd schemas and odd files."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from harness_dsl.cli.main import main
from harness_dsl.exchange.importing import Imported, import_harness, import_items
from harness_dsl.exchange.tidy import analyse
from harness_dsl.ir.types import EnumType, IntType, ListType, NamedType, NullableType, StringType
from harness_dsl.lint import lint
from harness_dsl.syntax.compile import Compiled, compile_text
from harness_dsl.syntax.format import format_text


def imported(tmp_path: Path, tools: Any, kind: Any = "mcp") -> Imported:
    path = tmp_path / "tools.json"
    path.write_bytes(tools if isinstance(tools, bytes) else json.dumps(tools).encode())
    result = import_harness(kind, path)
    if result.text:
        clean(result.text)
    return result


def clean(text: str) -> Compiled:
    """Compiles, with no error and no warning, in the canonical layout."""
    found = [str(found) for found in lint(analyse(text, "x.harness")) if found.severity != "info"]
    assert found == []
    assert format_text(text, "x.harness")[0] == text
    compiled = compile_text(text)
    assert compiled.core is not None
    return compiled


def tool(name: str = "t", **properties: Any) -> dict[str, Any]:
    return {
        "name": name,
        "description": "Does it.",
        "inputSchema": {"type": "object", "properties": properties},
    }


def param_type(result: Imported, name: str) -> Any:
    core = compile_text(result.text).core
    assert core is not None
    return next(param.type for tool in core.tools for param in tool.params if param.id.endswith(f"/{name}"))


def lost(result: Imported) -> list[tuple[str, str]]:
    return [(loss.pointer, loss.what) for loss in result.losses]


def test_odd_names_become_identifiers_and_stay_shown(tmp_path: Path) -> None:
    result = imported(
        tmp_path, [tool("math.sqrt", **{"the value": {"type": "int"}, "fixed": {}, "1st": {}, "数": {}})]
    )
    compiled = compile_text(result.text)
    assert compiled.core is not None and compiled.surface is not None
    assert compiled.core.tools[0].id == "tool/math_sqrt"
    assert compiled.surface.names == {
        "tool/math_sqrt": "math.sqrt",
        "tool/math_sqrt/param/the_value": "the value",
        "tool/math_sqrt/param/fixed_": "fixed",
        "tool/math_sqrt/param/_1st": "1st",
    }
    assert lost(result) == []
    assert "# allow HD701: the source calls it so" in result.text


def test_names_that_targets_cannot_tell_apart_are_told_apart(tmp_path: Path) -> None:
    result = imported(tmp_path, [tool("a.b"), tool("a_b", x={}), tool("a_b", y={})])
    compiled = compile_text(result.text)
    assert compiled.core is not None and compiled.surface is not None
    shown = [compiled.surface.names.get(each.id) or each.id[5:] for each in compiled.core.tools]
    assert sorted(shown) == ["a.b", "a_b_2", "a_b_3"]
    assert [what for _, what in lost(result)] == [
        'the name "a_b": it is shown as `a_b_2`',
        'the name "a_b": it is shown as `a_b_3`',
    ]


def test_one_bad_tool_never_stops_the_others(tmp_path: Path) -> None:
    tools = [
        tool("good"),
        {"name": "mute", "description": 3, "inputSchema": {}},
        {"description": "nameless"},
        "text",
        {"name": "list", "description": "x", "inputSchema": {"type": "array"}},
        {"name": "odd", "description": "x", "inputSchema": {"type": "object", "properties": []}},
        tool("endless", x={"$ref": "#/$defs/A"})
        | {"outputSchema": {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}},
        tool("deep", x=nested(60)),
    ]
    result = imported(tmp_path, tools)
    assert sorted(result.sources) == ["good"]
    assert {refusal.name: refusal.reason for refusal in result.refusals if refusal.name} == {
        "mute": "its description is no text",
        "list": 'its parameters are of type "array" and no object',
        "odd": "`properties` is no object",
        "endless": "HD304 `A` always contains itself",
        "deep": "types are nested more than 30 deep",
    }
    assert len(result.refusals) == 7


def nested(depth: int) -> dict[str, Any]:
    return {"type": "array", "items": nested(depth - 1)} if depth else {}


def test_types_of_real_data_that_json_schema_does_not_know(tmp_path: Path) -> None:
    given = {
        "a": "dict",
        "b": "float",
        "c": "tuple",
        "d": "any",
        "e": "",
        "f": "bool",
        "g": "STRING",
        "h": "date",
    }
    result = imported(tmp_path, [tool(**{key: {"type": name} for key, name in given.items()})])
    line = next(line for line in result.text.splitlines() if line.startswith("tool"))
    assert "a?: map<any>, b?: float, c?: any[], d?: any, e?: any, f?: bool, g?: string, h?: any" in line
    assert lost(result) == [("/0/inputSchema/properties/h/type", 'the type "date", which nobody defines')]


def test_nullable_lists_bounds_and_enums(tmp_path: Path) -> None:
    result = imported(
        tmp_path,
        [
            tool(
                a={"type": ["array", "null"], "items": {"type": "string"}, "maxItems": 3},
                b={"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 9.5},
                c={"type": "number", "exclusiveMinimum": 0},
                d={"enum": [1, 2, 3]},
                e={"enum": [1, 4]},
                f={"enum": ["x", "y", None]},
                g={"enum": ["", "x"]},
                h={"anyOf": [{"type": "string", "minLength": 2}, {"type": "null"}]},
                i={"type": "string", "nullable": True},
                j={"type": "string", "pattern": "(a+)+$"},
                k={"type": "string", "multipleOf": 2, "title": "K"},
            )
        ],
    )
    assert param_type(result, "a") == NullableType(item=ListType(item=StringType(), max_length=3))
    assert param_type(result, "b") == IntType(min=1, max=9)
    assert param_type(result, "d") == IntType(min=1, max=3)
    assert param_type(result, "e") == IntType(min=1, max=4)
    assert isinstance(param_type(result, "f").item, EnumType)
    assert param_type(result, "h") == NullableType(item=StringType(min_length=2))
    assert param_type(result, "i") == NullableType(item=StringType())
    at = "/0/inputSchema/properties"
    assert lost(result) == [
        (f"{at}/c/exclusiveMinimum", "that 0 itself is excluded"),
        (f"{at}/e/enum", "which whole numbers from 1 to 4 are allowed"),
        (f"{at}/j/pattern", "a pattern that can take exponential time"),
        (f"{at}/k/multipleOf", "`multipleOf`"),
        (f"{at}/k/title", "`title`"),
    ]


def test_references_are_followed_also_in_circles(tmp_path: Path) -> None:
    source = tool(
        tree={"$ref": "#/$defs/Node"}, again={"$ref": "#/properties/tree"}, gone={"$ref": "#/$defs/No"}
    )
    source["inputSchema"]["$defs"] = {
        "Node": {
            "type": "object",
            "properties": {
                "value": {"type": "string"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
            },
            "required": ["value"],
        }
    }
    result = imported(tmp_path, [source])
    assert param_type(result, "tree") == NamedType(type="type/Node")
    assert "type Node {\n  value: string\n  children?: Node[]\n}" in result.text
    assert "type Tree = Node" in result.text
    assert lost(result) == [
        ("/0/inputSchema/properties/gone/$ref", "a reference that leads nowhere in this schema")
    ]


def test_all_of_is_one_schema_also_through_references(tmp_path: Path) -> None:
    base = {"type": "object", "properties": {"y": {"type": "integer"}}, "required": ["y"]}
    more = {"properties": {"z": {"type": "string"}}}
    source = tool(x={"allOf": [{"$ref": "#/$defs/Base"}, more]}, b={"allOf": [{"$ref": "#/$defs/Base"}]})
    source["inputSchema"]["$defs"] = {"Base": base}
    result = imported(tmp_path, [source])
    assert "type TX {\n  y: int\n  z?: string\n}" in result.text
    assert param_type(result, "b") == NamedType(type="type/Base")
    assert lost(result) == []


def test_defaults_are_kept_where_they_fit(tmp_path: Path) -> None:
    source = tool(
        a={"type": "integer", "default": 3},
        b={"type": "integer", "default": "3"},
        c={"type": "string", "default": None},
        d={"type": "string", "default": "x"},
        e={"type": "number", "default": 1e-9},
    )
    source["inputSchema"]["required"] = ["d"]
    result = imported(tmp_path, [source])
    assert "tool t(a: int = 3, b?: int, c?: string, d: string, e?: float)" in result.text
    at = "/0/inputSchema/properties"
    assert lost(result) == [
        (f"{at}/b/default", "a default that is outside its own type"),
        (f"{at}/c/default", "a default of null where null is no value"),
        (f"{at}/d/default", "the default of a parameter that is required"),
        (f"{at}/e/default", "a default that is outside its own type"),
    ]


def test_descriptions_that_stand_where_none_can_are_carried_by_a_type(tmp_path: Path) -> None:
    result = imported(
        tmp_path, [tool(cities={"type": "array", "items": {"type": "string", "description": "A city."}})]
    )
    assert 'type TCitiesItem = string "A city."' in result.text
    assert param_type(result, "cities") == ListType(item=NamedType(type="type/TCitiesItem"))


@pytest.mark.parametrize(
    "text",
    [
        'ends with a "quote"',
        'has """three""" and """"four quotes',
        "has {{ braces }} and {% tags %} and {{{ three",
        '{"json": {"a": 1}}',
        "  leading and trailing  \n\n  lines \n \t\n",
        "carriage\r\nreturns\rand\x0cform feeds\x00",
        "\\n is no line feed",
        "names another tool: {other_tool} and {{other_tool}} `other_tool`",
        "own_param and {own_param} and foreign_param",
        "\u3000中文，全角\u3000",
        "\ufeffmark",
    ],
)
def test_every_text_is_said_letter_by_letter(tmp_path: Path, text: str) -> None:
    for source in (text, text + "\nsecond line"):
        tools = [
            tool("first", own_param={"type": "string", "description": source}),
            tool("other_tool", foreign_param={}),
        ]
        tools[0]["description"] = source
        core = compile_text(imported(tmp_path, tools).text).core
        assert core is not None
        first = next(each for each in core.tools if each.id == "tool/first")
        assert said(first.description.canonical) == source
        assert first.params[0].description is not None
        assert said(first.params[0].description.canonical) == source


def said(template: Any) -> str:
    return "".join(
        part.text if part.kind == "literal" else part.target.rsplit("/", 1)[-1] for part in template
    )


def test_effects_come_from_the_hints_of_mcp(tmp_path: Path) -> None:
    hints: dict[str, dict[str, Any]] = {
        "reads": {"readOnlyHint": True},
        "writes": {"readOnlyHint": False, "idempotentHint": True},
        "destroys": {"destructiveHint": True},
        "says_nothing": {},
    }
    result = imported(tmp_path, [tool(name) | {"annotations": hint} for name, hint in hints.items()])
    core = compile_text(result.text).core
    assert core is not None
    assert {each.id[5:]: each.effect for each in core.tools} == {
        "reads": "read",
        "writes": "write",
        "destroys": "irreversible",
        "says_nothing": "write",
    }


def test_a_bad_result_schema_costs_only_the_result(tmp_path: Path) -> None:
    bad = tool("a") | {"outputSchema": {"type": "object", "properties": 3}}
    good = tool("b") | {"outputSchema": {"type": "object", "properties": {"left": {"type": "integer"}}}}
    result = imported(tmp_path, [bad, good])
    assert "tool a() -> any" in result.text and "tool b() -> BResult" in result.text
    assert lost(result) == [("/0/outputSchema", "the result: `properties` is no object")]


def test_openai_and_anthropic_requests(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}
    openai = [
        {
            "type": "function",
            "strict": None,
            "function": {"name": "a", "description": "d", "parameters": schema, "strict": None},
        },
        {"type": "function", "name": "b", "description": "d", "parameters": schema, "strict": True},
        {"type": "web_search"},
    ]
    result = imported(tmp_path, {"model": "m", "tools": openai}, "openai")
    assert sorted(result.sources) == ["a", "b"] and "tool a(x: string) -> any" in result.text
    assert [refusal.reason for refusal in result.refusals] == [
        "`web_search` is a tool of the provider, not a function"
    ]
    anthropic = [
        {"name": "c", "description": "d", "input_schema": schema, "cache_control": {"type": "ephemeral"}}
    ]
    result = imported(tmp_path, anthropic, "anthropic")
    assert lost(result) == [("/0/cache_control", "`cache_control`")]


def test_items_of_one_id_in_two_files_are_two(tmp_path: Path) -> None:
    function = {"name": "f", "description": "d", "parameters": {}}
    for file in ("a.json", "b.json"):
        (tmp_path / file).write_text(json.dumps({"id": "x.1", "function": [function]}))
    out = tmp_path / "out"
    assert main(["import", "bfcl", str(tmp_path), "--split", "-o", str(out)]) == 0
    assert sorted(path.name for path in out.iterdir()) == ["x_1.harness", "x_1_2.harness"]
    assert main(["check", str(out)]) == 0


def test_benchmark_items_alone_and_together(tmp_path: Path) -> None:
    function = {"name": "f", "description": "d", "parameters": {"type": "dict", "properties": {}}}
    path = tmp_path / "items.json"
    path.write_text(
        "\n".join(json.dumps({"id": f"x_{n}", "question": [], "function": [function]}) for n in range(2))
    )
    whole = import_harness("bfcl", path)
    assert sorted(whole.sources) == ["f"] and whole.repeated == 1
    parts = [part for part in import_items("bfcl", path) if part.text]
    assert [part.name for part in parts] == ["x_0", "x_1"]
    assert [sorted(part.sources) for part in parts] == [["f"], ["f"]]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'[{"name": "\xe9"}]', "byte 0xe9 at 11 is not UTF-8"),
        (b'{"name": "a", "name": "b"}', "the key `name` stands twice in one object"),
        (b"[NaN]", "`NaN` is no JSON"),
        (b"{", "line 1, column 2: expecting property name enclosed in double quotes"),
        (b"[" * 100_000, "it is nested too deep"),
        (b"", "line 1, column 1: expecting value"),
    ],
)
def test_a_bad_file_is_one_sentence(tmp_path: Path, data: bytes, reason: str) -> None:
    result = imported(tmp_path, data)
    assert [refusal.reason for refusal in result.refusals] == [reason]


def test_the_command_reports_and_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "tools.json", tmp_path / "out.harness"
    path.write_text(json.dumps([tool("a", x={"title": "X"}), {"name": "b", "description": 3}]))
    assert main(["import", "mcp", str(path), "-o", str(out), "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["taken"] == 1 and report["written"] == [str(out)]
    assert report["losses"] == [
        {"file": "tools.json", "pointer": "/0/inputSchema/properties/x/title", "what": "`title`"}
    ]
    assert report["refusals"][0]["name"] == "b"
    assert main(["check", str(out)]) == 0
    assert main(["import", "mcp", str(path), "--server", "shop"]) == 1
    shown = capsys.readouterr()
    assert 'impl mcp "shop" tool "a"' in shown.out and "1 taken over, 1 refused, 1 loss\n" in shown.err
    assert main(["import", "mcp", str(tmp_path / "none")]) == 2
    assert main(["import", "skills", str(path), "--split", "-o", str(tmp_path)]) == 2


def test_names_of_strangers_reach_no_terminal_as_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([tool("a\x1b[2Jb\nc"), {"name": "d\x1b[0m\ne", "description": 3}]))
    assert main(["import", "mcp", str(path), "-o", str(tmp_path / "out.harness")]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert all(line.isprintable() for line in lines)
    assert lines[0] == (r"refused: tools.json#/1 `d\u001b[0m\ne`: its description is no text")
    assert len(lines) == 3


def test_a_tool_without_a_description_is_described_by_its_title_or_name(tmp_path: Path) -> None:
    tools = [
        {"name": "shop.getQuote_2", "inputSchema": {"type": "object"}},
        {"name": "b", "title": "Book a room", "description": ""},
        {"name": "c", "annotations": {"title": "Cancel", "readOnlyHint": True}},
        {"name": "查价", "description": None},
        {"name": "!!", "description": " "},
    ]
    result = imported(tmp_path, tools)
    core = compile_text(result.text).core
    assert core is not None
    assert {said(each.description.canonical) for each in core.tools} == {
        "Shop get quote 2",
        "Book a room",
        "Cancel",
        "查价",
        "!!",
    }
    by = {"/0": "name", "/1": "title", "/2": "title", "/3": "name", "/4": "name"}
    told = {at: what for at, what in lost(result) if "is shown as" not in what}
    assert told == {
        at: f"what the tool does, which the source does not say: its {word} stands for it"
        for at, word in by.items()
    }
    openai = imported(tmp_path, [{"type": "function", "function": {"name": "ping"}}], "openai")
    assert '"""Ping"""' in openai.text and len(openai.losses) == 1


def test_standard_input_is_read_as_a_file_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def given(text: str, *words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        status = main(["import", *words])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    tools = json.dumps([tool("a", x={"title": "X"})])
    status, out, err = given(tools, "mcp", "-")
    assert status == 0 and "tool a(x?: any) -> any" in out
    assert err == "lost: `title` (stdin#/0/inputSchema/properties/x/title)\n1 taken over, 0 refused, 1 loss\n"
    status, out, _ = given("---\nname: a\ndescription: b\n---\nDo it.\n", "skills", "-")
    assert status == 0 and "reply skill a {" in out
    hook = {"hooks": {"UserPromptSubmit": [{"command": "echo Be brief."}]}}
    status, out, _ = given(json.dumps(hook), "hooks", "-")
    assert status == 0 and "hook user_prompt_submit on before_turn" in out
    assert given("{", "mcp", "-")[0] == 1
    assert given("[]", "mcp", "-")[0] == 2
