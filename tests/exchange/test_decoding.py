"""What comes back from a target: names to semantic ids, nulls to absence, and why something is no call."""

import json
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from harness_dsl.cli.main import main
from harness_dsl.exchange.decoding import Calls, Undecodable
from harness_dsl.exchange.exporting import TARGETS, Target, export
from harness_dsl.exchange.wire import Wire
from harness_dsl.ir.core import Core, Tool
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call, LoadSkill
from harness_dsl.ir.types import ListType, MapType, NamedType, NullableType, Type, UnionType
from harness_dsl.ir.values import check_value
from harness_dsl.syntax.compile import compile_text
from tests.strategies import cores, surfaces
from tests.strategies.choices import Choices
from tests.strategies.types import value

OF_TOOLS = tuple(target for target in TARGETS if target != "agent-skills")

TEA = '''
type Leaf { origin?: string? grade: "a" named "first" | "b" }

tool brew named "泡茶"(kind: Leaf, grams: int = 2, 备注?: string, old?: Leaf[]) -> any {
  """Brew."""
}

reply skill pour named "Pour it" { when "x" }
'''


@cache
def tea() -> tuple[Core, Surface]:
    text = f'harness tea "1.0.0"\n{TEA}\nprompt system {{\n  section tools catalog tools\n}}\n'
    compiled = compile_text(text)
    assert compiled.core is not None and compiled.surface is not None, compiled.diagnostics
    return compiled.core, compiled.surface


@st.composite
def calls(draw: st.DrawFn) -> tuple[Core, Surface, Call]:
    core = draw(cores())
    surface = draw(surfaces(core))
    choices = Choices(draw)
    tool = choices.pick(core.tools)
    given_ = [param for param in tool.params if param.required or choices.flip()]
    arguments = {leaf(param.id): value(choices, param.type, core) for param in given_}
    return core, surface, Call(tool=tool.id, arguments=arguments)


def meant(call: Call, core: Core) -> dict[str, Any]:
    """The arguments of `call` without a null where absence says the same to strict mode."""
    tool = next(tool for tool in core.tools if tool.id == call.tool)
    members = {leaf(param.id): (param.type, param.required) for param in tool.params}
    return without_nulls(call.arguments, members, core)


def without_nulls(value_: dict[str, Any], members: dict[str, Any], core: Core) -> dict[str, Any]:
    kept = {key: item for key, item in value_.items() if item is not None or members[key][1]}
    return {key: stripped(item, members[key][0], core) for key, item in kept.items()}


def stripped(value_: Any, type_: Type, core: Core) -> Any:
    match type_:
        case NullableType():
            return value_ if value_ is None else stripped(value_, type_.item, core)
        case ListType():
            return [stripped(item, type_.item, core) for item in value_]
        case MapType():
            return {key: stripped(item, type_.value, core) for key, item in value_.items()}
        case UnionType():
            fit = next(option for option in type_.options if check_value(value_, option, core) is None)
            return stripped(value_, fit, core)
        case NamedType():
            decl = next(decl for decl in core.types if decl.id == type_.type)
            if decl.alias is not None:
                return stripped(value_, decl.alias, core)
            fields = {leaf(field.id): (field.type, not field.optional) for field in decl.fields or ()}
            return without_nulls(value_, fields, core)
        case _:
            return value_


@given(calls())
def test_a_call_comes_back_from_every_target(drawn: tuple[Core, Surface, Call]) -> None:
    core, surface, call = drawn
    for target, sanitise in product(OF_TOOLS, (False, True)):
        both = Calls(core, surface, target, sanitise=sanitise)
        said = json.loads(json.dumps(both.encode(call)))
        back = both.decode(said)
        assert isinstance(back, Call) and back.tool == call.tool
        wanted = meant(call, core) if target == "openai-strict" else call.arguments
        assert back.arguments == wanted, target


@settings(max_examples=15)
@given(calls())
def test_what_strict_mode_sends_has_every_key_that_its_schema_asks_for(
    drawn: tuple[Core, Surface, Call],
) -> None:
    core, surface, call = drawn
    result = export(core, surface, "openai-strict", sanitise=True)
    both = Calls(core, surface, "openai-strict", sanitise=True)
    said = both.encode(call)["function"]
    schemas = {entry["function"]["name"]: entry["function"]["parameters"] for entry in result.document}
    assume(said["name"] in schemas)
    assert json.loads(said["arguments"]).keys() == set(schemas[said["name"]]["required"])


