"""The checker accepts honest variants and names the proof that each corruption breaks."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from augmentors import observations
from augmentors.certificates import Applied, Certificate
from augmentors.checker import check
from augmentors.footprint import Footprint
from augmentors.policy import Policy
from augmentors.reading import everything_read
from augmentors.variants import draw
from harness_dsl.ir.canonical import core_digest, surface_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import foreign
from harness_dsl.ir.surface import ForeignTool, Surface
from harness_dsl.ir.texts import Literally, Reference
from harness_dsl.protocol.source_map import Rendered
from tests.strategies import small_shop

CORE, SURFACE = small_shop()


def honest(**changes: Any) -> Certificate:
    """A certificate of the default Surface with `changes`, every digest right and every change claimed."""
    surface = SURFACE.model_copy(update=changes)
    ids = {*changes.get("names", {}), *changes.get("wordings", {}), *changes.get("orders", {})}
    ids |= {*changes.get("hidden", ()), *changes.get("implementations", {})}
    ids |= {foreign(tool.name) for tool in changes.get("distractors", ())}
    ids |= {tool.id for tool in CORE.tools} if "tool_docs" in changes else set()
    return Certificate(
        seed=0,
        row=0,
        base_core=core_digest(CORE),
        core=core_digest(CORE),
        surface=surface,
        surface_digest=surface_digest(CORE, surface),
        operators=(Applied(operator="by-hand", changed=tuple(sorted(ids))),),
        observations=observations.KNOWN,
        level="task-relative",
        footprint=Footprint.of(["tool/get_quote", "skill/item_qa"]),
    )


def names(**changed: str) -> dict[str, str]:
    return {**SURFACE.names, **{key.replace("__", "/"): name for key, name in changed.items()}}


def tool_named(**changes: Any) -> tuple[ForeignTool, ...]:
    fields = {
        "name": "weather_now",
        "description": "Weather in a city.",
        "parameters": {"type": "object", "properties": {}},
        "failure": "not connected",
        "origin": "made for tests",
    }
    return (ForeignTool(**{**fields, **changes}),)


def with_distractor(**changes: Any) -> Certificate:
    tools = tool_named(**changes)
    order = (*(tool.id for tool in CORE.tools), foreign(tools[0].name))
    return honest(distractors=tools, orders={**SURFACE.orders, "tools": order})


SECTIONS = SURFACE.orders["prompt/system"]
RULES = "prompt/system/section/rules"

CORRUPTED: dict[str, tuple[int, Certificate]] = {
    "another core": (1, honest().model_copy(update={"base_core": "sha256:00"})),
    "core digest": (1, honest().model_copy(update={"core": "sha256:00"})),
    "surface digest": (1, honest(markup="xml").model_copy(update={"surface_digest": "sha256:00"})),
    "a change nobody claims": (
        1,
        honest(names=names(tool__get_item="find_it")).model_copy(update={"operators": ()}),
    ),
    "a change of what is not there": (
        1,
        honest().model_copy(update={"operators": (Applied(operator="by-hand", changed=("nonsense/x",)),)}),
    ),
    "a change of a distractor that is not there": (
        1,
        honest().model_copy(update={"operators": (Applied(operator="by-hand", changed=(foreign("x"),)),)}),
    ),
    "unknown symbol": (1, honest(names=names(tool__no_such="find_it"))),
    "two tools of one name": (1, honest(names=names(tool__get_item="check_stock"))),
    "names that collide when sanitised": (
        1,
        honest(names=names(tool__get_item="check.stock")),
    ),
    "a name no target takes": (1, honest(names=names(tool__get_item="find it"))),
    "a parameter that is no identifier": (1, honest(names=names(**{"tool/get_item/param/link_id": "a-b"}))),
    "a distractor named like a tool": (1, with_distractor(name="get_item")),
    "a distractor that no target takes": (1, with_distractor(name="天气 查询")),
    "a distractor with a name too long": (1, with_distractor(name="w" * 65)),
    "a limit that is no number": (
        1,
        honest().model_copy(update={"limits": {"limit/reply_chars": {"decimal": "NaN"}}}),
    ),
    "a distractor of the name that a tool had": (
        4,
        honest(
            names=names(tool__get_quote="ask_price"),
            distractors=tool_named(name="get_quote"),
            orders={**SURFACE.orders, "tools": (*(tool.id for tool in CORE.tools), foreign("get_quote"))},
        ),
    ),
    "a distractor of the name that a tool was shown under": (
        4,
        honest(
            names=names(tool__get_quote="find_cost"),
            distractors=tool_named(name="Query_price"),
            orders={**SURFACE.orders, "tools": (*(tool.id for tool in CORE.tools), foreign("Query_price"))},
        ),
    ),
    "a footprint of a tool that is not there": (
        4,
        honest().model_copy(update={"footprint": Footprint.of(["tool/nosuch"])}),
    ),
    "every reply skill hidden": (4, honest(hidden=("skill/item_qa", "skill/small_talk"))),
    "hidden and all claimed": (
        1,
        honest(hidden=("skill/small_talk",)).model_copy(update={"observations": (observations.ALL,)}),
    ),
    "a distractor and nothing claimed": (1, with_distractor().model_copy(update={"observations": ()})),
    "an observation of its own": (1, honest().model_copy(update={"observations": ("everything",)})),
    "a limit out of its range": (1, honest().model_copy(update={"limits": {"limit/reply_chars": 500}})),
    "a limit that may not move": (1, honest().model_copy(update={"limits": {"limit/turns": 5}})),
    "an unknown limit": (1, honest().model_copy(update={"limits": {"limit/nothing": 5}})),
    "a word outside the legal set": (1, honest().model_copy(update={"limits": {"limit/opener": "喂"}})),
    "an item twice in an order": (2, honest(orders={**SURFACE.orders, RULES: (f"{RULES}/spoken",) * 3})),
    "an item missing from an order": (2, honest(orders={**SURFACE.orders, RULES: (f"{RULES}/spoken",)})),
    "the order of an ordered list": (
        2,
        honest(orders={**SURFACE.orders, "skill/item_qa": ("skill/item_qa/step/2", "skill/item_qa/step/1")}),
    ),
    "sections against a constraint": (
        2,
        honest(orders={**SURFACE.orders, "prompt/system": tuple(reversed(SECTIONS))}),
    ),
    "an undeclared wording": (2, honest(wordings={"skill/item_qa/when": (Literally(text="Always."),)})),
    "a wording that lost a reference": (
        2,
        honest(wordings={f"{RULES}/no_promise": (Literally(text="Never promise a price."),)}),
    ),
    "a wording with another reference": (
        2,
        honest(
            wordings={f"{RULES}/opener": (Literally(text="Begin with "), Reference(target="limit/turns"))}
        ),
    ),
    "an opaque name without description": (2, honest(names=names(**{"type/Quote/field/amount": "zeta"}))),
    "an implementation that is not there": (2, honest(implementations={"hook/price_is_quoted": 4})),
    "too strong a level for a wording": (
        2,
        honest(wordings={"skill/item_qa/when": CORE.skills[0].when.alternatives[0]}).model_copy(
            update={"level": "structural"}
        ),
    ),
    "too strong a level for a synonym": (
        2,
        honest(names=names(**{"type/Quote/field/currency/value/CNY": "rmb"})).model_copy(
            update={"level": "structural"}
        ),
    ),
    "too strong a level for an implementation": (
        2,
        honest(implementations={"hook/price_is_quoted": 1}).model_copy(update={"level": "declared"}),
    ),
    "a hidden tool that the task needs": (4, honest(hidden=("tool/get_quote",))),
    "a hidden skill that the task needs": (4, honest(hidden=("skill/item_qa",))),
    "a hidden tool that prose speaks of": (4, honest(hidden=("tool/get_coupon",))),
    "a hidden parameter": (4, honest(hidden=("tool/get_item/param/link_id",))),
    "a distractor that does the same job": (
        4,
        with_distractor(description="Quote one product of this room."),
    ),
    "a distractor that does it in Chinese": (
        4,
        with_distractor(name="stock_count", description="查一个商品的价格"),
    ),
    "a distractor that does not fail": (4, with_distractor(failure=" ")),
    "a distractor from nowhere": (4, with_distractor(origin="")),
    "a distractor without a schema": (4, with_distractor(parameters={"type": "string"})),
    "too strong a level for a distractor": (
        4,
        with_distractor().model_copy(update={"level": "tested"}),
    ),
}


@pytest.mark.parametrize("what", CORRUPTED)
def test_the_checker_rejects(what: str) -> None:
    proof, certificate = CORRUPTED[what]
    findings = check(CORE, SURFACE, certificate, everything_read)
    assert proof in {finding.proof for finding in findings}, findings


def test_every_corruption_starts_from_a_certificate_that_holds() -> None:
    for certificate in (
        honest(markup="xml"),
        honest(names=names(tool__get_item="find_it")),
        with_distractor(),
    ):
        changed = certificate.model_copy(
            update={
                "operators": (
                    *certificate.operators,
                    Applied(operator="by-hand", changed=("prompt/system", "tools")),
                )
            }
        )
        assert check(CORE, SURFACE, changed, everything_read) == []


def fixed(**which: bool) -> Core:
    """The shop with one kind of thing fixed."""
    update: dict[str, Any] = {}
    if which.get("tool"):
        update["tools"] = tuple(
            tool.model_copy(update={"fixed": True}) if tool.id == "tool/get_item" else tool
            for tool in CORE.tools
        )
    if which.get("skill"):
        update["skills"] = tuple(skill.model_copy(update={"fixed": True}) for skill in CORE.skills)
    if which.get("hook"):
        update["hooks"] = tuple(hook.model_copy(update={"fixed": True}) for hook in CORE.hooks)
    if which.get("section"):
        sections = tuple(section.model_copy(update={"fixed": True}) for section in CORE.prompt.sections)
        update["prompt"] = CORE.prompt.model_copy(update={"sections": sections})
    return CORE.model_copy(update=update)


FROZEN: dict[str, tuple[Core, dict[str, Any]]] = {
    "the name of a fixed tool": (fixed(tool=True), {"names": names(tool__get_item="find_it")}),
    "a parameter of a fixed tool": (
        fixed(tool=True),
        {"names": names(**{"tool/get_item/param/link_id": "sku"})},
    ),
    "the documentation of a fixed tool": (fixed(tool=True), {"tool_docs": "python"}),
    "the wording of a fixed skill": (
        fixed(skill=True),
        {"wordings": {"skill/item_qa/when": CORE.skills[0].when.alternatives[0]}},
    ),
    "the order of a fixed section": (
        fixed(section=True),
        {"orders": {**SURFACE.orders, RULES: tuple(reversed(SURFACE.orders[RULES]))}},
    ),
    "the feedback of a fixed hook": (fixed(hook=True), {"feedback": {"hook/skill_first": "prefixed"}}),
    "the markup of a fixed section": (fixed(section=True), {"markup": "xml"}),
}


@pytest.mark.parametrize("what", FROZEN)
def test_fixed_surface_is_untouched(what: str) -> None:
    core, changes = FROZEN[what]
    certificate = honest(**changes).model_copy(
        update={"base_core": core_digest(core), "core": core_digest(core)}
    )
    findings = check(core, SURFACE, certificate, everything_read)
    assert any(finding.proof == 2 and "fixed" in finding.message for finding in findings), findings


def renders(change: Callable[[Rendered], Rendered]) -> Callable[[Core, Surface], Iterator[Rendered]]:
    """A renderer that does `change` to everything it prints."""
    return lambda core, surface: (change(text) for text in everything_read(core, surface))


def prints_old_names(text: Rendered) -> Rendered:
    """What a renderer does that asks the Core for a name instead of the Surface; lengths are kept."""
    return Rendered(text.text.replace("find_it8", "get_item"), text.spans)


def loses_a_tool(text: Rendered) -> Rendered:
    return Rendered(text.text, tuple(span for span in text.spans if span.source != "tool/get_item"))


def test_a_symbol_printed_by_its_old_name_is_found() -> None:
    certificate = honest(names=names(tool__get_item="find_it8"))
    assert check(CORE, SURFACE, certificate, everything_read) == []
    findings = check(CORE, SURFACE, certificate, renders(prints_old_names))
    assert {finding.proof for finding in findings} == {3}


def test_a_tool_that_is_printed_nowhere_is_found() -> None:
    findings = check(CORE, SURFACE, honest(), renders(loses_a_tool))
    assert {finding.proof for finding in findings} == {3}


def shop_that_writes_out(sentence: str) -> Core:
    """The shop with a rule that mentions a tool without a reference."""
    section = CORE.prompt.sections[1]
    rule = section.content.items[2]
    text = rule.text.model_copy(update={"canonical": (Literally(text=sentence), *rule.text.canonical)})
    items = (*section.content.items[:2], rule.model_copy(update={"text": text}))
    changed = section.model_copy(update={"content": section.content.model_copy(update={"items": items})})
    sections = (CORE.prompt.sections[0], changed, *CORE.prompt.sections[2:])
    return CORE.model_copy(update={"prompt": CORE.prompt.model_copy(update={"sections": sections})})


@pytest.mark.parametrize("sentence", ["Use `get_item`. ", "Call get_item() first. ", "先用get_item查。"])
def test_a_name_that_prose_writes_out_may_not_be_renamed(sentence: str) -> None:
    core = shop_that_writes_out(sentence)
    surface = SURFACE.model_copy(update={"names": names(tool__get_item="find_it")})
    certificate = honest(names=names(tool__get_item="find_it")).model_copy(
        update={
            "base_core": core_digest(core),
            "core": core_digest(core),
            "surface_digest": surface_digest(core, surface),
        }
    )
    findings = check(core, SURFACE, certificate, everything_read)
    assert {finding.proof for finding in findings} == {3}


def test_no_operator_renames_what_prose_writes_out() -> None:
    core = shop_that_writes_out("Use `get_item`. ")
    for row in range(20):
        variant = draw(core, SURFACE, Policy.of({"rename": {"swap": 0.5}}), 0, row)
        assert "tool/get_item" not in variant.surface.names
        assert check(core, SURFACE, variant.certificate, everything_read) == []


def test_an_ordinary_word_in_prose_is_no_stale_name() -> None:
    """`city` is a parameter and a word; renaming the parameter leaves the word alone."""
    core = shop_that_writes_out("Name the city. ")
    id_ = "tool/delivery_days/param/city"
    surface = SURFACE.model_copy(update={"names": names(**{id_: "town"})})
    certificate = honest(names=names(**{id_: "town"})).model_copy(
        update={
            "base_core": core_digest(core),
            "core": core_digest(core),
            "surface_digest": surface_digest(core, surface),
        }
    )
    assert check(core, SURFACE, certificate, everything_read) == []
