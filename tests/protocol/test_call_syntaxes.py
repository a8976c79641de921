"""Every call syntax prints and reads every call, evaluates nothing, and refuses what the others refuse."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness_dsl.ir.surface import CallSyntax, ForeignTool, Surface
from harness_dsl.ir.transcript import Call, ForeignCall, LoadSkill, Malformed, ModelEvent, ReplyText, Think
from harness_dsl.ir.verify import verify_core
from harness_dsl.protocol import Protocol
from harness_dsl.protocol import __file__ as PACKAGE
from harness_dsl.protocol.call_syntaxes import CALL_SYNTAXES
from harness_dsl.protocol.calls import AnyCall, Calls
from harness_dsl.protocol.json_text import dump
from harness_dsl.protocol.markers import CALL_CLOSE, CALL_OPEN, MARKERS, escaped, occurrences
from harness_dsl.protocol.python_text import BadPython, Reader, python_dump
from harness_dsl.protocol.syntax_concise_xml import ConciseXmlCalls
from harness_dsl.protocol.syntax_pythonic import PythonicCalls
from harness_dsl.protocol.syntax_qwen_xml import QwenCalls
from harness_dsl.protocol.turns import print_turn, read_text
from harness_dsl.protocol.view import View
from harness_dsl.syntax.checks.alternatives import SETTINGS
from tests.conftest import Golden
from tests.protocol.every_type import arguments, data, taking, texts
from tests.protocol.tokenizers_made_here import all_tokenizers
from tests.strategies import small_shop
from tests.strategies.shop import ROOM

SYNTAXES: tuple[CallSyntax, ...] = get_args(CallSyntax)
each_syntax = pytest.mark.parametrize("syntax", SYNTAXES)
TAKING = taking()
SHOP, SHOWN = small_shop()
few = settings(max_examples=max(10, settings().max_examples // 2))

foreign = st.builds(
    lambda name, given: ForeignCall(name=name, arguments=escaped(dump(given))),
    st.sampled_from(["search", "get.quote", "get-quote", "查价", "a b", "<tool_call>", '"x"', "f(", ""])
    | texts,
    st.dictionaries(texts | st.sampled_from(["q", "link-id", "class", "数量"]), data, max_size=3),
).filter(lambda call: call.name not in ("take", "load_skill"))
calls = st.one_of(
    arguments.map(lambda given: Call(tool="tool/take", arguments=dict(sorted(given.items())))),
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
    ],
)
def test_a_broken_syntax_is_caught(twin: type[Calls], given_: dict[str, Any]) -> None:
    view = view_of(twin.name)
    events = (Call(tool="tool/take", arguments=given_),)
    reads_what_it_prints(view.calls, events, view)
    with pytest.raises(AssertionError):
        reads_what_it_prints(twin(TAKING, view.surface, view.naming, view.values), events, view)


# What no syntax takes for a call

QUOTE = "query_price"
"""The shown name of the tool whose only needed parameter is shown as `link`."""


def body(syntax: CallSyntax, name: str, *pairs: tuple[str, str]) -> str:
    """A call as a model would write it, by hand; values are JSON of no text."""
    match syntax:
        case "hermes_json" | "llama_json":
            key = "arguments" if syntax == "hermes_json" else "parameters"
            return f'{{"name": "{name}", "{key}": {{{", ".join(f"{dump(k)}: {v}" for k, v in pairs)}}}}}'
        case "qwen_xml":
            inner = "".join(f"<parameter={k}>\n{v}\n</parameter>\n" for k, v in pairs)
            return f"<function={name}>\n{inner}</function>"
        case "pythonic":
            return f"[{name}({', '.join(f'{k}={v}' for k, v in pairs)})]"
        case "fenced_json":
            inner = ", ".join(f"{dump(k)}: {v}" for k, v in pairs)
            return f'```json\n[{{"function": "{name}", "parameters": {{{inner}}}}}]\n```'
        case "verbose_xml":
            inner = "".join(f'<param name="{k}" value="{v}" type="integer"/>' for k, v in pairs)
            return f'<functions><function name="{name}"><params>{inner}</params></function></functions>'
        case "concise_xml":
            inner = "".join(f'<param name="{k}" type="integer">{v}</param>' for k, v in pairs)
            return f'<functions><function name="{name}">{inner}</function></functions>'


def events_of(syntax: CallSyntax, text: str, surface: Surface = SHOWN) -> list[ModelEvent]:
    view = View(SHOP, surface.model_copy(update={"call_syntax": syntax}))
    return read_text(f"{CALL_OPEN}\n{text}\n{CALL_CLOSE}", view.calls, view.mentions)


@each_syntax
def test_a_call_written_by_hand_is_the_same_event_in_every_syntax(syntax: CallSyntax) -> None:
    quote = Call(tool="tool/get_quote", arguments={"link_id": 3})
    assert events_of(syntax, body(syntax, QUOTE, ("link", "3"))) == [quote]
    stale = [ForeignCall(name="get_quote", arguments='{"link_id": 3}')]
    assert events_of(syntax, body(syntax, "get_quote", ("link_id", "3"))) == stale
    distractor = ForeignTool(name="map_of", description="", parameters={}, failure="no", origin="tests")
    shown = SHOWN.model_copy(update={"distractors": (distractor,)})
    called = [ForeignCall(name="map_of", arguments='{"a": 1}')]
    assert events_of(syntax, body(syntax, "map_of", ("a", "1")), shown) == called
    hidden = SHOWN.model_copy(update={"hidden": ("tool/get_quote",)})
    assert events_of(syntax, body(syntax, QUOTE, ("link", "3")), hidden)[0].kind == "foreign_call"


BAD: dict[str, tuple[tuple[str, str], ...]] = {
    "there is no `link_id`": (("link_id", "3"),),
    "twice": (("link", "3"), ("link", "4")),
    "NaN": (("link", "NaN"),),
    "too large": (("link", "1e999"),),
    "too deep": (("link", "[" * 90 + "]" * 90),),
}


@each_syntax
@pytest.mark.parametrize("why", BAD)
def test_what_is_no_call_is_malformed_and_keeps_the_whole_block(syntax: CallSyntax, why: str) -> None:
    text = body(syntax, QUOTE, *BAD[why])
    (event,) = events_of(syntax, text)
    assert isinstance(event, Malformed), event
    assert event.text == f"{CALL_OPEN}\n{text}\n{CALL_CLOSE}"
    reason = event.reason.replace("deeply", "deep")
    assert (
        why in reason or (why == "NaN" and "no literal" in reason) or (why == "too deep" and "deep" in reason)
    )


@each_syntax
@pytest.mark.parametrize(
    "text", ["", "[]", "x", "```json\n[]\n```", "<functions></functions>", "[" * 50_000, "<" * 999]
)
def test_what_holds_no_call_is_malformed(syntax: CallSyntax, text: str) -> None:
    (event,) = events_of(syntax, text)
    assert isinstance(event, Malformed) and event.reason


@each_syntax
def test_a_call_that_is_cut_off_anywhere_never_becomes_a_call(syntax: CallSyntax) -> None:
    whole = body(syntax, QUOTE, ("link", "34"))
    for end in range(len(whole)):
        assert events_of(syntax, whole[:end])[0].kind == "malformed", whole[:end]


@each_syntax
def test_one_call_that_is_none_spoils_its_block(syntax: CallSyntax) -> None:
    """Nothing is done of a list that was not understood as a whole."""
    good, bad = (
        Call(tool="tool/get_quote", arguments={"link_id": 3}),
        ForeignCall(name=QUOTE, arguments='{"x": 1}'),
    )
    view = View(SHOP, SHOWN.model_copy(update={"call_syntax": syntax}))
    bodies = view.calls.bodies([good, bad])
    read = [view.calls.read(f"\n{one}\n") for one in bodies]
    kinds = [[event.kind for event in events] for events in read]
    assert kinds == ([["malformed"]] if view.calls.together else [["call"], ["malformed"]])


@each_syntax
def test_loading_a_skill_takes_a_skill_and_nothing_else(syntax: CallSyntax) -> None:
    view = view_of(syntax)
    (printed,) = view.calls.bodies([LoadSkill(skill="skill/how")])
    assert view.calls.read(printed) == (LoadSkill(skill="skill/how"),)
    (unknown,) = view.calls.read(printed.replace("how", "why"))
    assert isinstance(unknown, Malformed) and "no skill" in unknown.reason
    other = view.calls.bodies([ForeignCall(name="load_skill", arguments='{"name": "how"}')])
    (wrong,) = view.calls.read(other[0])
    assert isinstance(wrong, Malformed) and "`skill` alone" in wrong.reason


# Nothing is evaluated, nothing raises

TRAPS = (
    "__import__('os').system('touch {}')",
    "(lambda: open('{}', 'w'))()",
    'f\'{{open("{}", "w")}}\'',
    "1 + 1",
    "-x",
    "{{1, 2}}",
    "(1,)",
    "b'x'",
    "'a' 'b'",
    "[x for x in []]",
    "True and False",
    "...",
)


@each_syntax
def test_nothing_that_a_model_writes_is_evaluated(syntax: CallSyntax, tmp_path: Path) -> None:
    for trap in TRAPS:
        text = trap.format(tmp_path / "evaluated")
        for wrapped in (body(syntax, QUOTE, ("link", text)), text, f"[{text}]", body(syntax, text)):
            assert not any(isinstance(event, Call) for event in events_of(syntax, wrapped)), wrapped
    assert not list(tmp_path.iterdir())
    sources = {path.name: path.read_text("utf-8") for path in Path(PACKAGE).parent.glob("*.py")}
    assert not [
        name for name, text in sources.items() if re.search(r"\bast\b|xml\.|literal_eval|\beval\(", text)
    ]


PIECES = st.sampled_from(
    [
        *(
            piece
            for syntax in SYNTAXES
            for piece in re.split(r"(?<=[>\s\[(,])", body(syntax, QUOTE, ("link", "3")))
        ),
        *MARKERS,
        *(
            '"',
            "'",
            "\\",
            "&#0;",
            "&#x110000;",
            "&lt;",
            "&",
            "\\u",
            "\\x4",
            "**{",
            "=",
            "\n",
            "</param>",
            "<!DOCTYPE x>",
        ),
    ]
)
WRITTEN = st.lists(st.one_of(PIECES, st.text(max_size=4)), max_size=12).map("".join)


@each_syntax
@few
@given(text=WRITTEN)
@example(text='"\ud800"(a=1)')
@example(text='<function="\\ud800">\n</function>')
@example(text='<functions><function name="&#55296;"></function></functions>')
@example(text=f"[{QUOTE}(link={'9' * 5000})]")
def test_any_text_is_read_as_events_that_print_and_read_the_same(syntax: CallSyntax, text: str) -> None:
    once = events_of(syntax, text)
    view = View(SHOP, SHOWN.model_copy(update={"call_syntax": syntax}))
    if any("\ud800" in dump(event.model_dump()) for event in once):
        return  # half of a surrogate pair has no UTF-8 form: it never comes from ids
    assert read_text(print_turn(once, view.calls, view.mentions).text, view.calls, view.mentions) == once


@given(data)
def test_python_literals_are_printed_and_read_back(value: Any) -> None:
    printed = python_dump(value)
    assert "\n" not in printed
    reader = Reader(printed)
    assert reader.value() == value and not reader.skip()
    # As Python itself reads them; the standard library is the oracle here, and here alone.
    import ast

    assert ast.literal_eval(printed) == value


@given(st.text(alphabet="{}[]()\"'\\,:=*0123456789.eE+-TrueFalsNon _ux\n", max_size=24))
def test_the_reader_of_literals_fails_in_one_way_only_and_never_reads_more_than_python(text: str) -> None:
    import ast

    reader = Reader(text)
    try:
        value = reader.value()
    except BadPython:
        return
    if not reader.skip():
        assert ast.literal_eval(text.strip()) == value


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
