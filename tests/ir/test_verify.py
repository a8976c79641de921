"""What is valid passes; each kind of corruption is named."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from harness_dsl.ir.core import Core
from harness_dsl.ir.expressions import (
    Argument,
    Calling,
    Constant,
    InputValue,
    LoopValue,
    Matches,
    Measure,
    Reply,
)
from harness_dsl.ir.surface import ForeignTool, Surface
from harness_dsl.ir.texts import For, Interpolation, Literally, Reference
from harness_dsl.ir.types import IntType, ListType, NamedType, NullableType
from harness_dsl.ir.verify import Problem, verify_core, verify_surface
from tests.ir.corruption import drop, put
from tests.strategies import cores, default_surface, semantic_mutations, small_shop, surfaces

SHOP, SURFACE = small_shop()
DANMAKU = InputValue(input="input/danmaku")


@given(st.data())
def test_generated_harnesses_are_valid(data: st.DataObject) -> None:
    core = data.draw(cores())
    assert verify_core(core) == []
    assert verify_core(data.draw(semantic_mutations(core)).core) == []
    surface = data.draw(surfaces(core, hiding=True))
    assert verify_surface(core, surface, baseline=default_surface(core)) == []


def test_the_shop_is_valid() -> None:
    assert verify_core(SHOP) == []
    assert verify_surface(SHOP, SURFACE, baseline=SURFACE) == []


PERSONA = "prompt.sections.persona.content.text.canonical"
SPOKEN = "prompt.sections.rules.content.items.spoken.check"
QUOTE = "tools.get_quote"
CORE_FAULTS: list[tuple[Callable[[Core], Core], str, str]] = [
    (put("tools.get_quote.id", "tool/"), "tool/", "id is not"),
    (put("tools.get_quote.id", "tool/a/b"), "tool/a/b", "id is not"),
    (
        put("tools.get_quote.params.link_id.id", "tool/get_item/param/link_id"),
        "tool/get_item/param/link_id",
        "id is",
    ),
    (put("tools.get_quote.description.id", "tool/get_quote/text"), "tool/get_quote/text", "id of a text"),
    (
        put("types.Quote.fields.currency.type.members.0.value", "RMB"),
        "type/Quote/field/currency/value/CNY",
        "enum",
    ),
    (put("skills.item_qa.items.0.id", "skill/item_qa/step/3"), "skill/item_qa/step/3", "its position"),
    (lambda core: put("tools", (core.tools[0], *core.tools))(core), "tool/apply_coupon", "declared twice"),
    (lambda core: put("tools", core.tools[::-1])(core), "tools", "not sorted by id"),
    (put("tools.apply_coupon.fails", ("b", "a")), "tool/apply_coupon", "failures are not sorted"),
    (put("skills.item_qa.uses", ("tool/nowhere",)), "skill/item_qa", "`tool/nowhere` is not declared"),
    (put("name", "a\ud800"), "prompt/system", "no form in JSON"),
    (
        put("tests.price_of_a_link.expect.1.arguments", (("link_id", 3), ("link_id", 5))),
        "test/price_of_a_link",
        "each once",
    ),
    (
        put("tests.price_of_a_link.expect.1.arguments", (("quantity", 1), ("link_id", 5))),
        "test/price_of_a_link",
        "not sorted",
    ),
    (put("types.Quote.fields", None), "type/Quote", "one of the two"),
    (put("tools.get_quote.returns", NamedType(type="type/Nowhere")), "tool/get_quote", "not declared"),
    (put("tools.delivery_days.returns", IntType(min=3, max=1)), "tool/delivery_days", "no value lies"),
    (put("types.Coupon.fields.off.type", NamedType(type="type/Coupon")), "type/Coupon", "no finite value"),
    (
        lambda core: put(
            "types.Stock",
            core.types[5].model_copy(
                update={"fields": None, "alias": NullableType(item=NamedType(type="type/Stock"))}
            ),
        )(core),
        "type/Stock",
        "stands for itself",
    ),
    (put(f"{QUOTE}.params.quantity.default", 0), "tool/get_quote/param/quantity", "from 1 to 99"),
    (put(f"{QUOTE}.params.quantity.optional", True), "tool/get_quote/param/quantity", "optional as well"),
    (put(f"{QUOTE}.params.link_id.default", 3), "tool/get_quote/param/link_id", "not declared"),
    (put("limits.reply_chars.value", 121), "limit/reply_chars", "outside its legal range"),
    (put("limits.opener.value", "喂"), "limit/opener", "not among its legal values"),
    (put("limits.turns.value", 2**53), "limit/turns", "beyond 2^53"),
    (drop("limits.opener"), "skill/small_talk/step/warm", "has no name to print"),
    (drop("limits.reply_chars"), "prompt/system/section/rules/spoken", "`limit/reply_chars` is not declared"),
    (
        put(f"{PERSONA}.0", Reference(target="tool/nowhere")),
        "prompt/system/section/persona",
        "no name to print",
    ),
    (put(f"{PERSONA}.0", Interpolation(value=DANMAKU)), "prompt/system/section/persona", "untrusted"),
    (
        put(
            f"{PERSONA}.0",
            For(variable="x", values=DANMAKU, body=(Interpolation(value=LoopValue(name="x")),)),
        ),
        "prompt/system/section/persona",
        "untrusted",
    ),
    (
        put(f"{PERSONA}.0", Interpolation(value=LoopValue(name="x"))),
        "prompt/system/section/persona",
        "loop variable",
    ),
    (put(f"{PERSONA}.0", Interpolation(value=Reply())), "prompt/system/section/persona", "no value in prose"),
    (
        put(f"{PERSONA}.0", Interpolation(value=InputValue(input="input/room", path=("owner",)))),
        "prompt/system/section/persona",
        "`input/room` has no `owner`",
    ),
    (
        put("skills.item_qa.when.alternatives.0", (Reference(target="tool/get_quote"),)),
        "skill/item_qa/when",
        "does not mention exactly",
    ),
    (
        put(SPOKEN, Matches(subject=Reply(), pattern="(")),
        "prompt/system/section/rules/spoken",
        "does not compile",
    ),
    (
        put(SPOKEN, Measure(function="count", subject=Reply())),
        "prompt/system/section/rules/spoken",
        "asked of text",
    ),
    (put(SPOKEN, Argument(name="link_id")), "prompt/system/section/rules/spoken", "argument link_id"),
    (
        lambda core: put("hooks.no_links.condition", Argument(name="link_id", path=("x",)))(
            put("hooks.no_links.event", "before_call")(core)
        ),
        "hook/no_links",
        "argument link_id.x",
    ),
    (put(SPOKEN, Constant(value=-(2**60))), "prompt/system/section/rules/spoken", "beyond 2^53"),
    (put("hooks.skill_first.target", None), "hook/skill_first", "requires"),
    (put("hooks.skill_first.target", "skill/nowhere"), "hook/skill_first", "not declared"),
    (put("hooks.no_links.target", "tool/get_quote"), "hook/no_links", "only `require`"),
    (put("hooks.no_links.message", None), "hook/no_links", "has no message"),
    (
        put("hooks.no_links.condition", Calling(tool="tool/get_quote")),
        "hook/no_links",
        "where no call is looked at",
    ),
    (put("hooks.no_links.max", 0), "hook/no_links", "less than once"),
    (put("prompt.order.0.other", "prompt/system/section/nowhere"), "prompt/system", "not declared"),
    (put("prompt.order.0.other", None), "prompt/system", "wrong number"),
    (
        put("prompt.order.0.other", "prompt/system/section/persona"),
        "prompt/system",
        "no order of sections",
    ),
    (put("tests.hello.given.0.value", {"shop_name": 3}), "test/hello", "room: "),
    (put("tests.hello.given.0.input", "input/nowhere"), "test/hello", "not declared"),
    (put("tests.hello.user", ()), "test/hello", "no user turn"),
    (put("tests.hello.expect.0.skill", "skill/nowhere"), "test/hello", "not declared"),
    (
        put("tests.price_of_a_link.expect.1.arguments", (("link", 3),)),
        "test/price_of_a_link",
        "no parameter `link`",
    ),
    (
        put("tests.price_of_a_link.expect.1.arguments", (("link_id", 0.5),)),
        "test/price_of_a_link",
        "an integer",
    ),
    (put("tests.price_of_a_link.expect.2.value", "89"), "test/price_of_a_link", "stated as"),
    (put("declared_names", (("tool/nowhere", ("x",)),)), "tool/nowhere", "not declared"),
    (put("declared_names", (("tool/get_quote", ("x", "x")),)), "tool/get_quote", "repeated"),
]


@pytest.mark.parametrize(
    ("corrupt", "id_", "message"), CORE_FAULTS, ids=[f"{i}-{m}" for _, i, m in CORE_FAULTS]
)
def test_a_corrupt_core_is_refused(corrupt: Callable[[Core], Core], id_: str, message: str) -> None:
    problems = verify_core(corrupt(SHOP))
    assert any(problem.id == id_ and message in problem.message for problem in problems), problems


RULES = "prompt/system/section/rules"


def distractor(name: str, parameters: dict[str, Any] | None = None, failure: str = "no") -> ForeignTool:
    schema = {"type": "object"} if parameters is None else parameters
    return ForeignTool(name=name, description="x", parameters=schema, failure=failure, origin="test")


SURFACE_FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"names": {"tool/get_quote": "get_item"}}, "tool/get_quote", "can't be told from"),
    ({"names": {"tool/get_quote": "a.b", "tool/get_item": "a_b"}}, "tool/get_quote", "can't be told from"),
    ({"names": {"tool/get_quote": "load_skill"}}, "builtin/load_skill", "can't be told from"),
    ({"names": {"tool/get_quote": " "}}, "tool/get_quote", "empty"),
    ({"names": {"tool/get_quote": "a\nb"}}, "tool/get_quote", "unprintable"),
    ({"names": {"tool/nowhere": "x"}}, "tool/nowhere", "not declared"),
    (
        {"names": {"tool/get_quote/param/link_id": "quantity"}},
        "tool/get_quote/param/quantity",
        "can't be told from",
    ),
    ({"wordings": {"skill/item_qa/when": (Literally(text="free text"),)}}, "skill/item_qa/when", "not among"),
    ({"wordings": {"skill/nowhere/when": ()}}, "skill/nowhere/when", "not declared"),
    ({"orders": {"tools": ("tool/get_quote",)}}, "tools", "no permutation"),
    ({"orders": {"nowhere": ()}}, "nowhere", "no unordered list"),
    (
        {"orders": {"skill/item_qa": ("skill/item_qa/step/2", "skill/item_qa/step/1")}},
        "skill/item_qa",
        "no unordered",
    ),
    (
        {
            "orders": {
                "prompt/system": tuple(
                    f"prompt/system/section/{name}" for name in ("rules", "persona", "skills", "tools")
                )
            }
        },
        "prompt/system",
        "not first",
    ),
    ({"hidden": ("limit/turns",)}, "limit/turns", "only tools and skills"),
    ({"hidden": ("tool/get_item", "tool/get_item")}, "hidden", "twice"),
    (
        {"distractors": (distractor("get.quote"), distractor("get_quote"))},
        "foreign/get.quote",
        "can't be told from",
    ),
    ({"distractors": (distractor("x", {"type": "array"}),)}, "foreign/x", "no object schema"),
    ({"distractors": (distractor("x", failure=""),)}, "foreign/x", "no failure"),
    ({"implementations": {"hook/price_is_quoted": 2}}, "hook/price_is_quoted", "no implementation 2"),
    ({"implementations": {"hook/nowhere": 0}}, "hook/nowhere", "not declared"),
]


@pytest.mark.parametrize(
    ("update", "id_", "message"), SURFACE_FAULTS, ids=[f"{i}-{m}" for _, i, m in SURFACE_FAULTS]
)
def test_a_corrupt_surface_is_refused(update: dict[str, Any], id_: str, message: str) -> None:
    problems = verify_surface(SHOP, Surface(**update))
    assert any(problem.id == id_ and message in problem.message for problem in problems), problems


FIXED: list[tuple[Callable[[Core], Core], dict[str, Any], Problem]] = [
    (
        put("tools.get_quote.fixed", True),
        {"names": {"tool/get_quote": "q"}},
        Problem("tool/get_quote", "the name is fixed"),
    ),
    (
        put("tools.get_quote.fixed", True),
        {"names": {"tool/get_quote/param/link_id": "q"}},
        Problem("tool/get_quote/param/link_id", "the name is fixed"),
    ),
    (
        put("tools.get_quote.fixed", True),
        {"orders": {"tool/get_quote": ("tool/get_quote/param/quantity", "tool/get_quote/param/link_id")}},
        Problem("tool/get_quote", "the order is fixed"),
    ),
    (
        put("skills.item_qa.when.fixed", True),
        {"wordings": {"skill/item_qa/when": SHOP.skills[0].when.alternatives[0]}},
        Problem("skill/item_qa/when", "the wording is fixed"),
    ),
    (
        put("skills.item_qa.fixed", True),
        {"wordings": {"skill/item_qa/when": SHOP.skills[0].when.alternatives[0]}},
        Problem("skill/item_qa/when", "the wording is fixed"),
    ),
    (
        put("hooks.price_is_quoted.fixed", True),
        {"implementations": {"hook/price_is_quoted": 1}},
        Problem("hook/price_is_quoted", "the implementation is fixed"),
    ),
    (
        put("tools.get_quote.fixed", True),
        {"hidden": ("tool/get_quote",)},
        Problem("tool/get_quote", "a fixed symbol is hidden"),
    ),
]


@pytest.mark.parametrize(
    ("freeze", "update", "problem"), FIXED, ids=[problem.message for _, _, problem in FIXED]
)
def test_what_is_fixed_is_shown_as_its_author_shows_it(
    freeze: Callable[[Core], Core], update: dict[str, Any], problem: Problem
) -> None:
    core, variant = freeze(SHOP), Surface(**update)
    assert verify_surface(SHOP, variant, baseline=Surface()) == []
    assert verify_surface(core, variant, baseline=variant) == []
    assert verify_surface(core, variant, baseline=Surface()) == [problem]


def test_a_condition_on_an_untrusted_input_prints_nothing() -> None:
    values = put("inputs.danmaku.type", ListType(item=IntType()))(SHOP)
    counted = For(variable="x", values=DANMAKU, body=(Literally(text="*"),))
    assert verify_core(put(f"{PERSONA}.0", counted)(values)) == []


@given(st.data())
def test_verification_never_raises_on_a_core_that_loads(data: st.DataObject) -> None:
    core = data.draw(cores())
    raw = core.model_dump()
    strings = list(_strings(raw, ()))
    for _ in range(data.draw(st.integers(1, 3))):
        path, _ = data.draw(st.sampled_from(strings))
        _, value = data.draw(st.sampled_from([*strings, ((), ""), ((), "x"), ((), "tool"), ((), "a/b/c/d")]))
        _set(raw, path, value)
    try:
        broken = Core.model_validate(copy.deepcopy(raw))
    except ValidationError:
        return
    for problem in verify_core(broken):
        assert isinstance(problem, Problem)


def _strings(value: Any, path: tuple[Any, ...]) -> Any:
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from _strings(entry, (*path, key))
    elif isinstance(value, list | tuple):
        for at, entry in enumerate(value):
            yield from _strings(entry, (*path, at))
    elif isinstance(value, str):
        yield path, value


def _set(value: Any, path: tuple[Any, ...], new: str) -> None:
    """Sets the string at `path`; tuples on the way become lists."""
    for key in path[:-1]:
        if isinstance(value[key], tuple):
            value[key] = list(value[key])
        value = value[key]
    value[path[-1]] = new
