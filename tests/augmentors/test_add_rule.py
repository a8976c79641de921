"""Rules of the bank: prose and predicate belong together, and a harness is given none that it cannot keep."""

import pytest

from augmentors.edits.add_rule import AddRule
from augmentors.edits.rule_bank import RULES
from augmentors.rightness import is_right_under
from harness_dsl.ir.core import Core, Item, ListContent
from harness_dsl.ir.evaluate import Facts, evaluate, truth
from harness_dsl.ir.expressions import Affix, Constant, Expression, Reply
from harness_dsl.ir.texts import Literally, Text
from harness_dsl.ir.transcript import Generated, Published, ReplyText, Transcript, User
from harness_dsl.ir.verify import verify_core
from harness_dsl.ir.walk import items
from tests.strategies import small_shop
from tests.strategies.shop import ROOM

CORE, SURFACE = small_shop()
SECTION = "prompt/system/section/rules"

EXAMPLES = {
    "no_exclamation_mark": ("亲，89元", "亲，89元！"),
    "no_question_mark": ("亲，89元", "亲，要几件？"),
    "no_brackets": ("亲，89元", "亲，89元（包邮）"),
    "no_quotation_marks": ("亲，89元", "亲，“面霜”89元"),
    "no_line_break": ("亲，89元", "亲，\n89元"),
    "full_stop_last": ("亲，89元。", "亲，89元"),
    "thanks_last": ("亲，89元，谢谢", "亲，谢谢，89元"),
    "good_day_last": ("亲，89元，祝好", "亲，89元"),
}


@pytest.mark.parametrize("name", RULES)
def test_a_rule_tells_a_reply_that_keeps_it_from_one_that_does_not(name: str) -> None:
    kept, broken = EXAMPLES[name]
    assert truth(evaluate(RULES[name].check, Facts(reply=kept)))
    assert not truth(evaluate(RULES[name].check, Facts(reply=broken)))


def test_a_part_of_the_bank_is_held_out() -> None:
    assert {rule.pool for rule in RULES.values()} == {"train", "held-out"}
    assert len({rule.zh for rule in RULES.values()} | {rule.en for rule in RULES.values()}) == 2 * len(RULES)


@pytest.mark.parametrize("name", RULES)
def test_a_harness_with_one_rule_more_is_whole(name: str) -> None:
    edit = AddRule(section=SECTION, rule=name)
    assert edit.problem(CORE, SURFACE) is None
    after = edit.applied(CORE)
    assert verify_core(after) == []
    added = {item.id for item in items(after)} - {item.id for item in items(CORE)}
    assert added == {f"{SECTION}/{name}"}
    assert edit.problem(after, SURFACE) is not None


def with_check(check: Expression) -> Core:
    """The shop with a rule of that predicate."""
    text = Text(id=f"{SECTION}/made", canonical=(Literally(text="..."),))
    sections = []
    for section in CORE.prompt.sections:
        rules = section.content
        if section.id == SECTION and isinstance(rules, ListContent):
            listed = sorted((*rules.items, Item(id=text.id, text=text, check=check)), key=lambda one: one.id)
            section = section.model_copy(
                update={"content": rules.model_copy(update={"items": tuple(listed)})}
            )
        sections.append(section)
    return CORE.model_copy(update={"prompt": CORE.prompt.model_copy(update={"sections": tuple(sections)})})


def test_what_another_rule_speaks_against_is_not_added() -> None:
    ends = with_check(Affix(where="end", subject=Reply(), text=Constant(value="哦")))
    shouts = with_check(Affix(where="start", subject=Reply(), text=Constant(value="亲！")))
    assert "how a reply ends" in (AddRule(section=SECTION, rule="thanks_last").problem(ends, SURFACE) or "")
    said = AddRule(section=SECTION, rule="no_exclamation_mark").problem(shouts, SURFACE)
    assert said == "other rules ask for `亲！`"
    assert AddRule(section=SECTION, rule="no_brackets").problem(shouts, SURFACE) is None


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"section": "prompt/system/section/none"}, "no unordered list"),
        ({"section": "prompt/system/section/persona"}, "no unordered list"),
        ({"rule": "verse"}, "the bank has no rule"),
    ],
)
def test_what_cannot_be_added_is_told(fields: dict[str, str], said: str) -> None:
    edit = AddRule.model_validate({"section": SECTION, "rule": "no_brackets", **fields})
    assert said in (edit.problem(CORE, SURFACE) or "")


@pytest.mark.parametrize("name", RULES)
def test_a_conversation_is_shown_beside_a_new_rule_only_if_it_keeps_it(name: str) -> None:
    new = AddRule(section=SECTION, rule=name).applied(CORE)
    for reply, right in zip(EXAMPLES[name], (True, False), strict=True):
        events = (User(text="?"), Generated(events=(ReplyText(text=(reply,)),)), Published(text=reply))
        told = Transcript(core_digest="", inputs={"room": ROOM, "danmaku": ""}, events=events)
        assert is_right_under(CORE, new, told) == right