@settings(max_examples=15)
@given(cores().flatmap(lambda core: surfaces(core).map(lambda surface: (core, surface))))
def test_sanitised_names_are_taken_by_every_target(pair: tuple[Core, Surface]) -> None:
    core, surface = pair
    for target in TARGETS:
        result = export(core, surface, target, sanitise=True)
        assert [fault for fault in result.faults if "is no name" in fault.reason] == []
        assert [fault for fault in result.faults if "is no key" in fault.reason] == []


class Forgetful(Wire):
    """A twin that sends no nulls back to absence."""

    def received(self, arguments: Any, tool: Tool) -> dict[str, Any]:
        return dict(arguments)


class Muddled(Wire):
    """A twin that takes every null for absence, also where null is a value."""

    def received(self, arguments: Any, tool: Tool) -> dict[str, Any]:
        return {key: item for key, item in super().received(arguments, tool).items() if item is not None}


@pytest.mark.parametrize("twin", [Forgetful, Muddled])
def test_the_law_catches_a_broken_twin(twin: type[Wire]) -> None:
    core, surface = tea()
    more = 'tool t(a: int?, b?: int) -> any { """T.""" }'
    compiled = compile_text(f'harness x "1.0.0"\n{more}\nprompt system {{ section tools catalog tools }}\n')
    assert compiled.core is not None and compiled.surface is not None
    broken = 0
    for core_, surface_, call in (
        (compiled.core, compiled.surface, Call(tool="tool/t", arguments={"a": None})),
        (core, surface, Call(tool="tool/brew", arguments={"kind": {"grade": "b"}})),
    ):
        both = Calls(core_, surface_, "openai-strict")
        both._wire.__class__ = twin
        try:
            broken += both.decode(both.encode(call)) != call
        except Undecodable:
            broken += 1
    assert broken


def test_names_values_and_defaults_come_back_to_what_they_mean() -> None:
    core, surface = tea()
    strict = Calls(core, surface, "openai-strict", sanitise=True)
    call = Call(
        tool="tool/brew", arguments={"kind": {"grade": "a"}, "old": [{"origin": "Wuyi", "grade": "b"}]}
    )
    said = strict.encode(call)
    assert said["function"]["name"] == "tool"
    assert json.loads(said["function"]["arguments"]) == {
        "kind": {"origin": None, "grade": "first"},
        "old": [{"origin": "Wuyi", "grade": "b"}],
        "grams": None,
        "备注": None,
    }
    assert strict.decode(said) == call
    python = Calls(core, surface, "python-stubs")
    assert python.encode(call) == "brew(kind={'grade': 'a'}, old=[{'grade': 'b', 'origin': 'Wuyi'}])"
    result = export(core, surface, "openai-strict", sanitise=True)
    assert result.names["tool"] == "tool/brew"
    assert result.absent["tool/brew/param/grams"] == "2"
    assert ("tool/brew", "its name `泡茶`: it is sent as `tool`") in result.lost


