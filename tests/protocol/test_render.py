"""Prompts: golden texts of the small shop in every form, and what may not depend on chance."""

import json
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness_dsl.ir.core import CatalogContent, Core, Param, Prompt, ProseContent, Section, Tool
from harness_dsl.ir.surface import ForeignTool, Markup, Surface, ToolDocs
from harness_dsl.ir.texts import Literally, Reference, Text
from harness_dsl.ir.transcript import (
    Call,
    Generated,
    HookNote,
    LoadSkill,
    ReplyText,
    Result,
    SkillShown,
    Think,
    Transcript,
    User,
)
from harness_dsl.ir.types import IntType, NamedType
from harness_dsl.protocol import Protocol, lower, without_harness
from harness_dsl.protocol.json_schema import JsonSchemas
from harness_dsl.protocol.report import divergence, token_counts
from harness_dsl.protocol.source_map import Rendered
from harness_dsl.protocol.view import View
from tests.protocol.tokenizers_made_here import all_tokenizers
from tests.strategies import cores, inputs_for, small_shop, surfaces
from tests.strategies.shop import ROOM

TOKENIZER = all_tokenizers()["byte_level"]
INPUTS = {"room": ROOM}
DISTRACTOR = ForeignTool(
    name="weather_now",
    description="Weather in a city.",
    parameters={
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "A city."},
            "days": {"type": ["integer", "null"], "default": 1},
            "unit": {"enum": ["C", "F"]},
        },
        "required": ["city"],
    },
    failure="not available",
    origin="made for tests",
)
CONVERSATION = Transcript(
    core_digest="sha256:0",
    inputs=INPUTS,
    events=(
        User(text="3号链接多少钱？"),
        Generated(events=(Think(text=("先读技能",)), LoadSkill(skill="skill/item_qa"))),
        SkillShown(skill="skill/item_qa"),
        Generated(
            events=(
                Call(tool="tool/get_quote", arguments={"link_id": 3, "quantity": 2}),
                Call(tool="tool/check_stock", arguments={"link_id": 30}),
            )
        ),
        Result(tool="tool/get_quote", value={"amount": 89.5, "currency": "CNY"}),
        Result(tool="tool/check_stock", failure="not_found", detail="没有这个链接"),
        Generated(events=(ReplyText(text=("89.5元",)),)),
        HookNote(hook="hook/price_is_quoted", action="retry"),
        Generated(events=(ReplyText(text=("亲，89.5元",)),)),
    ),
)


def _nothing(text: Text) -> Rendered:
    return Rendered("", ())


def _its_id(text: Text) -> Rendered:
    return Rendered(text.id, ())


def shop(**changes: Any) -> Protocol:
    core, surface = small_shop()
    return Protocol(core, surface.model_copy(update=changes), TOKENIZER)


@pytest.mark.parametrize(
    ("docs", "markup"),
    list(product(ToolDocs.__args__, Markup.__args__)),  # type: ignore[attr-defined]
)
def test_small_shop_in_every_form(docs: ToolDocs, markup: Markup, golden: Any) -> None:
    protocol = shop(tool_docs=docs, markup=markup, distractors=(DISTRACTOR,))
    golden.check(f"protocol/small_shop.{docs}.{markup}.txt", protocol.render(INPUTS).text)


def test_a_conversation_as_text_and_as_messages(golden: Any) -> None:
    core, surface = small_shop()
    protocol = shop(tool_docs="python")
    tokens = protocol.replay(CONVERSATION)
    opened = len(protocol.open(INPUTS).ids)
    golden.check("protocol/conversation.txt", TOKENIZER.decode(tokens.ids[opened:]))
    messages = without_harness(lower(CONVERSATION, core, surface))[1:]
    golden.check("protocol/conversation.json", json.dumps(messages, ensure_ascii=False, indent=2) + "\n")


