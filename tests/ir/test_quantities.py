"""Prices and numbers as hosts and viewers write them."""

import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness_dsl.ir.quantities import chinese, numbers, prices

PRICES = [
    ("这款89元", ["89"]),
    ("现价89块9，原价129元", ["89.9", "129"]),
    ("89.5 元/件", ["89.5"]),
    ("¥1,299.00 包邮", ["1299"]),
    ("￥８９．９", ["89.9"]),
    ("89-99元", ["89", "99"]),
    ("¥89-99", ["89", "99"]),
    ("89 yuan or CNY 90, RMB91", ["89", "90", "91"]),
    ("89CNY包邮", ["89"]),
    ("八十九块九", ["89.9"]),
    ("一百二十元", ["120"]),
    ("一百二块", ["120"]),
    ("两万三元", ["23000"]),
    ("三十到五十块", ["30", "50"]),
    ("一块九", ["1.9"]),
    ("一块钱", ["1"]),
    ("89块9包邮，另有89块3件", ["89.9", "89"]),
    ("89元5角", ["89.5"]),
    ("1.2万元", ["12000"]),
    ("0元购", ["0"]),
    ("满300元减40元", ["300", "40"]),
    ("3号链接", []),
    ("一块儿去吧，我们一块来", []),
    ("2026元旦快乐", []),
    ("几十块的东西，九十多块", []),
    ("89美元", []),
    ("型号A12，版本1.2.3", []),
    ("万元好礼", []),
]


@pytest.mark.parametrize(("text", "amounts"), PRICES)
def test_prices_are_read_as_people_write_them(text: str, amounts: list[str]) -> None:
    assert prices(text) == [Decimal(amount) for amount in amounts]


NUMBERS = [
    ("3号链接还有12件", ["3", "12"]),
    ("１２ pieces, 1,299 sold", ["12", "1299"]),
    ("零下 -5 度", ["-5"]),
    ("3-5天", ["3", "5"]),
    ("1.5万人", ["15000"]),
    ("A12 和 v2.0.1 不是数", []),
    ("看一下，千万别，十分好", []),
    ("a_1 1.2.3", []),
    ("满89.", ["89"]),
]


@pytest.mark.parametrize(("text", "amounts"), NUMBERS)
def test_numbers_are_read_without_words_and_identifiers(text: str, amounts: list[str]) -> None:
    assert numbers(text) == [Decimal(amount) for amount in amounts]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("零", 0), ("十", 10), ("十一", 11), ("二十", 20), ("一百零五", 105), ("一百一十", 110),
        ("三千五", 3500),
        ("三千零五", 3005), ("一万零三百", 10300), ("一亿三千万", 130_000_000),
        ("二〇二五", 2025),
        ("百", None), ("零五百十", None), ("一二十", None), ("十百", None), ("万", None), ("点五", None),
        ("", None),
    ],
)  # fmt: skip
def test_chinese_numerals(written: str, value: int | None) -> None:
    assert chinese(written) == value


def _numeral(value: int) -> str:
    """`value` below 10,000 in full Chinese form; the inverse that `chinese` is held against."""
    digits = "零一二三四五六七八九"
    text = ""
    for scale, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // scale % 10
        if digit:
            text += digits[digit] + unit
        elif text and value % scale and not text.endswith("零"):
            text += "零"
    return text or "零"


@given(st.integers(0, 9999))
def test_every_numeral_in_full_form_is_read_back(value: int) -> None:
    assert chinese(_numeral(value)) == value
    assert prices(f"只要{_numeral(value)}元") == [Decimal(value)]


@given(st.decimals(0, 99999, places=2))
def test_every_amount_in_digits_is_read_back(amount: Decimal) -> None:
    assert prices(f"到手{amount}元，") == [amount]
    assert numbers(f"一共 {amount} 。") == [amount]


@given(st.text(alphabet="0123456789.,-~到元块毛¥一二十百千万点钱 aCNY", max_size=60))
def test_any_text_has_prices_and_numbers(text: str) -> None:
    assert all(amount.is_finite() for amount in prices(text) + numbers(text))


@pytest.mark.parametrize("unit", ["1", "九", "1,111", "1-", "九到", "¥ ", "一万", "1.1", "- "])
def test_long_runs_are_read_in_bounded_time(unit: str) -> None:
    began = time.perf_counter()
    prices(unit * 30_000)
    numbers(unit * 30_000)
    assert time.perf_counter() - began < 1.0
