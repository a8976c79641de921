"""Single edits: their class, their words, and what the version must say."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from harness_dsl.ir.core import Core, ExpectPredicate, Item, Member, Moved, Param, TestCase
from harness_dsl.ir.diff import Bump, bump, diff
from harness_dsl.ir.expressions import Binary, Called, Constant, Loaded, Reply
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Reference, Text
from harness_dsl.ir.types import AnyType, DecimalType, EnumMember, IntType, NullableType, StringType
from tests.ir.corruption import drop, put
from tests.strategies import small_shop

SHOP, SURFACE = small_shop()
QUOTE = "tools.get_quote"
RULES = "prompt.sections.rules.content.items"
CURRENCIES = tuple(
    EnumMember(id=f"type/Quote/field/currency/value/{value}", value=value) for value in ("CNY", "USD")
)
PRICE = SHOP.hooks[0].condition


def add(path: str, node: Any) -> Callable[[Core], Core]:
    """Adds `node` to the unordered list at `path`."""

    def change(core: Core) -> Core:
        nodes: Any = core
        for key in path.split("."):
            nodes = (
                next(n for n in nodes if n.id.endswith(f"/{key}"))
                if isinstance(nodes, tuple)
                else getattr(nodes, key)
            )
        return put(path, tuple(sorted((*nodes, node), key=lambda one: one.id)))(core)

    return change


def param(name: str, optional: bool) -> Param:
    return Param(id=f"tool/get_quote/param/{name}", type=StringType(), optional=optional)


def field(type_: str, name: str, optional: bool) -> Member:
    return Member(id=f"type/{type_}/field/{name}", type=StringType(), optional=optional)


TOOL = SHOP.tools[1].model_copy(
    update={
        "id": "tool/new",
        "params": (),
        "description": Text(
            id="tool/new/description", canonical=(Literally(text="A new thing to ask for."),)
        ),
    }
)
WITH_REFERENCE = (Literally(text="See "), Reference(target="tool/get_item"))
EDITS: list[tuple[Callable[[Core], Core], SemanticId, str, str]] = [
    (put("description", "other words"), "harness", "none", "none"),
    (put("tests", SHOP.tests[:1]), "test/price_of_a_link", "none", "none"),
    (
        add(
            "tests",
            TestCase(id="test/z", title="z", user=("?",), expect=(ExpectPredicate(predicate=Reply()),)),
        ),
        "test/z",
        "none",
        "none",
    ),
    (
        put(f"{QUOTE}.description.canonical", (Literally(text="Quote it."),)),
        "tool/get_quote/description",
        "none",
        "wording",
    ),
    (
        put(f"{QUOTE}.description.canonical", WITH_REFERENCE),
        "tool/get_quote/description",
        "none",
        "capability",
    ),
    (
        put(f"{QUOTE}.description.alternatives", ((Literally(text="x"),),)),
        "tool/get_quote/description",
        "none",
        "surface",
    ),
    (put(f"{QUOTE}.timeout_ms", 900), "tool/get_quote", "none", "capability"),
    (put(f"{QUOTE}.fails", ()), "tool/get_quote", "narrowing", "capability"),
    (put(f"{QUOTE}.effect", "write"), "tool/get_quote", "narrowing", "safety"),
    (put("tools.apply_coupon.effect", "read"), "tool/apply_coupon", "narrowing", "capability"),
    (put(f"{QUOTE}.fixed", True), "tool/get_quote", "none", "surface"),
    (add("tools", TOOL), "tool/new", "widening", "capability"),
    (add("tools", TOOL.model_copy(update={"effect": "irreversible"})), "tool/new", "widening", "safety"),
    (drop("tools.get_item"), "tool/get_item", "narrowing", "capability"),
    (
        add(f"{QUOTE}.params", param("size", optional=True)),
        "tool/get_quote/param/size",
        "widening",
        "capability",
    ),
    (
        add(f"{QUOTE}.params", param("size", optional=False)),
        "tool/get_quote/param/size",
        "narrowing",
        "capability",
    ),
    (drop(f"{QUOTE}.params.quantity"), "tool/get_quote/param/quantity", "narrowing", "capability"),
    (
        put(f"{QUOTE}.params.link_id.type", IntType()),
        "tool/get_quote/param/link_id",
        "widening",
        "capability",
    ),
    (
        put(f"{QUOTE}.params.link_id.type", IntType(min=2)),
        "tool/get_quote/param/link_id",
        "narrowing",
        "capability",
    ),
    (
        put(f"{QUOTE}.params.link_id.type", NullableType(item=DecimalType())),
        "tool/get_quote/param/link_id",
        "widening",
        "capability",
    ),
    (put(f"{QUOTE}.params.quantity.default", 2), "tool/get_quote/param/quantity", "narrowing", "capability"),
    (
        put("types.Quote.fields.currency.type.members", CURRENCIES[::-1]),
        "type/Quote/field/currency",
        "none",
        "wording",
    ),
    (
        put("types.Quote.fields.currency.type.members", CURRENCIES[:1]),
        "type/Quote/field/currency",
        "narrowing",
        "capability",
    ),
    (
        add("types.Quote.fields", field("Quote", "note", optional=False)),
        "type/Quote/field/note",
        "widening",
        "capability",
    ),
    (
        add("types.Room.fields", field("Room", "host", optional=False)),
        "type/Room/field/host",
        "narrowing",
        "capability",
    ),
    (
        add("types.Room.fields", field("Room", "host", optional=True)),
        "type/Room/field/host",
        "widening",
        "capability",
    ),
    (put("inputs.danmaku.untrusted", False), "input/danmaku", "none", "safety"),
    (drop("inputs.danmaku"), "input/danmaku", "narrowing", "safety"),
    (put("inputs.danmaku.type", AnyType()), "input/danmaku", "widening", "capability"),
    (put("limits.reply_chars.value", 80), "limit/reply_chars", "none", "capability"),
    (put("limits.opener.value", "家人们"), "limit/opener", "none", "capability"),
    (put("skills.item_qa.role", "strategy"), "skill/item_qa", "none", "policy"),
    (
        put("skills.item_qa.items.1.text.canonical", (Literally(text="Say it."),)),
        "skill/item_qa/step/2",
        "none",
        "wording",
    ),
    (put("skills.item_qa.items.1.text.canonical", WITH_REFERENCE), "skill/item_qa/step/2", "none", "policy"),
    (put("skills.item_qa.items", SHOP.skills[0].items[:1]), "skill/item_qa/step/2", "none", "policy"),
    (put(f"{RULES}.spoken.check", None), "prompt/system/section/rules/spoken", "none", "policy"),
    (drop(f"{RULES}.spoken"), "prompt/system/section/rules/spoken", "none", "policy"),
    (
        add(
            RULES,
            Item(
                id="prompt/system/section/rules/z",
                text=Text(id="prompt/system/section/rules/z", canonical=()),
            ),
        ),
        "prompt/system/section/rules/z",
        "none",
        "policy",
    ),
    (put("prompt.sections.persona.fixed", True), "prompt/system/section/persona", "none", "surface"),
    (put("prompt.order", SHOP.prompt.order[:1]), "prompt/system", "none", "policy"),
    (put("hooks", SHOP.hooks[1:]), "hook/price_is_quoted", "none", "safety"),
    (put("hooks", SHOP.hooks[::-1]), "hooks", "none", "policy"),
    (put("hooks.price_is_quoted.fail", "open"), "hook/price_is_quoted", "none", "safety"),
    (put("hooks.no_links.fail", "closed"), "hook/no_links", "none", "policy"),
    (put("hooks.price_is_quoted.action", "log"), "hook/price_is_quoted", "none", "safety"),
    (put("hooks.price_is_quoted.max", 2), "hook/price_is_quoted", "none", "policy"),
    (
        put(
            "hooks.price_is_quoted.condition",
            Binary(operator="or", left=PRICE, right=Called(tool="tool/hold_item")),
        ),
        "hook/price_is_quoted",
        "none",
        "policy",
    ),
    (
        put(
            "hooks.price_is_quoted.condition",
            Binary(operator="and", left=PRICE, right=Loaded(skill="skill/item_qa")),
        ),
        "hook/price_is_quoted",
        "none",
        "safety",
    ),
    (put("hooks.price_is_quoted.condition", Constant(value=False)), "hook/price_is_quoted", "none", "safety"),
]


@pytest.mark.parametrize(
    ("change", "id_", "contract", "behaviour"), EDITS, ids=[f"{e[1]}-{e[3]}" for e in EDITS]
)
def test_an_edit_has_its_class(
    change: Callable[[Core], Core], id_: SemanticId, contract: str, behaviour: str
) -> None:
    found = diff(SHOP, SURFACE, change(SHOP), SURFACE)
    assert [edit.id for edit in found.edits] == [id_], found.edits
    assert (str(found.contract), str(found.behaviour)) == (contract, behaviour)


@pytest.mark.parametrize(
    ("change", "id_"),
    [
        (put("prompt.sections.persona.fixed", True), "prompt/system/section/persona"),
        (put(f"{QUOTE}.fixed", True), "tool/get_quote"),
        (put("skills.item_qa.when.fixed", True), "skill/item_qa/when"),
    ],
)
def test_relaxing_what_is_fixed_touches_safety(change: Callable[[Core], Core], id_: SemanticId) -> None:
    found = diff(change(SHOP), SURFACE, SHOP, SURFACE)
    assert [(edit.id, str(edit.behaviour)) for edit in found.edits] == [(id_, "safety")]


@pytest.mark.parametrize(
    ("surface", "id_", "what"),
    [
        (SURFACE.model_copy(update={"markup": "xml"}), "surface", "markup changed"),
        (
            SURFACE.model_copy(update={"names": {**SURFACE.names, "tool/get_quote": "ask"}}),
            "tool/get_quote",
            "shown name changed",
        ),
        (SURFACE.model_copy(update={"hidden": ("tool/get_item",)}), "surface", "hidden changed"),
        (
            SURFACE.model_copy(update={"implementations": {"hook/price_is_quoted": 1}}),
            "hook/price_is_quoted",
            "chosen implementation changed",
        ),
        (
            SURFACE.model_copy(
                update={"wordings": {"skill/item_qa/when": SHOP.skills[0].when.alternatives[0]}}
            ),
            "skill/item_qa/when",
            "chosen wording changed",
        ),
        (SURFACE.model_copy(update={"orders": {}}), "prompt/system/section/rules", "shown order changed"),
    ],
)
def test_another_way_to_show_is_surface(surface: Surface, id_: SemanticId, what: str) -> None:
    found = diff(SHOP, SURFACE, SHOP, surface)
    assert (id_, what) in [(edit.id, edit.what) for edit in found.edits]
    assert (str(found.contract), str(found.behaviour)) == ("none", "surface")


def test_values_are_shown_as_an_author_writes_them() -> None:
    changed = put(f"{RULES}.spoken.check", None)(put("limits.reply_chars.value", Decimal("80.50"))(SHOP))
    edits = {edit.what: (edit.before, edit.after) for edit in diff(SHOP, SURFACE, changed, SURFACE).edits}
    assert edits["check changed"] == ("chars(reply) <= limits.reply_chars", "no check")
    assert edits["value changed"] == ("60", "80.5")


def _renamed(core: Core, old: str, new: str) -> Core:
    return Core.model_validate_json(
        core.model_dump_json().replace(f'"{old}"', f'"{new}"').replace(f'"{old}/', f'"{new}/')
    )


def _resorted(core: Core) -> Core:
    return core.model_copy(update={"tools": tuple(sorted(core.tools, key=lambda tool: tool.id))})


def test_a_moved_id_is_followed() -> None:
    renamed = _resorted(_renamed(SHOP, "tool/get_item", "tool/look_up"))
    moved = renamed.model_copy(update={"moved": (Moved(old="tool/get_item", new="tool/look_up"),)})
    kept = SURFACE.model_copy(update={"names": {**SURFACE.names, "tool/look_up": "get_item"}})
    found = diff(SHOP, SURFACE, moved, kept)
    assert [(edit.id, edit.what, edit.before) for edit in found.edits] == [
        ("tool/look_up", "id moved", "tool/get_item")
    ]
    assert (str(found.contract), str(found.behaviour)) == ("none", "none")
    shown = diff(SHOP, SURFACE, moved, SURFACE)
    assert ("shown name changed", "get_item", "look_up") in [
        (edit.what, edit.before, edit.after) for edit in shown.edits
    ]
    assert str(shown.behaviour) == "surface"


def test_moves_are_followed_through() -> None:
    moved = (Moved(old="tool/get_item", new="tool/b"), Moved(old="tool/b", new="tool/c"))
    renamed = _resorted(_renamed(SHOP, "tool/get_item", "tool/c")).model_copy(update={"moved": moved})
    assert ("tool/c", "id moved") in [
        (edit.id, edit.what) for edit in diff(SHOP, SURFACE, renamed, SURFACE).edits
    ]


def test_a_moved_parameter_narrows_because_arguments_are_keyed_by_it() -> None:
    renamed = _renamed(SHOP, "tool/get_item/param/link_id", "tool/get_item/param/item")
    moved = renamed.model_copy(
        update={"moved": (Moved(old="tool/get_item/param/link_id", new="tool/get_item/param/item"),)}
    )
    assert str(diff(SHOP, SURFACE, moved, SURFACE).contract) == "narrowing"


def test_a_rename_without_moved_is_found_by_similarity_and_classed_as_what_it_is() -> None:
    renamed = put("tools.look_up.timeout_ms", 900)(_resorted(_renamed(SHOP, "tool/get_item", "tool/look_up")))
    found = diff(SHOP, SURFACE, renamed, SURFACE)
    assert [(edit.id, edit.before, edit.after) for edit in found.edits] == [
        ("tool/look_up", "tool/get_item", "tool/look_up")
    ]
    assert found.edits[0].what.startswith("renamed, by similarity (9")
    assert found.edits[0].what.endswith("; changed with it: timeout")
    assert (str(found.contract), str(found.behaviour)) == ("narrowing", "capability")


def test_two_tools_that_have_nothing_in_common_are_one_removed_and_one_added() -> None:
    other = put("tools", tuple(sorted((*SHOP.tools[:4], *SHOP.tools[5:], TOOL), key=lambda tool: tool.id)))(
        SHOP
    )
    other = put("tools.new.returns", IntType())(put("tools.new.fails", ())(other))
    found = diff(SHOP, SURFACE, other, SURFACE)
    assert {(edit.id, edit.what) for edit in found.edits} == {
        ("tool/get_item", "removed"),
        ("tool/new", "added"),
    }


@pytest.mark.parametrize(
    ("old", "new", "step"),
    [
        ("1.2.3", "1.2.3", Bump.NONE), ("1.2.3", "1.2.4", Bump.PATCH), ("1.2.3", "1.3.0", Bump.MINOR),
        ("1.2.3", "2.0.0", Bump.MAJOR), ("1.2.3", "1.2.2", Bump.OTHER), ("1.2.3", "0.9.9", Bump.OTHER),
        ("1.2.3", "draft", Bump.OTHER), ("1.2.3", "1.2.4-rc.1", Bump.PATCH), ("1.9.0", "1.10.0", Bump.MINOR),
    ],
)  # fmt: skip
def test_how_far_a_version_moved(old: str, new: str, step: Bump) -> None:
    assert bump(old, new) == step


@pytest.mark.parametrize(
    ("change", "needed", "acknowledge", "evaluate"),
    [
        (put("description", "x"), Bump.NONE, False, False),
        (put(f"{QUOTE}.description.alternatives", ((Literally(text="x"),),)), Bump.PATCH, False, False),
        (put(f"{QUOTE}.description.canonical", (Literally(text="x"),)), Bump.PATCH, False, True),
        (put("limits.reply_chars.value", 80), Bump.MINOR, False, True),
        (put("hooks", ()), Bump.MAJOR, True, True),
    ],
)
def test_the_verdict_says_what_the_version_must(
    change: Callable[[Core], Core], needed: Bump, acknowledge: bool, evaluate: bool
) -> None:
    changed = change(SHOP)
    versions = {Bump.NONE: "1.0.0", Bump.PATCH: "1.0.1", Bump.MINOR: "1.1.0", Bump.MAJOR: "2.0.0"}
    for step, version in versions.items():
        verdict = diff(SHOP, SURFACE, put("version", version)(changed), SURFACE).verdict
        assert (verdict.needed, verdict.acknowledge, verdict.evaluate) == (needed, acknowledge, evaluate)
        assert verdict.declared == step
        assert verdict.allowed(acknowledged=True) == (step >= needed)
        assert verdict.allowed() == (step >= needed and not acknowledge)
