"""What a wording must keep, pair by pair; and that the checks see a planted loss in any declared wording."""

from decimal import Decimal

import pytest

from augmentors.rewording.checks import FORCE, LANGUAGE, LENGTH, NEGATIONS, NUMBERS, REFERENCES, refusals
from augmentors.rewording.figures import chinese, figures, missing
from augmentors.rewording.force import forces, negations
from harness_dsl.ir.expressions import InputValue
from harness_dsl.ir.texts import If, Interpolation, Literally, Reference, Template

QUOTE = Reference(target="tool/get_quote")
SHOP = Interpolation(value=InputValue(input="input/room", path=("shop_name",)))


def template(text: str) -> Template:
    """A template in which T refers to a tool and V prints a value."""
    parts = []
    for piece in text.replace("T", "|T|").replace("V", "|V|").split("|"):
        if piece:
            parts.append({"T": QUOTE, "V": SHOP}.get(piece, Literally(text=piece)))
    return tuple(parts)


def codes(canonical: str, wording: str, language: str | None = None) -> list[str]:
    return [refusal.code for refusal in refusals(template(canonical), template(wording), language)]


@pytest.mark.parametrize(
    ("canonical", "wording"),
    [
        ("Never promise a date.", "Do not promise a date."),
        ("You must not name a rival.", "You may never name a rival."),
        ("You must ask for it.", "You have to ask for it."),
        ("Answer within 3 days.", "Answer within three days."),
        ("二十五件", "25件"),
        ("打八折", "打 8 折"),
        ("百分之五十", "50%"),
        ("Use at most 60 characters.", "Use no more than 60 characters."),
        ("不超过60个字", "最多60个字"),
        ("学员错了两次以上。", "学员至少错了两次。"),
        ("Failed twice or more.", "Failed at least two times."),
        ("不要承诺日期。", "别承诺日期。"),
        ("查到有券才提。", "只提查到的券。"),
        ("有没有券都问一句。", "是否有券都问一句。"),
        ("先用 T 查价，再报价。", "报价之前用 T 查价。"),
        ("Ask both of them.", "Ask the two of them."),
        ("V 的价格用 T 查。", "用 T 查 V 的价格。"),
        ("Start with “hello”.", "“hello” comes at the beginning."),
        ("Not only quick, but kind.", "Quick, and kind as well."),
        ("Write in `plain` text.", "Use text that is `plain`."),
    ],
)
def test_what_says_the_same_passes(canonical: str, wording: str) -> None:
    assert codes(canonical, wording) == []


@pytest.mark.parametrize(
    ("canonical", "wording", "code"),
    [
        ("用 T 查价。", "查一下价格。", REFERENCES),
        ("用 T 查价。", "用 T 查价，别忘了 T。", REFERENCES),
        ("欢迎来到V。", "欢迎光临本店。", REFERENCES),
        ("Write in `plain` text.", "Write in simple text.", REFERENCES),
        ("Call get_quote.", "Call get_price.", REFERENCES),
        ("See https://example.org/a.", "See https://example.org/b.", REFERENCES),
        ("以“亲”开头。", "以“您好”开头。", REFERENCES),
        ("Answer within 3 days.", "Answer within 5 days.", NUMBERS),
        ("Answer within 3 days.", "Answer within 3 hours.", NUMBERS),
        ("三天内回复。", "十三天内回复。", NUMBERS),
        ("打八折。", "打折。", NUMBERS),
        ("Say 50% off.", "Say 50 yuan off.", NUMBERS),
        ("Ask twice.", "Ask.", NUMBERS),
        ("Never promise a date.", "Promise a date.", NEGATIONS),
        ("不要承诺日期。", "承诺日期。", NEGATIONS),
        ("Answer without numbers.", "Answer with numbers.", NEGATIONS),
        ("严禁透露底价。", "透露底价。", NEGATIONS),
        ("Do not guess, and do not ask twice.", "Do not guess, and ask twice.", NEGATIONS),
        ("Ask unless it is paid.", "Ask if it is paid.", NEGATIONS),
        ("You must ask.", "You may ask.", FORCE),
        ("You should ask.", "You must ask.", FORCE),
        ("回复前必须核对。", "回复前可以核对。", FORCE),
        ("应当简短。", "必须简短。", FORCE),
        ("Only say what was found.", "Say what was found.", FORCE),
        ("只说查到的。", "说查到的。", FORCE),
        ("Use at most 60 characters.", "Use 60 characters.", FORCE),
        ("至少10个字。", "最多10个字。", FORCE),
        ("你不必核对。", "你不能核对。", FORCE),
        ("Ask before you book.", "Ask when you book.", FORCE),
        ("报价之前先查。", "报价之后查。", FORCE),
        ("Be brief.", "Be brief, and " + "say it in few and simple words, " * 3, LENGTH),
        (
            "你是主播，用一句口语回答观众的问题，价格带上单位，查不到就直说，别编。别编。",
            "别编。别编。不。",
            LENGTH,
        ),
        ("Never promise a date.", "绝不承诺日期。", LANGUAGE),
    ],
)
def test_what_was_lost_is_named(canonical: str, wording: str, code: str) -> None:
    assert code in codes(canonical, wording)


def test_a_translation_passes_where_it_says_that_it_is_one() -> None:
    assert codes("Never promise a date.", "绝不承诺日期。", "zh") == []
    assert codes("Never promise a date.", "绝不承诺日期。", "en") == [LANGUAGE]
    assert codes("绝不承诺日期。", "Never promise a date.", "en-GB") == []


def test_what_stands_in_a_branch_has_to_stay_in_it() -> None:
    condition = InputValue(input="input/vip", path=())
    inside: Template = (If(condition=condition, then=(QUOTE,)), SHOP)
    moved: Template = (If(condition=condition, then=(SHOP,)), QUOTE)
    assert [one.message for one in refusals(inside, moved)] == [
        "this wording mentions the same under other conditions"
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("三十五", "35"),
        ("一百零二", "102"),
        ("两千", "2000"),
        ("五万三", "50003"),
        ("二〇二四", "2024"),
        ("三点五", "3.5"),
    ],
)
def test_chinese_numerals(text: str, value: str) -> None:
    assert chinese(text) == Decimal(value)


@pytest.mark.parametrize(
    "text", ["十分热情", "千万别说", "再三确认", "第一次", "统一回复", "一起看", "none", "an_x2"]
)
def test_words_with_a_numeral_in_them_state_no_number(text: str) -> None:
    assert figures(text) == frozenset()


def test_english_numbers() -> None:
    said = {str(one) for one in figures("two hundred and five days, thirty-five yuan, 1,500 words, 5万元")}
    assert said == {"205 (day)", "35 (yuan)", "1500 (word)", "50000 (yuan)"}
    assert missing("one day", "a day") == [] and missing("1 day", "each day") == []


def test_bounds_are_no_negations() -> None:
    assert negations("no more than 3, 不超过三个, not only that") == 0
    assert negations("never without a reason, 不知道就不说") == 4
    assert forces("You need not ask.") == {"the word that there is no need"}
