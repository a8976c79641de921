"""Pools of names are disjoint, and names in other spellings say what they are said to say."""

import json
import re
from importlib.resources import files
from typing import Any

import pytest

from augmentors.banks import Pool
from augmentors.checker import check
from augmentors.codebook import codebook
from augmentors.compact import from_row, to_row
from augmentors.identifiers import TOOL_NAME, words
from augmentors.index import index
from augmentors.namer import name_key
from augmentors.operators.abbreviate import shortened
from augmentors.other_words import (
    POOLS,
    abbreviations,
    loader,
    meanings,
    opaque_stems,
    translated,
)
from augmentors.policy import Policy
from augmentors.reading import everything_read
from augmentors.transport import lift, lower
from augmentors.variants import draw
from augmentors.vouching import spells
from harness_dsl.exchange.exporting import TARGETS, Target, export
from harness_dsl.ir.builtins import LOAD_SKILL_DESCRIPTION
from harness_dsl.ir.canonical import core_digest, surface_digest
from harness_dsl.ir.core import Core, Param
from harness_dsl.ir.ids import LOAD_SKILL, LOAD_SKILL_TEXT
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Generated, LoadSkill, Mention, ReplyText, SkillShown, Transcript, User
from harness_dsl.ir.types import StringType
from harness_dsl.protocol.view import View
from tests.strategies import small_shop
from tests.strategies.shop import ROOM

CORE, SURFACE = small_shop()
NAMING = ("rename", "abbreviate", "name-language", "opaque-names", "skill-loader")


def normal(name: str) -> str:
    """As a reader would compare names: letters and digits alone, in lower case."""
    return re.sub(r"[\W_]+", "", name).lower()


def pools(pool: Pool) -> dict[str, set[str]]:
    """Every word or name that names of `pool` are made of, by where it is shipped."""
    shipped = json.loads((files("augmentors") / "data" / "names.json").read_text("utf-8"))
    clusters = [entry[pool] for table in ("topics", "synonyms") for entry in shipped[table]]
    return {
        "words": {word for entries in shipped[pool].values() for word in entries},
        "clusters": {word for entries in clusters for word in entries},
        "abbreviations": {short[pool] for short in abbreviations().values()},
        "characters": {meaning.chinese(pool).zh for meaning in meanings()},
        "pinyin": {meaning.chinese(pool).pinyin for meaning in meanings()},
        "stems": {f"{stem}1" for stem in opaque_stems(pool)},
        "loaders": set(loader().names[pool]),
    }


def shared(train: dict[str, set[str]], held_out: dict[str, set[str]]) -> set[str]:
    """What names of both pools could be made of."""
    mine = {normal(word) for entries in train.values() for word in entries}
    return mine & {normal(word) for entries in held_out.values() for word in entries}


def test_no_pool_for_training_shares_anything_with_one_held_out() -> None:
    assert shared(pools("train"), pools("held-out")) == set()
    assert set(loader().params["train"]).isdisjoint(loader().params["held-out"])
    assert set(loader().wordings["train"]).isdisjoint(loader().wordings["held-out"])
    numbers = sorted(number for pool in POOLS for number in loader().wordings[pool])
    assert numbers == list(range(len(LOAD_SKILL_DESCRIPTION.alternatives)))


def test_a_pool_with_one_word_of_the_other_is_caught() -> None:
    leaking = {**pools("train"), "more": {"Bao-Jia"}}
    assert shared(leaking, pools("held-out")) == {"baojia"}


def real_words() -> set[str]:
    tools = json.loads((files("augmentors") / "data" / "distractors.json").read_text("utf-8"))
    names = [name for entry in tools for name in (entry["name"], *entry["parameters"].get("properties", {}))]
    return {word for name in names for word in words(name) if word.isascii()}


def test_words_shortened_by_rule_are_of_one_pool_only() -> None:
    known = real_words()
    assert len(known) > 300
    short = {
        pool: {form for word in known if (form := shortened(word, pool, by_rule=True)) and form != word}
        for pool in POOLS
    }
    assert all(len(forms) > 150 for forms in short.values())
    assert short["train"].isdisjoint(short["held-out"])


@pytest.mark.parametrize(
    ("word", "train", "held_out"),
    [
        ("quote", "qt", "quot"),
        ("quantity", "qty", "quant"),
        ("branch", "br", "brnch"),
        ("dispute", "dspt", "dis"),
        ("reminder", "rmndr", "remin"),
        ("days", "", ""),
        ("consultation", "", ""),
        ("id", "", ""),
    ],
)
def test_words_are_shortened_so_that_they_can_be_read(word: str, train: str, held_out: str) -> None:
    assert shortened(word, "train", by_rule=True) == train
    assert shortened(word, "held-out", by_rule=True) == held_out


