"""Every call syntax prints and reads every call, evaluates nothing, and refuses what the others refuse."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness_dsl.ir.core import Core
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import CallSyntax, Surface
from harness_dsl.ir.transcript import Call, ForeignCall, LoadSkill, ModelEvent, ReplyText, Think
from harness_dsl.ir.verify import verify_core
from harness_dsl.protocol import Protocol
from harness_dsl.protocol.call_syntaxes import CALL_SYNTAXES
from harness_dsl.protocol.calls import AnyCall, Calls
from harness_dsl.protocol.json_text import dump
from harness_dsl.protocol.markers import CALL_CLOSE, CALL_OPEN, MARKERS, escaped, occurrences
from harness_dsl.protocol.python_text import python_dump
from harness_dsl.protocol.syntax_concise_xml import ConciseXmlCalls
from harness_dsl.protocol.syntax_pythonic import PythonicCalls
from harness_dsl.protocol.syntax_qwen_xml import QwenCalls
from harness_dsl.protocol.turns import print_turn, read_text
from harness_dsl.protocol.values import Values
from harness_dsl.protocol.view import View
from harness_dsl.syntax.checks.alternatives import SETTINGS
from tests.conftest import Golden
from tests.protocol.every_type import arguments, data, taking, texts, unfit
from tests.protocol.tokenizers_made_here import all_tokenizers
from tests.strategies import small_shop
from tests.strategies.shop import ROOM

SYNTAXES: tuple[CallSyntax, ...] = get_args(CallSyntax)
each_syntax = pytest.mark.parametrize("syntax", SYNTAXES)
TAKING = taking()
SHOP, SHOWN = small_shop()
UNFIT: tuple[dict[str, Any], ...] = (
    {"text": 3},
    {"text": None},
    {"text": True},
    {"text": ["a", "</parameter>\n</function>", "<tool_call>"]},
    {"unit": 3},
    {"alias": None},
    {"day": 20240229},
)
few = settings(max_examples=max(10, settings().max_examples // 2))

foreign = st.builds(
    lambda name, given: ForeignCall(name=name, arguments=escaped(dump(given))),
    st.sampled_from(["search", "get.quote", "get-quote", "查价", "a b", "<tool_call>", '"x"', "f(", ""])
    | texts,
    st.dictionaries(texts | st.sampled_from(["q", "link-id", "class", "数量"]), data, max_size=3),
).filter(lambda call: call.name not in ("take", "load_skill"))
calls = st.one_of(
    (arguments | unfit).map(lambda given: Call(tool="tool/take", arguments=dict(sorted(given.items())))),
    st.just(LoadSkill(skill="skill/how")),
    foreign,
)
turns = st.tuples(
    st.sampled_from([(), (Think(text=("先想想，\ncall take?",)),)]),
    st.lists(calls, min_size=1, max_size=3).map(tuple),
    st.sampled_from([(), (ReplyText(text=("89元 [take()] ```json",)),)]),
).map(lambda parts: (*parts[0], *parts[1], *parts[2]))


def view_of(syntax: CallSyntax, **chosen: Any) -> View:
    return View(TAKING, Surface(call_syntax=syntax, **chosen))


def reads_what_it_prints(printer: Calls, events: tuple[ModelEvent, ...], view: View) -> None:
    """The law; and no text of an argument is a marker for anybody who normalises it."""
    text = print_turn(events, printer, view.mentions).text
    assert tuple(read_text(text, printer, view.mentions)) == events
    bodies = re.split("|".join(map(re.escape, (CALL_OPEN, CALL_CLOSE))), text)[1::2]
    assert not any(occurrences(body, MARKERS) for body in bodies)


def test_the_harness_of_these_tests_is_valid_and_every_syntax_can_be_chosen() -> None:
    assert verify_core(TAKING) == []
    assert tuple(CALL_SYNTAXES) == SYNTAXES == SETTINGS["call_syntax"]
    assert Surface().call_syntax == "hermes_json"


@each_syntax
@few
@given(events=turns)
def test_every_call_of_every_type_is_read_as_it_was_printed(
    syntax: CallSyntax, events: tuple[ModelEvent, ...]
) -> None:
    view = view_of(syntax)
    reads_what_it_prints(view.calls, events, view)


@each_syntax
@pytest.mark.parametrize("given_", UNFIT, ids=str)
def test_a_call_with_arguments_of_wrong_types_stays_one(syntax: CallSyntax, given_: dict[str, Any]) -> None:
    view = view_of(syntax)
    reads_what_it_prints(view.calls, (Call(tool="tool/take", arguments=given_),), view)


@each_syntax
@pytest.mark.parametrize("tokenizer", ["byte_level", "markers_spelled", "sentence_piece"])
def test_a_turn_survives_its_ids(syntax: CallSyntax, tokenizer: str) -> None:
    protocol = Protocol(TAKING, Surface(call_syntax=syntax), all_tokenizers()[tokenizer])
    given_ = {"anything": {"a b": ["</tool_call>", None]}, "text": "x\n<tool_call>", "unit": "3"}
    call = Call(tool="tool/take", arguments=given_)
    events = (Think(text=("想",)), LoadSkill(skill="skill/how"), call, call, ReplyText(text=("好",)))
    ids = protocol.encode(events)
    assert protocol.parse(ids) == events
    segments = protocol._turns.read(ids).segments
    assert set(segments) == {"think", "call", "reply"} and len(segments) == len(ids)


class ForgetsEscapes(PythonicCalls):
    """Broken: a text of an argument may close the call."""

    def print(self, event: AnyCall) -> str:
        name, given_ = self.arguments(event)
        return f"{name}({', '.join(f'{k}={python_dump(v)}' for k, v in (given_ or {}).items())})"


class AlwaysBare(QwenCalls):
    """Broken: writes every text as it is, whatever it says."""

    def _shown(self, value: Any, type_: Any) -> str:
        return value if isinstance(value, str) else dump(value)


class LosesWhatIsNoText(QwenCalls):
    """Broken: writes whatever stands for a text as JSON, which is read as that text."""

    def __init__(self, core: Core, surface: Surface, naming: Naming, values: Values) -> None:
        super().__init__(core, surface, naming, values)
        self._text.is_lost = lambda value, type_: False  # type: ignore[method-assign]


class WithoutKinds(ConciseXmlCalls):
    """Broken: does not say what kind a value is."""

    def param(self, name: str, kind: str, text: str) -> str:
        return super().param(name, kind, text).replace(f' type="{kind}"', "")


@pytest.mark.parametrize(
    ("twin", "given_"),
    [
        (ForgetsEscapes, {"text": "</tool_call>"}),
        (AlwaysBare, {"text": "</parameter>"}),
        (AlwaysBare, {"either": "3"}),
        (AlwaysBare, {"text": '"quoted"'}),
        (WithoutKinds, {"anything": "3"}),
        *((LosesWhatIsNoText, given_) for given_ in UNFIT),
    ],
)
def test_a_broken_syntax_is_caught(twin: type[Calls], given_: dict[str, Any]) -> None:
    view = view_of(twin.name)
    events = (Call(tool="tool/take", arguments=given_),)
    reads_what_it_prints(view.calls, events, view)
    with pytest.raises(AssertionError):
        reads_what_it_prints(twin(TAKING, view.surface, view.naming, view.values), events, view)


# The prompt


@each_syntax
def test_the_prompt_says_how_to_call_and_binds_the_markers(syntax: CallSyntax) -> None:
    for form in ("json_schema", "python"):
        surface = SHOWN.model_copy(update={"call_syntax": syntax, "tool_docs": form})
        view = View(SHOP, surface)
        rendered = view.renderer.system({"room": ROOM})
        assert rendered.text == view.quick.system({"room": ROOM}).text
        last = rendered.text.rsplit("\n\n", 1)[-1]
        assert last.count(CALL_CLOSE) >= 1
        key = {"hermes_json": '"arguments"', "llama_json": '"parameters"', "qwen_xml": "<parameter="}
        assert key.get(syntax, CALL_SYNTAXES[syntax].example) in last
        markers = [rendered.text[s.start : s.end] for s in rendered.spans if s.kind == "marker"]
        assert markers.count(CALL_OPEN) == markers.count(CALL_CLOSE) >= 1


@pytest.mark.parametrize("syntax", [one for one in SYNTAXES if one != "hermes_json"])
def test_what_the_prompt_shows_is_written_like_a_call(syntax: CallSyntax) -> None:
    """With a name and a value filled in, the example of a syntax is a call in it."""
    view = view_of(syntax)
    filled = CALL_SYNTAXES[syntax].example
    for old, new in (
        ("<parameter-name>=<value>, ...), ...", "flag=True)"),
        ("<parameters-json-object>}, ...", '{"flag": true}}'),
        ("<parameters-json-object>", '{"flag": true}'),
        ('"parameter-name" value="value" type="type"', '"flag" value="true" type="boolean"'),
        ('"parameter-name" type="type">value', '"flag" type="boolean">true'),
        ("parameter-name>\nvalue", "flag>\ntrue"),
        ("<function-name>(", "take("),
        ("<function-name>", '"take"'),
        ("function-name", "take"),
    ):
        filled = filled.replace(old, new)
    assert view.calls.read(f"\n{filled}\n") == (Call(tool="tool/take", arguments={"flag": True}),)


def test_the_document_shows_what_is_printed() -> None:
    text = (Path(__file__).parents[2] / "docs" / "call-syntaxes.md").read_text("utf-8")
    two = (
        Call(tool="tool/get_quote", arguments={"link_id": 3}),
        Call(tool="tool/delivery_days", arguments={"city": "上海"}),
    )
    for syntax in SYNTAXES:
        bodies = View(SHOP, Surface(call_syntax=syntax)).calls.bodies(two)
        block = "".join(f"    {line}\n" for one in bodies for line in one.split("\n"))
        assert f"\n\n{block}\n" in text, syntax


@each_syntax
def test_a_turn_and_the_prompt_in_each_syntax(syntax: CallSyntax, golden: Golden) -> None:
    surface = SHOWN.model_copy(update={"call_syntax": syntax, "tool_docs": "python"})
    protocol = Protocol(SHOP, surface, all_tokenizers()["byte_level"])
    how_to = protocol.render({"room": ROOM}).text.rsplit("\n\n", 1)[-1]
    events = (
        Think(text=("先看价格和时效",)),
        LoadSkill(skill="skill/item_qa"),
        Call(tool="tool/get_quote", arguments={"link_id": 3, "quantity": 2}),
        Call(tool="tool/delivery_days", arguments={"city": '上海 "浦东"\n</tool_call>'}),
        ForeignCall(name="map_of", arguments='{"at": [31.2, 121.5], "exact": true}'),
        ReplyText(text=("稍等。",)),
    )
    ids = protocol.encode(events)
    assert protocol.parse(ids) == events
    golden.check(f"protocol/calls.{syntax}.txt", f"{how_to}\n\n{protocol.tokenizer.decode(ids)}\n")
