"""Numbers and amounts of money written in a text.

Read are Arabic digits, full-width ones too, with thousands separators and 千, 万, 亿 (`1.2万`). Amounts of
money may also be written in Chinese numerals (`八十九块九`, `一百二十元`): the unit says that a number is
meant. Plain numbers are not, because 一下, 万一 and 千万 are words.

No numbers are: digits inside identifiers and versions (`A12`, `1.2.3`), vague amounts (`几十块`,
`九十多块`), 一块 for "together" (so 一块 counts as money only before 钱 or a digit), and 元 in 元旦, 元宵,
元素, 元气, 元宝.
"""

import re
from decimal import Decimal

from harness_dsl.ir.matching import MAX_CHARS

MAX_NUMERAL = 32
"""Longer runs of numeral characters are no numbers."""

_HALF_WIDTH = str.maketrans("０１２３４５６７８９．￥", "0123456789.¥")
_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_SCALES = {"": 1, "千": 10**3, "万": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8}

_PLAIN = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?![0-9]|\.[0-9]|,[0-9]{3})"
_SCALED = rf"{_PLAIN}(?:百万|千万|[千万亿])?"
_ARABIC = rf"(?<![A-Za-z0-9_.,])(?:(?<!\w)-)?{_SCALED}"
_NUMERAL = "[零〇一二两三四五六七八九十百千万亿点]+"
_CHINESE = rf"(?<![几数第零〇一二两三四五六七八九十百千万亿点]){_NUMERAL}"
_UNIT = r"(?:元(?![旦宵素气宝])|块(?!儿)|圆|¥|(?:yuan|cny|rmb)(?![A-Za-z0-9_]))"
_COUNTED = r"[0-9A-Za-z.]|[件个只条双瓶盒支片袋斤份套箱米号折天]|包(?!邮)"
_CENTS = rf"(?:(?P<jiao>[0-9一二三四五六七八九])(?:[毛角]|(?<=块.)(?!{_COUNTED})))"
_DASH = r"\s*(?:-|~|～|–|—|至|到)\s*"

_NUMBER = re.compile(_ARABIC)
_PRICE = re.compile(
    rf"""
    (?:¥|(?<![A-Za-z])(?:cny|rmb)) \s* (?P<led>{_SCALED}) (?: {_DASH} (?P<led_to>{_SCALED}) )?
    | (?: (?P<low>{_ARABIC} | {_CHINESE}) {_DASH} (?=(?:{_SCALED} | {_NUMERAL})\s*{_UNIT}) )
    | (?P<amount> {_ARABIC} | (?<=[-~～–—至到]){_SCALED} | {_CHINESE} ) \s* (?P<unit>{_UNIT}) {_CENTS}?
    """,
    re.VERBOSE | re.IGNORECASE,
)


def numbers(text: str) -> list[Decimal]:
    """Every number in the first `MAX_CHARS` code points of `text`, in reading order."""
    normal = text[:MAX_CHARS].translate(_HALF_WIDTH)
    return [_arabic(match.group()) for match in _NUMBER.finditer(normal)]


def prices(text: str) -> list[Decimal]:
    """Every amount of yuan in the first `MAX_CHARS` code points of `text`, in reading order.

    An amount is a number followed by 元, 块, 圆, ¥, yuan, CNY or RMB, or led by ¥, CNY or RMB. Both ends of
    a range count (`89-99元`), and 角 and 毛 are added (`89块9`, `九块九毛`).
    """
    found: list[Decimal] = []
    normal = text[:MAX_CHARS].translate(_HALF_WIDTH)
    for match in _PRICE.finditer(normal):
        for name in ("led", "led_to", "low"):
            found += _number(match[name] or "")
        if match["amount"]:
            found += _amount(match, normal)
    return found


def _amount(match: re.Match[str], text: str) -> list[Decimal]:
    """The amount of one match with its 角; none if its numeral is no number."""
    together = match["amount"] == "一" and match["unit"] == "块" and not match["jiao"]
    if together and not text.startswith("钱", match.end()):
        return []
    jiao = match["jiao"]
    more = Decimal(_DIGITS.get(jiao) or jiao) / 10 if jiao else Decimal(0)
    return [value + more for value in _number(match["amount"])]


def _number(written: str) -> list[Decimal]:
    """The number `written` in either script; none if it is a numeral that is no number."""
    if not written:
        return []
    if written[0] in "-0123456789":
        return [_arabic(written)]
    value = chinese(written)
    return [] if value is None else [value]


def _arabic(written: str) -> Decimal:
    digits = written.rstrip("百千万亿")
    return Decimal(digits.replace(",", "")) * _SCALES[written[len(digits) :]]


_SECTION = re.compile(
    r"(?:(?P<千>[一二两三四五六七八九])千)?(?P<z1>[零〇])?"
    r"(?:(?P<百>[一二两三四五六七八九])百)?(?P<z2>[零〇])?"
    r"(?:(?P<十>[一二三四五六七八九]?)十)?(?P<z3>[零〇])?"
    r"(?P<ones>[一二两三四五六七八九])?"
)


def chinese(written: str) -> Decimal | None:
    """The number written as a Chinese numeral, or None where it is none.

    Read are `一百零五`, `三千五` (3500), `两万三`, `八点五`, `零`, and digits one by one (`二〇二五`).
    """
    if len(written) > MAX_NUMERAL:
        return None
    whole, point, fraction = written.partition("点")
    if point:
        integer = chinese(whole)
        if integer is None or not fraction or any(char not in _DIGITS for char in fraction):
            return None
        return Decimal(f"{integer}." + "".join(str(_DIGITS[char]) for char in fraction))
    if written and all(char in _DIGITS for char in written):
        return Decimal("".join(str(_DIGITS[char]) for char in written))
    for unit, scale in (("亿", 10**8), ("万", 10**4)):
        high, found, low = written.partition(unit)
        if found:
            return _joined(chinese(high), low, scale)
    section = _section(written)
    return None if section is None else Decimal(section)


def _joined(high: Decimal | None, low: str, scale: int) -> Decimal | None:
    if high is None or high == 0:
        return None
    if not low:
        return high * scale
    if len(low) == 1 and low in _DIGITS:
        return high * scale + _DIGITS[low] * scale // 10
    rest = chinese(low.removeprefix("零"))
    return None if rest is None or rest >= scale else high * scale + rest


def _section(written: str) -> int | None:
    match = _SECTION.fullmatch(written)
    if match is None or not written or written[0] in "零〇" or written[-1] in "零〇":
        return None
    thousands, hundreds, ones = (_DIGITS.get(match[name] or "", 0) for name in ("千", "百", "ones"))
    tens = 0 if match["十"] is None else _DIGITS.get(match["十"], 1)
    zero = match["z1"] or match["z2"] or match["z3"]
    if ones and not zero and match["十"] is None:
        # 三千五 is 3500 and 一百二 is 120: a last digit without 零 counts the next unit.
        ones *= 10 if hundreds else 100 if thousands else 1
    return thousands * 1000 + hundreds * 100 + tens * 10 + ones