@pytest.mark.parametrize(
    ("name", "declared"),
    [
        ("qty", "quantity"),
        ("linkNum", "link_number"),
        ("价格", "price"),
        ("jiaqian", "price"),
        ("优惠券代码", "coupon_code"),
        ("peisong_tianshu", "delivery_days"),
        ("crimson", "红色"),
    ],
)
def test_a_bank_vouches_for_the_same_in_another_spelling(name: str, declared: str) -> None:
    assert spells(name, declared)


@pytest.mark.parametrize(
    ("name", "declared"),
    [
        ("qt", "quantity"),
        ("prc", "prices_of"),
        ("数量", "price"),
        ("t17", "price"),
        ("jiage", "currency"),
        ("", "a"),
    ],
)
def test_a_bank_vouches_for_nothing_else(name: str, declared: str) -> None:
    assert not spells(name, declared)


def test_every_translation_is_legal_where_it_is_used() -> None:
    for meaning in meanings():
        for pool in POOLS:
            written = meaning.chinese(pool)
            assert written.zh.isidentifier() and not written.zh.isascii()
            assert TOOL_NAME.fullmatch(written.pinyin)
    assert all(TOOL_NAME.fullmatch(name) for pool in POOLS for name in loader().names[pool])
    assert translated("get_price", "train", in_characters=False) == ("huoqu_jiage", "huoquJiage")
    assert translated("get_prices_of", "train", in_characters=True) == ()


@pytest.mark.parametrize("target", [target for target in TARGETS if target != "agent-skills"])
@pytest.mark.parametrize("name", NAMING)
def test_every_target_that_takes_tools_takes_the_names(name: str, target: Target) -> None:
    """Names of skills in a catalogue of their own follow a stricter rule, which sanitising serves."""
    usual = {fault.symbol for fault in export(CORE, SURFACE, target).faults}
    for row in range(2):
        surface = draw(CORE, SURFACE, Policy.of({name: {}}), 4, row).surface
        assert {fault.symbol for fault in export(CORE, surface, target).faults} <= usual


def test_a_target_that_takes_no_chinese_parameter_says_so_and_can_be_served_anyway() -> None:
    policy = Policy.of({"name-language": {"characters": ["param"], "share": 1.0}})
    surface = draw(CORE, SURFACE, policy, 4, 1).surface
    assert any(not name.isascii() for name in surface.names.values())
    assert export(CORE, surface, "anthropic-tools").faults
    assert not export(CORE, surface, "anthropic-tools", sanitise=True).faults


def undescribed(core: Core) -> Core:
    """`core` with a second parameter of one tool that nothing describes."""
    more = Param(id="tool/get_item/param/remark", type=StringType(), optional=True)
    tools = tuple(
        tool.model_copy(update={"params": (*tool.params, more)}) if tool.id == "tool/get_item" else tool
        for tool in core.tools
    )
    return core.model_copy(update={"tools": tools})


def test_an_opaque_name_stands_only_beside_a_description() -> None:
    core = undescribed(CORE)
    policy = Policy.of({"opaque-names": {}})
    for row in range(2):
        variant = draw(core, SURFACE, policy, 3, row)
        changed = variant.certificate.operators[0].changed
        assert set(changed) <= index(core).described and "tool/get_item/param/remark" not in changed
        assert all(re.fullmatch(r"[a-z]+_?\d{2,}", variant.surface.names[id_]) for id_ in changed)
        assert variant.certificate.level == "structural"
        numbered = {**variant.surface.names, "tool/get_item/param/remark": "f99"}
        surface = variant.surface.model_copy(update={"names": numbered})
        claim = variant.certificate.model_copy(
            update={"surface": surface, "surface_digest": surface_digest(core, surface)}
        )
        said = [finding.message for finding in check(core, SURFACE, claim) if finding.proof == 2]
        assert any("has no description" in message for message in said)


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("name", NAMING)
def test_rows_of_every_naming_operator_are_accepted_and_read_back(name: str, pool: Pool) -> None:
    book = codebook(CORE, SURFACE)
    for row in range(3):
        certificate = draw(CORE, SURFACE, Policy.of({name: {"pool": pool}}), 5, row).certificate
        assert check(CORE, SURFACE, certificate, everything_read) == []
        line = json.loads(to_row(certificate, book))
        assert "whole" not in line and "changed" not in line
        assert from_row(line, book) == certificate


