"""What layouts, feedback and unsaid defaults look like, and what they leave as it is."""

import re
from pathlib import Path
from typing import get_args

import pytest

from augmentors.operators.layout import Layout, LayoutParameters
from augmentors.operators.wordings import Wordings
from harness_dsl.ir.canonical import canonical_json, surface_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface, ToolDocs
from harness_dsl.ir.texts import Literally
from harness_dsl.ir.transcript import HookNote, SkillShown
from harness_dsl.protocol.layouts import laid_out
from harness_dsl.protocol.view import View
from harness_dsl.syntax.opening import open_harness
from tests.strategies import small_shop

CORE, SURFACE = small_shop()
TUTOR = open_harness(Path(__file__).parents[2] / "examples" / "course_tutor" / "tutor.harness")
QUANTITY = "tool/get_quote/param/quantity"


def skill(layout: str, id_: str = "skill/item_qa") -> str:
    shown = SURFACE.model_copy(update={"layouts": {id_: layout}})
    return View(CORE, shown).renderer.skill(SkillShown(skill=id_), {}).text


def test_steps_keep_their_order_and_their_numbers() -> None:
    first, second = "Call query_price with link.", "Say the price with its unit."
    assert skill("list") == f"item_qa:\n1. {first}\n2. {second}"
    assert skill("prose") == f"item_qa:\n(1) {first} (2) {second}"
    assert skill("table") == f"item_qa:\n| # | step |\n| --- | --- |\n| 1 | {first} |\n| 2 | {second} |"


def test_what_is_unordered_gets_no_numbers() -> None:
    assert skill("prose", "skill/small_talk") == "small_talk:\n一句话就够。Be warm, use 亲."
    assert skill("table", "skill/small_talk").splitlines()[1:3] == ["| rule |", "| --- |"]


def test_sentences_are_ended_where_they_do_not_end() -> None:
    said = ["Look it up", "说出价格", "说“好的。”", "Why?", "See (this)", ""]
    around = laid_out("prose", False, said)
    whole = "".join(before + text for before, text in zip(around, [*said, ""], strict=True))
    assert whole == "Look it up. 说出价格。说“好的。” Why? See (this). "
    assert laid_out("prose", True, ["a\nb", "c"]) == laid_out("list", True, ["", ""])
    assert laid_out("table", False, ["a | b"]) == laid_out("list", False, [""])


def test_a_layout_that_a_text_does_not_fit_is_not_drawn() -> None:
    items = CORE.skills[0].items
    several = items[0].text.model_copy(update={"canonical": (Literally(text="One |\ntwo."),)})
    changed = CORE.skills[0].model_copy(update={"items": (items[0].model_copy(update={"text": several}),)})
    core = CORE.model_copy(update={"skills": (changed, *CORE.skills[1:])})
    assert changed.id in Layout().symbols(CORE, SURFACE)
    assert changed.id not in Layout().symbols(core, SURFACE)
    assert Layout(LayoutParameters(forms=("list",))).symbols(CORE, SURFACE) == ()


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("plain", "Load item_qa first."),
        ("prefixed", "[require] Load item_qa first."),
        ("tagged", "<require>\nLoad item_qa first.\n</require>"),
    ],
)
def test_feedback_is_set_off_for_the_model_and_published_as_it_is(form: str, text: str) -> None:
    shown = SURFACE.model_copy(update={"feedback": {"hook/skill_first": form}})
    view = View(CORE, shown)
    note = HookNote(hook="hook/skill_first", action="require")
    assert view.renderer.hook(note, {}).text == view.quick.hook(note, {}).text == text
    assert view.renderer.published("hook/skill_first", {}).text == "Load item_qa first."


def test_messages_of_hooks_are_worded_like_any_text() -> None:
    messages = {hook.message.id for hook in TUTOR.core.hooks if hook.message and hook.message.alternatives}
    assert messages
    assert messages <= set(Wordings().symbols(TUTOR.core, TUTOR.surface))


@pytest.mark.parametrize("form", get_args(ToolDocs))
def test_a_default_is_said_or_unsaid_in_every_form(form: ToolDocs) -> None:
    said = SURFACE.model_copy(update={"tool_docs": form})
    unsaid = said.model_copy(update={"unsaid": (QUANTITY,)})
    # What stands at the parameter: no more than its type says a default.
    told, silent = (documented(CORE, surface) for surface in (said, unsaid))
    default = re.compile(r'"default": 1|= 1|default 1|@default 1|<default>1')
    assert default.search(told) and not default.search(silent)
    assert "quantity" in silent


def documented(core: Core, surface: Surface) -> str:
    """The documentation of the tools."""
    hidden = tuple(tool.id for tool in core.tools if tool.id != "tool/get_quote")
    return View(core, surface.model_copy(update={"hidden": hidden})).renderer.system({}).text


def test_a_surface_that_uses_none_of_them_has_the_json_and_digest_it_always_had() -> None:
    assert not re.search(b"feedback|layouts|unsaid", canonical_json(SURFACE))
    usual = {"feedback": {"hook/skill_first": "plain"}, "layouts": {"skill/item_qa": "list"}}
    assert surface_digest(CORE, SURFACE.model_copy(update=usual)) == surface_digest(CORE, SURFACE)
    before_there_were_any = "sha256:f914820bdf66c875263816ae1c958157e67959692fb74b3a1a6fba157dc16af0"
    assert surface_digest(CORE, SURFACE) == before_there_were_any