@given(st.data())
def test_bug_35_a_prompt_depends_on_nothing_but_core_surface_and_inputs(data: st.DataObject) -> None:
    core = data.draw(cores())
    surface = data.draw(surfaces(core))
    inputs = data.draw(inputs_for(core))
    reloaded = Core.model_validate_json(core.model_dump_json())
    again = Protocol(reloaded, Surface.model_validate_json(surface.model_dump_json()), TOKENIZER)
    assert again.render(inputs) == Protocol(core, surface, TOKENIZER).render(inputs)


def _section(name: str, text: str) -> Section:
    id_ = f"prompt/system/section/{name}"
    content = ProseContent(text=Text(id=id_, canonical=(Literally(text=text),)))
    return Section(id=id_, content=content)


def _bare(*sections: Section, tools: tuple[Tool, ...] = ()) -> Core:
    prompt = Prompt(id="prompt/system", sections=sections)
    return Core(name="c", version="1.0.0", prompt=prompt, tools=tools)


def _text_of(core: Core, surface: Surface | None = None) -> str:
    return Protocol(core, surface or Surface(), TOKENIZER).render({}).text


def test_bug_38_a_catalogue_of_no_tools_renders_like_none() -> None:
    catalogue = Section(id="prompt/system/section/tools", content=CatalogContent(of="tools"))
    persona = _section("persona", "Hello.")
    assert _text_of(_bare(persona, catalogue)) == _text_of(_bare(persona))
    assert _text_of(_bare(persona)) == "<|im_start|>system\n## persona\nHello.<|im_end|>\n"


def _tool(name: str) -> Tool:
    id_ = f"tool/{name}"
    description = Text(id=f"{id_}/description", canonical=(Literally(text="Does it."),))
    return Tool(id=id_, description=description, returns=IntType())


def test_bug_44_tools_that_no_section_lists_are_shown_all_the_same() -> None:
    text = _text_of(_bare(_section("persona", "Hello."), tools=(_tool("do_it"),)))
    assert '"name": "do_it"' in text and "<tool_call>" in text


def test_what_is_hidden_is_not_shown() -> None:
    hidden = shop(hidden=("tool/get_coupon", "skill/push_coupon")).render(INPUTS).text
    assert "get_coupon" in shop().render(INPUTS).text and "push_coupon" in shop().render(INPUTS).text
    assert "get_coupon" not in hidden and "push_coupon" not in hidden


def test_bug_15_angle_brackets_and_ampersands_are_ordinary() -> None:
    text = 'a < b & c > d, {"x": {{1}}} <b> &amp;'
    for markup in Markup.__args__:  # type: ignore[attr-defined]
        assert text in _text_of(_bare(_section("persona", text)), Surface(markup=markup))


def test_bug_17_a_missing_input_is_an_error_and_never_a_hole() -> None:
    with pytest.raises(ValueError, match="needs the input `room`"):
        shop().open({})


@pytest.mark.parametrize("docs", ToolDocs.__args__)  # type: ignore[attr-defined]
def test_distractors_look_like_tools(docs: ToolDocs) -> None:
    """A distractor made from a tool's own schema gives the tool's very text."""
    core = _bare(tools=(_tool("do_it"),))
    view = View(core, Surface())
    schemas = JsonSchemas(core, Surface(), view.naming, view.values, _nothing)
    copy = ForeignTool(
        name="do_it",
        description="Does it.",
        parameters=schemas.parameters(core.tools[0]),
        failure="",
        origin="tests",
    )
    foreign = _bare()
    assert _text_of(foreign, Surface(tool_docs=docs, distractors=(copy,))) == _text_of(
        core, Surface(tool_docs=docs)
    )


def test_distractors_stand_where_the_surface_puts_them() -> None:
    core, surface = small_shop()
    tools = [tool.id for tool in core.tools]
    order = (tools[0], "foreign/weather_now", *tools[1:])
    orders = {**surface.orders, "tools": order}
    rendered = shop(distractors=(DISTRACTOR,), orders=orders).render(INPUTS)
    catalogue = rendered.text.index("<tools>")
    spans = [span for span in rendered.spans if span.start > catalogue and span.kind == "symbol"]
    assert [span.source for span in spans if span.source in order] == list(order)


