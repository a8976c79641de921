"""Reading calls that a model wrote: what is none is refused in every syntax, and nothing is evaluated."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness_dsl.ir.surface import CallSyntax, ForeignTool, Surface
from harness_dsl.ir.transcript import Call, ForeignCall, LoadSkill, Malformed, ModelEvent
from harness_dsl.protocol import __file__ as PACKAGE
from harness_dsl.protocol.json_text import dump
from harness_dsl.protocol.markers import CALL_CLOSE, CALL_OPEN, MARKERS
from harness_dsl.protocol.python_text import BadPython, Reader, python_dump
from harness_dsl.protocol.turns import print_turn, read_text
from harness_dsl.protocol.view import View
from tests.protocol.every_type import data, taking
from tests.strategies import small_shop

SYNTAXES: tuple[CallSyntax, ...] = get_args(CallSyntax)
each_syntax = pytest.mark.parametrize("syntax", SYNTAXES)
SHOP, SHOWN = small_shop()
few = settings(max_examples=max(10, settings().max_examples // 2))


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
    view = View(taking(), Surface(call_syntax=syntax))
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
