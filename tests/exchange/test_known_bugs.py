"""Faults that users of other systems reported with settings and schemas: impossible here, or said."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness_dsl.exchange.decoding import Calls
from harness_dsl.exchange.exporting import Export, Target, export
from harness_dsl.exchange.hooks import import_hooks
from harness_dsl.exchange.importing import Imported, import_harness
from harness_dsl.exchange.tidy import analyse
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call
from harness_dsl.lint import lint
from harness_dsl.syntax.compile import compile_text
from tests.strategies import cores


def skills(folder: Path, matter: str, name: str = "brew-tea") -> Imported:
    path = folder / name / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\n{matter}\n---\nBody.\n", "utf-8")
    return clean(import_harness("skills", folder))


def tools(folder: Path, listed: Any, kind: Any = "mcp") -> Imported:
    path = folder / "tools.json"
    path.write_text(json.dumps(listed), "utf-8")
    return clean(import_harness(kind, path))


def clean(result: Imported) -> Imported:
    if result.text:
        found = lint(analyse(result.text, "x.harness"))
        assert [str(each) for each in found if each.severity != "info"] == []
    return result


def tool(name: str = "t", schema: Any = None, **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {}} if schema is None else schema
    return {"name": name, "description": f"Does {name}.", "inputSchema": schema, **more}


def properties(**parts: Any) -> dict[str, Any]:
    return {"type": "object", "properties": parts}


def compiled(result: Imported) -> tuple[Core, Surface]:
    found = compile_text(result.text)
    assert found.core is not None and found.surface is not None
    return found.core, found.surface


def exported(result: Imported, target: Target, **how: Any) -> Export:
    return export(*compiled(result), target, **how)


def parameters(result: Imported, target: Target = "openai-tools") -> dict[str, Any]:
    """The schemas of the parameters of the one tool, by name."""
    (entry,) = exported(result, target).document
    shown: dict[str, Any] = entry["function"]["parameters"]
    return shown


def description(result: Imported) -> str:
    (skill,) = compiled(result)[0].skills
    return "".join(getattr(part, "text", "") for part in skill.when.canonical)


def lost(result: Imported) -> list[tuple[str, str]]:
    return [(loss.pointer, loss.what) for loss in result.losses]


LINES = st.text(st.sampled_from("ab :-#'\"{}[],&*!|>%@`?中"), min_size=1, max_size=20).map(str.strip)


@settings(max_examples=40)
@given(LINES.filter(lambda line: line[:1] in ("a", "b", "中")))
def test_bug_8_a_colon_in_a_description_is_a_colon(
    tmp_path_factory: pytest.TempPathFactory, line: str
) -> None:
    matter = f"name: brew-tea\ndescription: use it: {line}"
    result = skills(tmp_path_factory.mktemp("skills"), matter)
    # YAML ends a plain value at ` #`; where the line is YAML, it is read as YAML.
    known = {f"use it: {line}", f"use it: {line}".split(" #")[0].strip()}
    assert result.refusals == [] and description(result) in known


@pytest.mark.parametrize(
    ("matter", "text"),
    [
        ("description: >\n  Two\n  words.", "Two words."),
        ("description: >-\n  Two\n  words.\n", "Two words."),
        ("description: |\n  One.\n  Two.", "One.\nTwo."),
        ("description: |2-\n    One.\n  Two.", "  One.\nTwo."),
        ("description: >+\n  Two\n\n  parts.\n\nlicense: MIT", "Two\nparts."),
    ],
)
def test_bug_9_a_block_scalar_is_its_text(tmp_path: Path, matter: str, text: str) -> None:
    assert description(skills(tmp_path, f"name: brew-tea\n{matter}")) == text


def test_bug_9_a_mark_without_a_block_is_refused(tmp_path: Path) -> None:
    result = skills(tmp_path, "name: brew-tea\ndescription: >\nlicense: MIT")
    assert [refusal.reason for refusal in result.refusals] == [
        "it has no description: nothing says when to use it"
    ]


@pytest.mark.parametrize("word", ["on", "off", "yes", "no", "y", "n"])
def test_bug_10_words_of_yaml_stay_words(tmp_path: Path, word: str) -> None:
    result = skills(tmp_path, f"name: {word}\ndescription: {word}\n{word}: x")
    assert description(result) == word and ("/" + word, f"`{word}`") in lost(result)
    (skill,) = compiled(result)[0].skills
    assert skill.id == f"skill/{word}"


@pytest.mark.parametrize("data", ['{"a": 1, "a": 2}', '{"x": [{"b": 1, "b": 1}]}'])
def test_bug_10_a_key_that_stands_twice_is_refused(tmp_path: Path, data: str) -> None:
    path = tmp_path / "tools.json"
    path.write_text(data)
    for refusals in (import_harness("mcp", path).refusals, import_hooks(path).refusals):
        assert ["stands twice in one object" in refusal.reason for refusal in refusals] == [True]
    result = skills(tmp_path, "name: a\nname: b\ndescription: c")
    assert ["found duplicate key" in refusal.reason for refusal in result.refusals] == [True]


def test_bug_10_anchors_are_reported(tmp_path: Path) -> None:
    result = skills(tmp_path, "name: &it brew-tea\ndescription: *it")
    assert ("", "that values of the front matter share an anchor") in lost(result)


@pytest.mark.parametrize(
    "spelling",
    ["[Read, 'Bash(git *)']", "Read, Bash(git *)", "Read Bash(git *)", "Read,Bash(git *)",
     "\n  - Read\n  - Bash(git *)", '"Read  Bash(git *)"'],
)  # fmt: skip
def test_bug_11_allowed_tools_mean_the_same_however_written(tmp_path: Path, spelling: str) -> None:
    result = skills(tmp_path, f"name: brew-tea\ndescription: d\nallowed-tools: {spelling}")
    assert lost(result) == [("/allowed-tools", "that it may use only Read, Bash(git *)")]


def test_bug_12_nothing_unknown_is_ignored_in_silence(tmp_path: Path) -> None:
    result = skills(tmp_path, "name: brew-tea\ndescription: d\nlicence: MIT\nowner: x")
    assert lost(result) == [("/licence", "`licence`; is `license` meant?"), ("/owner", "`owner`")]
    source = tool(schema=properties(x={"type": "string", "minlength": 3, "x-unit": "kg"}), titel="T")
    assert lost(tools(tmp_path, [source])) == [
        ("/0/titel", "`titel`"),
        ("/0/inputSchema/properties/x/minlength", "`minlength`"),
        ("/0/inputSchema/properties/x/x-unit", "`x-unit`"),
    ]
    path = tmp_path / "settings.json"
    path.write_text('{"hooks": {"Stop": [{"comand": "exit 2"}]}, "hoooks": 1}')
    result_of_hooks = import_hooks(path)
    assert [loss.what for loss in result_of_hooks.losses] == ["`hoooks`"]
    assert [refusal.reason for refusal in result_of_hooks.refusals] == ["a hook without a command"]


SHOP = """harness shop "1.0.0"

