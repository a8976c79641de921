"""Numbers that prose states, in digits and in English and Chinese words, with what they count."""

import re
from dataclasses import dataclass
from decimal import Decimal

_UNITS: dict[str, str] = {
    unit: name
    for name, units in {
        "%": "% percent 折",
        "day": "day days 天 日",
        "hour": "hour hours hr hrs 小时 个小时 钟头",
        "minute": "minute minutes min mins 分钟",
        "second": "second seconds sec secs s 秒 秒钟",
        "millisecond": "ms millisecond milliseconds 毫秒",
        "week": "week weeks 周 星期 个星期 礼拜",
        "month": "month months 个月 月",
        "year": "year years 年",
        "yuan": "yuan rmb cny 元 块 块钱",
        "dollar": "dollar dollars usd 美元 美金",
        "character": "character characters char chars 字 个字 字符 个字符",
        "word": "word words 词 个词 单词 个单词",
        "sentence": "sentence sentences 句 句话",
        "line": "line lines 行",
        "time": "time times 次 遍 回",
        "token": "token tokens",
        "step": "step steps 步 个步骤",
        "turn": "turn turns round rounds 轮",
        "digit": "digit digits 位",
        "kilometre": "km kilometre kilometres kilometer kilometers 公里 千米",
        "kilogram": "kg kilogram kilograms 公斤 千克",
        "gram": "gram grams 克",
    }.items()
    for unit in units.split()
}
_DIGITS = dict(zip("零〇一二两三四五六七八九", (0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_WORDS = {
    word: value
    for value, words in {
        2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten",
        11: "eleven", 12: "twelve dozen", 13: "thirteen", 14: "fourteen", 15: "fifteen", 16: "sixteen",
        17: "seventeen", 18: "eighteen", 19: "nineteen", 20: "twenty", 30: "thirty", 40: "forty",
        50: "fifty", 60: "sixty", 70: "seventy", 80: "eighty", 90: "ninety", 100: "hundred",
        1000: "thousand", 1_000_000: "million",
    }.items()
    for word in words.split()
}  # fmt: skip

_NO_NUMBER = re.compile(
    r"十分(?!钟)|千万(?=别|不|要|勿|记|小心)|万一|万分|再三|三思|四处|百般|百姓|千克|千米|第[一二三四五六七八九十]+"
    r"|一(?:下|些|起|样|般|定|直|旦|律|概|切|致|并|边|面|再|同|方面|会儿|点儿?)|统一|唯一|之一|逐一|一一|进一步|不一",
)
_CHINESE = r"[零〇一二两三四五六七八九十百千万亿]+(?:点[零〇一二三四五六七八九]+)?"
_PERCENT = re.compile(rf"百分之(?:({_CHINESE})|(\d+(?:\.\d+)?))")
_TWICE = re.compile(r"\b(?:(twice)|(thrice))\b", re.IGNORECASE)
_WORD = "|".join(sorted(_WORDS, key=len, reverse=True))
_STATED = re.compile(
    rf"(?P<digits>(?<![A-Za-z_])\d+(?:,\d{{3}})*(?:\.\d+)?)(?P<scale>[万亿])?|(?P<chinese>{_CHINESE})"
    rf"|\b(?P<word>(?:{_WORD})(?:[- ](?:and )?(?:{_WORD}))*)\b",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"[ -]?(" + "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True)) + r")(?![A-Za-z])",
    re.IGNORECASE,
)
_ONE = re.compile(r"\b(?:an?|one|single|once|each|every)\b|[一每单]|\b1\b", re.IGNORECASE)
_BOTH = re.compile(r"\b(?:both|pair|twice|double)\b|双|两", re.IGNORECASE)


@dataclass(frozen=True)
class Figure:
    """A number, and what it counts where that is known."""

    value: Decimal
    unit: str | None

    def __str__(self) -> str:
        value = f"{self.value.normalize():f}"
        return f"{value}%" if self.unit == "%" else f"{value} ({self.unit})" if self.unit else value


def figures(text: str) -> frozenset[Figure]:
    """The numbers from two up, and those in digits; `one` and `一` say too many other things."""
    text = _NO_NUMBER.sub(" ", text)
    found = []
    for match in _PERCENT.finditer(text):
        found.append(Figure(chinese(match[1]) if match[1] else Decimal(match[2]), "%"))
    text = _PERCENT.sub(" ", text)
    for match in _TWICE.finditer(text):
        found.append(Figure(Decimal(2 if match[1] else 3), "time"))
    for match in _STATED.finditer(text):
        value = _value(match)
        if value is None or (match["digits"] is None and value <= 1):
            continue
        unit = _UNIT.match(text, match.end())
        found.append(Figure(value, _UNITS[unit[1].lower()] if unit else None))
    return frozenset(found)


def _value(match: re.Match[str]) -> Decimal | None:
    if match["digits"]:
        return Decimal(match["digits"].replace(",", "")) * _SCALES.get(match["scale"] or "", 1)
    if match["chinese"]:
        return chinese(match["chinese"])
    total = current = 0
    for word in re.split(r"[- ]", match["word"].lower()):
        value = _WORDS.get(word)
        if value is None:
            continue
        if value < 100:
            current += value
        else:
            current = max(1, current) * value
            if value > 100:
                total, current = total + current, 0
    return Decimal(total + current)


def chinese(text: str) -> Decimal:
    """The value of a Chinese numeral, by places (三十五) or digit by digit (二〇二四)."""
    whole, _, fraction = text.partition("点")
    if not any(char in _SCALES for char in whole):
        value = Decimal("".join(str(_DIGITS[char]) for char in whole))
    else:
        value = Decimal(_by_places(whole))
    digits = "".join(str(_DIGITS[char]) for char in fraction)
    return value + Decimal(f"0.{digits}") if digits else value


def _by_places(text: str) -> int:
    total = section = digit = 0
    for char in text:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif _SCALES[char] < 10_000:
            section, digit = section + (digit or 1) * _SCALES[char], 0
        else:
            total, section, digit = (total + section + digit) * _SCALES[char], 0, 0
    return total + section + digit


def missing(wanted: str, given: str) -> list[Figure]:
    """The numbers of `wanted` that `given` does not state; a unit counts where both are known."""
    there = figures(given)
    lacking = []
    for figure in figures(wanted):
        if any(figure.value == other.value and _fit(figure, other) for other in there):
            continue
        if figure.value == 1 and _ONE.search(given):
            continue
        if figure.value == 2 and _BOTH.search(given) and figure.unit in (None, "time"):
            continue
        lacking.append(figure)
    return sorted(lacking, key=lambda figure: (figure.value, figure.unit or ""))


def _fit(one: Figure, other: Figure) -> bool:
    return one.unit is None or other.unit is None or one.unit == other.unit