@pytest.mark.parametrize("name", NAMING)
def test_names_of_training_and_of_evaluation_differ(name: str) -> None:
    given: dict[Pool, set[str]] = {pool: set() for pool in POOLS}
    core = CORE.model_copy(update={"declared_names": ()})  # what an author declares is of no pool
    for pool in POOLS:
        for row in range(12):
            variant = draw(core, SURFACE, Policy.of({name: {"pool": pool}}), 1, row)
            changed = set(variant.certificate.operators[0].changed) & set(variant.surface.names)
            tools = [id_ for id_ in changed if id_.startswith(("tool/", "builtin/")) and id_.count("/") == 1]
            given[pool] |= {name_key(variant.surface.names[id_]) for id_ in tools}
    assert given["train"] and given["held-out"]
    assert given["train"].isdisjoint(given["held-out"])


# The skill loader


def loaded(skill: str = "skill/item_qa") -> Transcript:
    return Transcript(
        core_digest=core_digest(CORE),
        inputs={"room": ROOM, "danmaku": "hi"},
        events=(
            User(text="load_skill 是什么"),
            Generated(events=(LoadSkill(skill=skill),)),
            SkillShown(skill=skill),
            Generated(events=(ReplyText(text=("用 `", Mention(symbol=LOAD_SKILL), "` 读的。")),)),
        ),
    )


def test_the_skill_loader_goes_by_another_name_and_description() -> None:
    for row in range(4):
        variant = draw(CORE, SURFACE, Policy.of({"skill-loader": {"share": 1.0}}), 2, row)
        shown = View(CORE, variant.surface)
        name = variant.surface.names[LOAD_SKILL]
        text = shown.renderer.system({"room": ROOM}).text
        assert "load_skill" not in text and f'"name": "{name}"' in text
        assert "Read a skill before you follow it." not in text
        messages = lower(loaded(), CORE, variant.surface)
        assert messages[2]["tool_calls"][0]["function"]["name"] == name
        assert f"`{name}`" in messages[4]["content"] and messages[1]["content"] == "load_skill 是什么"
        assert lift(messages, CORE, variant.surface).transcript == loaded()


def test_a_name_that_the_author_declares_for_the_skill_loader_is_drawn() -> None:
    core = CORE.model_copy(update={"declared_names": ((LOAD_SKILL, ("about_skill",)),)})
    policy = Policy.of({"skill-loader": {"share": 1.0}})
    names = {draw(core, SURFACE, policy, 2, row).surface.names[LOAD_SKILL] for row in range(60)}
    assert "about_skill" in names and len(names) > 5


def test_the_old_name_of_the_skill_loader_names_nothing_any_more() -> None:
    surface = SURFACE.model_copy(update={"names": {**SURFACE.names, LOAD_SKILL: "read_guide"}})
    messages = lower(loaded(), CORE, surface)
    messages[2]["tool_calls"][0]["function"]["name"] = "load_skill"
    turn = lift(messages, CORE, surface).transcript.events[1]
    assert isinstance(turn, Generated) and turn.events[0].kind == "foreign_call"


def test_a_wording_of_the_skill_loader_that_is_the_usual_one_changes_no_digest() -> None:
    usual = SURFACE.model_copy(
        update={"wordings": {**SURFACE.wordings, LOAD_SKILL_TEXT: LOAD_SKILL_DESCRIPTION.canonical}}
    )
    other = SURFACE.model_copy(
        update={"wordings": {**SURFACE.wordings, LOAD_SKILL_TEXT: LOAD_SKILL_DESCRIPTION.alternatives[0]}}
    )
    assert surface_digest(CORE, usual) == surface_digest(CORE, SURFACE) != surface_digest(CORE, other)


@pytest.mark.parametrize("name", ["quantity", "name"])
def test_names_that_are_ordinary_words_pass_both_ways(name: str) -> None:
    """Also as the name of a tool, and of the skill loader, and exchanged with another."""
    said = f"The {name} is 3; the {name} of it."
    talk = Transcript(
        core_digest=core_digest(CORE),
        inputs={"room": ROOM, "danmaku": "hi"},
        events=(
            User(text=said),
            Generated(events=(ReplyText(text=(f"{said} `", Mention(symbol="tool/get_quote"), "`")),)),
        ),
    )
    for names in (
        {"tool/get_quote": name},
        {LOAD_SKILL: name},
        {"tool/get_quote": "get_item", "tool/get_item": "get_quote"},
        {"tool/get_quote": "load_skill", LOAD_SKILL: "get_quote"},
    ):
        surface = Surface(names=names)
        messages: list[dict[str, Any]] = lower(talk, CORE, surface)
        assert said in messages[2]["content"] and messages[1]["content"] == said
        written = View(CORE, surface).mentions.written("tool/get_quote")
        assert written.split(".")[-1] == names.get("tool/get_quote", "get_quote")
        assert f"`{written}`" in messages[2]["content"]
        assert lift(json.loads(json.dumps(messages)), CORE, surface).transcript == talk