tool fetch(url: string) -> any {
  \"\"\"Fetch a part.\"\"\"
}

tool web_fetch named "web-fetch" (url: string) -> any {
  \"\"\"Fetch a page.\"\"\"
}

prompt system {
  section tools catalog tools
}
"""


def conditions(folder: Path, hooks: Any) -> tuple[list[str], list[str]]:
    """The conditions of the hooks in shop.harness after an import, and why others were refused."""
    path = folder / "settings.json"
    path.write_text(json.dumps(hooks))
    result = import_hooks(path, analyse(SHOP, "shop.harness"))
    lines = [line.strip() for line in result.text.splitlines()]
    said = [line.removeprefix("if ") for line in lines if line.startswith("if ")]
    return said, [refusal.reason for refusal in result.refusals]


def block(matcher: Any) -> dict[str, Any]:
    return {"matcher": matcher, "hooks": [{"type": "command", "command": "echo No. >&2; exit 2"}]}


def test_bug_13_an_odd_matcher_costs_its_own_hook_alone(tmp_path: Path) -> None:
    odd = [block({"tools": ["fetch"]}), block({"x": 1}), block(3), block("fetch")]
    said, refused = conditions(tmp_path, {"hooks": {"PreToolUse": odd, "Stop": [block(None)]}})
    assert said == ["calling(fetch)", "calling(fetch)", "true"]
    assert refused == ["a matcher that is an object without tools", "a matcher that is no text"]


def test_bug_13_flat_settings_are_read(tmp_path: Path) -> None:
    flat = {"matcher": "fetch", "command": "exit 2"}
    for shape in ({"PreToolUse": [flat]}, {"hooks": {"PreToolUse": flat}}, [{"event": "PreToolUse", **flat}]):
        assert conditions(tmp_path, shape) == (["calling(fetch)"], [])


@pytest.mark.parametrize("matcher", [None, "", "*", ".*", " * "])
def test_bug_13_every_spelling_of_all_matches_all(tmp_path: Path, matcher: Any) -> None:
    assert conditions(tmp_path, {"hooks": {"PreToolUse": [block(matcher)]}}) == (["true"], [])
    bare = {key: value for key, value in block(0).items() if key != "matcher"}
    assert conditions(tmp_path, {"hooks": {"PreToolUse": [bare]}}) == (["true"], [])


def test_bug_13_a_name_with_a_hyphen_is_one_name(tmp_path: Path) -> None:
    assert conditions(tmp_path, {"PreToolUse": [block("web-fetch")]})[0] == ["calling(web_fetch)"]
    assert conditions(tmp_path, {"PreToolUse": [block("fetch")]})[0] == ["calling(fetch)"]
    assert conditions(tmp_path, {"PreToolUse": [block("web")]}) == (
        [],
        ["no tool of the harness is shown as `web`"],
    )


@pytest.mark.parametrize(("command", "action"), [("exit 2", "deny"), ("exit 1", "log"), ("exit 3", "log")])
def test_bug_13_a_failure_that_blocks_nothing_is_said_to(tmp_path: Path, command: str, action: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"PreToolUse": [{"command": command}]}))
    result = import_hooks(path)
    core = compile_text(result.text + "\n").core
    assert core is None  # it is a module
    assert f"\n  {action}" in result.text
    assert any("blocks nothing" in loss.what for loss in result.losses) == (action == "log")


NAMES = st.text(st.sampled_from("ab._- 茶号"), min_size=1, max_size=3).filter(lambda name: name.strip() != "")


@settings(max_examples=15)
@given(st.lists(NAMES, min_size=1, max_size=5))
def test_bug_28_names_stay_apart_after_sanitising(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    listed = [tool(name, properties(n={"const": str(at)})) for at, name in enumerate(names)]
    result = tools(tmp_path_factory.mktemp("tools"), listed)
    assert len(result.sources) == len(names)
    core, surface = compiled(result)
    sent = [entry["function"]["name"] for entry in exported(result, "openai-tools", sanitise=True).document]
    assert len(set(sent)) == len(names)
    calls = Calls(core, surface, "openai-tools", sanitise=True)
    back = [calls.decode({"name": name, "arguments": "{}"}) for name in sent]
    assert {call.tool for call in back if isinstance(call, Call)} == {each.id for each in core.tools}


def test_bug_29_definitions_and_references_of_every_form_are_followed(tmp_path: Path) -> None:
    node = properties(value={"type": "string"}, next={"$ref": "#/$defs/Node"})
    schema = properties(
        plain={"$ref": "#/$defs/Node"},
        escaped={"$ref": "#/$defs/a~1b~0c%20d"},
        by_place={"$ref": "#/properties/words/items"},
        words={"type": "array", "items": {"enum": ["x", "y"]}},
        old={"$ref": "#/definitions/Old"},
        whole={"$ref": "#"},
        gone={"$ref": "#/$defs/Nothing"},
        away={"$ref": "https://schemas.invalid/x"},
    )
    schema["$defs"] = {"Node": node, "a/b~c d": {"type": "integer"}}
    schema["definitions"] = {"Old": {"type": "boolean"}}
    result = tools(tmp_path, [tool(schema=schema)])
    shown = exported(result, "json-schema").document["$defs"]["t.arguments"]
    assert shown["properties"]["plain"] == {"$ref": "#/$defs/Node"}
    assert shown["$defs"]["Node"]["properties"]["next"] == {"$ref": "#/$defs/Node"}
    assert shown["properties"]["escaped"] == {"type": "integer"}
    assert shown["properties"]["by_place"] == {"type": "string", "enum": ["x", "y"]}
    assert shown["properties"]["old"] == {"type": "boolean"}
    assert "$ref" in shown["properties"]["whole"]
    assert lost(result) == [
        (f"/0/inputSchema/properties/{name}/$ref", "a reference that leads nowhere in this schema")
        for name in ("gone", "away")
    ]


def test_bug_30_a_bad_result_costs_the_result_and_a_bad_tool_itself(tmp_path: Path) -> None:
    bad: list[Any] = [{"type": "object", "properties": []}, {"$ref": "#"}, 7, {"type": "array", "items": 3}]
    listed = [tool(f"t{at}", outputSchema=schema) for at, schema in enumerate(bad)]
    result = tools(
        tmp_path, [*listed, {"name": 7}, tool("good", outputSchema=properties(x={"type": "integer"}))]
    )
    assert {"good", "t0", "t2"} <= set(result.sources)
    assert "tool good() -> GoodResult" in result.text
    assert len(result.sources) + len(result.refusals) == 6 and all(each.reason for each in result.refusals)


def strict_faults(schema: Any, at: str = "") -> list[str]:
    """Where `schema` is none that a strict target takes."""
    if not isinstance(schema, dict):
        return []
    found = [
        f"{at}/{key}" for key in ("default", "minLength", "maxLength", "oneOf", "allOf") if key in schema
    ]
    if "properties" in schema:
        found += [] if schema.get("additionalProperties") is False else [f"{at} is open"]
        found += [] if schema.get("required") == list(schema["properties"]) else [f"{at}/required"]
    inner = [("items", schema.get("items")), *schema.get("properties", {}).items()]
    inner += [*schema.get("$defs", {}).items(), *enumerate(schema.get("anyOf", ()))]
    return found + [fault for key, part in inner for fault in strict_faults(part, f"{at}/{key}")]


@settings(max_examples=15)
@given(cores())
def test_bug_31_a_strict_schema_is_strict_at_every_depth(core: Core) -> None:
    result = export(core, Surface(), "openai-strict", sanitise=True)
    for entry in result.document:
        assert entry["function"]["strict"] is True
        assert strict_faults(entry["function"]["parameters"]) == []


def test_bug_31_nested_optionals_may_be_null_and_nothing_is_strict_unasked(tmp_path: Path) -> None:
    inner = properties(city={"type": "string"}, zip={"type": "string", "maxLength": 5})
    schema = properties(at=inner | {"required": ["city"]}, n={"type": "integer", "default": 3})
    result = tools(tmp_path, [tool(schema=schema)])
    strict = parameters(result, "openai-strict")
    assert strict["properties"]["at"]["properties"]["zip"] == {"type": ["string", "null"]}
    assert strict["properties"]["at"]["type"] == ["object", "null"]
    assert strict["properties"]["n"] == {"type": ["integer", "null"]}
    said = exported(result, "openai-strict")
    assert ("type/TAt/field/zip", "`maxLength`") in said.lost and said.absent["tool/t/param/n"] == "3"
    plain = exported(result, "openai-tools").document[0]["function"]
    assert "strict" not in plain and plain["parameters"]["required"] == []


@given(cores())
@settings(max_examples=8)
def test_bug_32_strictness_is_true_or_not_said(core: Core) -> None:
    for entry in export(core, Surface(), "openai-tools", sanitise=True).document:
        assert "strict" not in entry and "strict" not in entry["function"]


def test_bug_32_a_null_strictness_is_read(tmp_path: Path) -> None:
    function = {"name": "t", "description": "T.", "parameters": properties(), "strict": None}
    listed = [{"type": "function", "function": function, "strict": None}, {**function, "name": "u"}]
    result = tools(tmp_path, listed, "openai")
    assert sorted(result.sources) == ["t", "u"] and lost(result) == []


def test_bug_33_nullable_lists_and_excluded_bounds_reach_every_target(tmp_path: Path) -> None:
    schema = properties(
        words={"type": ["array", "null"], "items": {"type": "string"}},
        whole={"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10},
        part={"type": "number", "exclusiveMinimum": 0},
    )
    schema["required"] = list(schema["properties"])
    result = tools(tmp_path, [tool(schema=schema)])
    for target in ("openai-tools", "openai-strict"):
        shown = parameters(result, target)["properties"]  # type: ignore[arg-type]
        assert shown["words"] == {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}
        assert shown["whole"] == {"type": "integer", "minimum": 1, "maximum": 9}
        assert shown["part"] == {"type": "number", "minimum": 0}
    (entry,) = exported(result, "gemini").document[0]["functionDeclarations"]
    assert entry["parameters"]["properties"]["words"] == {
        "type": "ARRAY",
        "items": {"type": "STRING"},
        "nullable": True,
    }
    assert lost(result) == [("/0/inputSchema/properties/part/exclusiveMinimum", "that 0 itself is excluded")]


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("dict", {"type": "object", "additionalProperties": {}}),
        ("float", {"type": "number"}),
        ("tuple", {"type": "array", "items": {}}),
        ("any", {}),
        ("", {}),
        ("bool", {"type": "boolean"}),
        ("int", {"type": "integer"}),
        ("STRING", {"type": "string"}),
        (["str", "None"], {"anyOf": [{"type": "string"}, {"type": "null"}]}),
    ],
)
def test_bug_34_types_of_real_data_mean_what_they_do_there(tmp_path: Path, word: Any, shown: Any) -> None:
    result = tools(tmp_path, [tool(schema=properties(x={"type": word}))])
    assert parameters(result)["properties"]["x"] == shown and lost(result) == []


def test_bug_34_a_type_that_nobody_defines_is_said(tmp_path: Path) -> None:
    result = tools(tmp_path, [tool(schema=properties(x={"type": "Decimal128"}, y={"type": 7}))])
    at = "/0/inputSchema/properties"
    assert lost(result) == [
        (f"{at}/x/type", 'the type "Decimal128", which nobody defines'),
        (f"{at}/y/type", "the type 7, which nobody defines"),
    ]


def test_bug_35_order_is_that_of_the_file_and_the_same_every_time(tmp_path: Path) -> None:
    words = ["zebra", "apple", "mango"]
    schema = properties(**{word: {"enum": words} for word in words}) | {"required": ["mango", "zebra"]}
    listed = [tool(name, schema) for name in ("zulu", "alpha", "mike")]
    result = tools(tmp_path, listed)
    document = exported(result, "openai-tools").document
    assert [entry["function"]["name"] for entry in document] == ["zulu", "alpha", "mike"]
    for entry in document:
        shown = entry["function"]["parameters"]
        assert list(shown["properties"]) == words
        assert all(part["enum"] == words for part in shown["properties"].values())
    path = tmp_path / "t.harness"
    path.write_text(result.text)
    odd = tmp_path / "odd.json"
    odd.write_text(
        json.dumps([tool(schema=properties(x={"$ref": "#", **dict.fromkeys(words, 1)}), **schema)])
    )
    code = (
        "import sys; from harness_dsl.cli.main import main\n"
        "main(['compile', sys.argv[1], '--target', 'openai-strict'])\n"
        "main(['import', 'mcp', sys.argv[2], '--format', 'json', '-o', sys.argv[2] + '.harness'])"
    )
    command = [sys.executable, "-c", code, str(path), str(odd)]
    seeds = [{**os.environ, "PYTHONHASHSEED": seed} for seed in ("1", "2")]
    runs = [subprocess.run(command, capture_output=True, check=True, env=env).stdout for env in seeds]
    assert runs[0] == runs[1] and b'"losses": [' in runs[0]