def test_argument_order_is_the_surface_order_of_parameters() -> None:
    protocol = shop()
    event = Call(tool="tool/get_quote", arguments={"link_id": 3, "quantity": 2})
    assert '{"quantity": 2, "link": 3}' in TOKENIZER.decode(protocol.encode((event,)))


# JSON Schema


def test_bug_29_a_recursive_record_is_defined_and_referred_to() -> None:
    from harness_dsl.ir.core import Member, TypeDecl
    from harness_dsl.ir.types import ListType

    node = TypeDecl(
        id="type/Node",
        fields=(
            Member(id="type/Node/field/next", type=ListType(item=NamedType(type="type/Node"))),
            Member(id="type/Node/field/n", type=IntType()),
        ),
    )
    tool = _tool("walk").model_copy(
        update={"params": (Param(id="tool/walk/param/start", type=NamedType(type="type/Node")),)}
    )
    core = _bare(tools=(tool,)).model_copy(update={"types": (node,)})
    surface = Surface(names={"type/Node/field/next": "children"})
    view = View(core, surface)
    schema = JsonSchemas(core, surface, view.naming, view.values, _nothing).parameters(tool)
    assert schema["properties"]["start"] == {"$ref": "#/$defs/Node"}
    children = schema["$defs"]["Node"]["properties"]["children"]
    assert children == {"type": "array", "items": {"$ref": "#/$defs/Node"}}
    assert "start: Node" in _text_of(core, Surface(tool_docs="python"))


def test_schemas_say_what_types_say() -> None:
    core, surface = small_shop()
    view = View(core, surface)
    schemas = JsonSchemas(core, surface, view.naming, view.values, _its_id)
    assert schemas.type(NamedType(type="type/Quote")) == {
        "type": "object",
        "properties": {
            "amount": {"type": "number"},
            "coupon": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "currency": {"type": "string", "enum": ["CNY", "USD"]},
        },
        "required": ["amount", "currency"],
    }
    quote = next(tool for tool in core.tools if tool.id == "tool/get_quote")
    parameters = schemas.parameters(quote)
    assert list(parameters["properties"]) == ["quantity", "link"]
    assert parameters["properties"]["quantity"]["default"] == 1
    assert parameters["required"] == ["link"]


@pytest.mark.parametrize("docs", ToolDocs.__args__)  # type: ignore[attr-defined]
def test_a_reference_in_a_description_is_bound_to_its_symbol(docs: ToolDocs) -> None:
    core, surface = small_shop()
    tool = core.tools[0]
    about = tool.description.model_copy(
        update={"canonical": (Literally(text='Before "'), Reference(target="tool/get_quote"))}
    )
    tools = (tool.model_copy(update={"description": about}), *core.tools[1:])
    changed = surface.model_copy(update={"tool_docs": docs})
    rendered = Protocol(core.model_copy(update={"tools": tools}), changed, TOKENIZER).render(INPUTS)
    before = [at for at, span in enumerate(rendered.spans) if span.source == about.id]
    following = rendered.spans[before[0] + 1]
    assert (following.source, following.kind) == ("tool/get_quote", "symbol")
    assert rendered.text[following.start : following.end] == "query_price"


# Costs


def test_divergence_names_the_first_byte_that_an_edit_invalidates() -> None:
    old, new = shop().render(INPUTS), shop(names={"tool/get_item": "look_at"}).render(INPUTS)
    parted = divergence(old, new, TOKENIZER)
    assert parted is not None and parted.source is not None
    assert old.text.encode()[: parted.bytes] == new.text.encode()[: parted.bytes]
    assert old.text.encode()[parted.bytes :][:1] != new.text.encode()[parted.bytes :][:1]
    assert (
        new.text.split("\n")[parted.line - 1][parted.column - 1 :]
        == new.text[parted.characters :].split("\n")[0]
    )
    assert divergence(old, old) is None


def test_token_counts_add_up() -> None:
    protocol = shop()
    counts = token_counts(protocol.render(INPUTS), TOKENIZER)
    assert sum(counts.values()) == len(protocol.open(INPUTS).ids)
    assert counts["tool/get_quote"] > 0
