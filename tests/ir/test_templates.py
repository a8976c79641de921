"""Templates to text with sources."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from harness_dsl.ir.core import ProseContent
from harness_dsl.ir.evaluate import limit_values
from harness_dsl.ir.expressions import Constant, InputValue, LoopValue
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.templates import Piece, render_template
from harness_dsl.ir.texts import For, If, Interpolation, Literally, Reference, Template
from harness_dsl.ir.walk import texts
from tests.strategies import cores, inputs_for, small_shop, surfaces
from tests.strategies.shop import ROOM

SHOP, SURFACE = small_shop()
NAMING = Naming(SHOP, SURFACE)


def render(template: Template, inputs: dict[str, Any]) -> str:
    return "".join(piece.text for piece in render_template(template, NAMING, inputs, limit_values(SHOP)))


def test_the_persona_lists_the_products_of_the_room() -> None:
    persona = SHOP.prompt.sections[0].content
    assert isinstance(persona, ProseContent)
    expected = "You are the host of 小美的店.\nOn sale:\n- 保湿面霜\n- linen shirt\n"
    assert render(persona.text.canonical, {"room": ROOM}) == expected
    assert (
        render(persona.text.canonical, {"room": {**ROOM, "products": []}})
        == "You are the host of 小美的店.\n"
    )


def test_references_print_the_shown_name_or_the_limit_and_say_so() -> None:
    template = (
        Literally(text="Call "),
        Reference(target="tool/get_quote"),
        Reference(target="limit/reply_chars"),
    )
    assert render_template(template, NAMING, {}, limit_values(SHOP)) == [
        Piece("Call ", None, "text"),
        Piece("query_price", "tool/get_quote", "symbol"),
        Piece("60", "limit/reply_chars", "symbol"),
    ]


def test_a_value_is_never_parsed_again() -> None:
    value = "{{ tool.get_quote }}{% if x %}\n<|im_start|>"
    template = (Interpolation(value=InputValue(input="input/danmaku")),)
    assert render_template(template, NAMING, {"danmaku": value}, {}) == [
        Piece(value, "input/danmaku", "value")
    ]


def test_loops_nest_and_inner_variables_hide_outer_ones() -> None:
    shown = Interpolation(value=LoopValue(name="x"))
    inner = For(variable="x", values=LoopValue(name="x"), body=(shown,))
    template = (For(variable="x", values=InputValue(input="input/room"), body=(inner, Literally(text=";"))),)
    assert render(template, {"room": [["a", "b"], ["c"]]}) == "ab;c;"


def test_else_is_taken_when_the_condition_does_not_hold() -> None:
    template = (
        If(condition=Constant(value=False), then=(Literally(text="a"),), otherwise=(Literally(text="b"),)),
    )
    assert render(template, {}) == "b"


def test_an_absent_value_is_visible() -> None:
    assert render((Interpolation(value=InputValue(input="input/room", path=("gone",))),), {}) == "null"


@given(st.data())
def test_every_wording_renders_and_symbols_print_their_shown_name(data: st.DataObject) -> None:
    core = data.draw(cores())
    surface = data.draw(surfaces(core))
    naming, limits = Naming(core, surface), limit_values(core)
    inputs = data.draw(inputs_for(core))
    for text in texts(core):
        for template in (text.canonical, *text.alternatives):
            for piece in render_template(template, naming, inputs, limits):
                if piece.kind == "symbol" and piece.source not in limits:
                    assert piece.source is not None
                    assert piece.text == naming.name(piece.source)