@pytest.mark.parametrize(
    ("target", "said", "reason"),
    [
        ("openai-tools", {"name": "泡茶", "arguments": '{"kind": '}, "the arguments cannot be read: "),
        ("openai-tools", {"name": "泡茶", "arguments": "[]"}, "the arguments are no object"),
        ("openai-tools", {"name": "brew", "arguments": "{}"}, "there is no tool `brew`"),
        ("openai-tools", {"function": {"arguments": "{}"}}, "the call has no name"),
        ("openai-tools", [], "a call is an object"),
        ("openai-tools", {"name": "泡茶", "arguments": ""}, "parameter `kind` is missing"),
        ("mcp", {"name": "泡茶", "arguments": {"kinds": 1}}, "there is no `kinds`"),
        ("mcp", {"name": "泡茶", "arguments": '{"kind": 1}'}, "`arguments` is text instead of an object"),
        ("gemini", {"name": "泡茶", "args": {"kind": {"grade": "a"}}}, "`a` is none of `first`, `b`"),
        (
            "anthropic-tools",
            {"name": "泡茶", "input": {"kind": {"grade": "first"}, "grams": 2.5}},
            "`grams`: ",
        ),
        ("python-stubs", "brew(1)", "an argument has no name"),
        ("python-stubs", "brew(kind=open('x'))", "the value of `kind` is no literal"),
        ("python-stubs", "brew(kind=1, **{'kind': 2})", "the argument `kind` is given twice"),
        ("python-stubs", "os.system('x')", "this is no Python call"),
        ("python-stubs", "brew(" * 10_000, "this is no Python call"),
        ("agent-skills", "brew", 'there is no skill "brew"'),
        ("agent-skills", {}, "a skill is loaded by its name, which is text"),
    ],
)
def test_what_is_no_call_is_one_phrase(target: Any, said: Any, reason: str) -> None:
    core, surface = tea()
    with pytest.raises(Undecodable) as caught:
        Calls(core, surface, target).decode(said)
    assert str(caught.value).startswith(reason)


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4)
    | st.sampled_from(["泡茶", "brew", "first", "{}", '{"kind": {"grade": "b"}}', "brew(kind={})",
                       "x\ud800"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["name", "arguments", "input", "args", "params", "function", "functionCall", "kind",
                         "grade", "grams", "old", "备注"]),
        inner, max_size=4,
    ),
    max_leaves=10,
)  # fmt: skip


@settings(max_examples=60)
@example({"name": "\n"})
@example({"name": "x" * 10_000})
@given(ODD)
def test_nothing_that_comes_back_ends_in_a_traceback(said: Any) -> None:
    core, surface = tea()
    for target in TARGETS:
        try:
            back = Calls(core, surface, target).decode(said)
        except Undecodable as reason:
            assert 0 < len(str(reason)) <= 400 and str(reason).isprintable()
        else:
            assert isinstance(back, Call | LoadSkill)


def test_a_skill_is_loaded_by_the_name_of_its_folder() -> None:
    core, surface = tea()
    both = Calls(core, surface, "agent-skills", sanitise=True)
    assert both.encode(LoadSkill(skill="skill/pour")) == "pour-it"
    assert both.decode("pour-it") == LoadSkill(skill="skill/pour")
    assert list(export(core, surface, "agent-skills", sanitise=True).files) == ["pour-it/SKILL.md"]
    with pytest.raises(ValueError, match="mcp loads no skills"):
        Calls(core, surface, "mcp").encode(LoadSkill(skill="skill/pour"))


def test_whole_numbers_may_come_as_fractions() -> None:
    core, surface = tea()
    said = {"functionCall": {"name": "泡茶", "args": {"kind": {"grade": "b"}, "grams": 5.0}}}
    back = Calls(core, surface, "gemini").decode(said)
    assert isinstance(back, Call) and type(back.arguments["grams"]) is int


@pytest.mark.parametrize("target", OF_TOOLS)
def test_the_command_reports_and_decodes(
    target: Target, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    core, surface = tea()
    path, report, answers = tmp_path / "t.harness", tmp_path / "r.json", tmp_path / "answers.jsonl"
    path.write_text(f'harness tea "1.0.0"\n{TEA}\nprompt system {{\n  section tools catalog tools\n}}\n')
    call = Call(tool="tool/brew", arguments={"kind": {"grade": "a"}, "grams": 3})
    said = Calls(core, surface, target, sanitise=True).encode(call)
    answers.write_text(json.dumps(said) + "\n\n" + json.dumps({"name": "x"}) + "\n", "utf-8")
    command = ["compile", str(path), "--target", target, "--sanitise"]
    out = tmp_path / "out"
    assert main([*command, "--report", str(report), "-o", str(out)]) == 0
    told = json.loads(report.read_text("utf-8"))
    assert told["target"] == target and told["decode"] and told["faults"] == []
    assert {"symbol": "", "what": "1 skill of the harness"} in told["lost"]
    assert f"decode: {told['decode'][0]}" in capsys.readouterr().err
    assert main([*command, "--decode", str(answers)]) == 1
    shown = capsys.readouterr()
    first, second = shown.out.splitlines()
    assert json.loads(first) == call.model_dump() and second == "null"
    assert f"{answers}:3: " in shown.err
    assert main(["compile", str(path), "--decode", str(answers)]) == 2
    assert main([*command, "--report", str(path)]) == 2
